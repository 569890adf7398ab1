import type { PaymentMethod, RechargeOptions } from '@shop/server/wire';
import type { Currency } from '@shop/shared/domain';
import { compareMoney, formatMoney, fromMinor, toMinor } from '@shop/shared/money';
import type { Translate } from '../texts';

/** "１0.5 " → "10.50"; undefined for what is not a positive amount with at most two decimals. */
export function readAmount(typed: string): string | undefined {
  const text = typed.normalize('NFKC').trim();
  if (!/^\d{1,9}(\.\d{1,2})?$/.test(text)) return undefined;
  return fromMinor(toMinor(text));
}

/** The message for an amount, or undefined when it may be recharged. "0.00" as a method's maximum is no maximum. */
export function amountProblem(
  typed: string,
  options: RechargeOptions,
  method: PaymentMethod | undefined,
  t: Translate,
): string | undefined {
  if (!typed.trim()) return t('recharge.errors.required');
  const amount = readAmount(typed);
  if (!amount) return t('recharge.errors.format');
  const money = (value: string) => formatMoney(value, options.currency as Currency);
  if (compareMoney(amount, options.min) < 0) return t('recharge.errors.min', { min: money(options.min) });
  if (compareMoney(amount, options.max) > 0) return t('recharge.errors.max', { max: money(options.max) });
  if (compareMoney(amount, options.day_left) > 0)
    return t('recharge.errors.dayLeft', { amount: money(options.day_left) });
  if (method && compareMoney(amount, method.min) < 0) return t('recharge.errors.methodMin', { min: money(method.min) });
  if (method && toMinor(method.max) > 0 && compareMoney(amount, method.max) > 0)
    return t('recharge.errors.methodMax', { max: money(method.max) });
  return undefined;
}
