/**
 * Money in the front end. The API sends an amount as a string with two decimals beside its currency (docs/product.md#calls); here
 * it is that string or an integer of minor units, never a float.
 */
import type { Currency, Language } from '../domain';

const wireAmount = /^(-?)(\d+)(?:\.(\d{1,2}))?$/;

/** "12.34" → 1234. Throws a RangeError for anything else than an amount with at most two decimals. */
export function toMinor(amount: string): number {
  const match = wireAmount.exec(amount.trim());
  if (!match) throw new RangeError(`not an amount: ${amount}`);
  const [, sign, whole = '0', decimals = ''] = match;
  const minor = Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
  if (!Number.isSafeInteger(minor)) throw new RangeError(`amount out of range: ${amount}`);
  return sign === '-' && minor !== 0 ? -minor : minor;
}

/** 1234 → "12.34". Takes whole minor units only. */
export function fromMinor(minor: number): string {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`not whole minor units: ${minor}`);
  const absolute = Math.abs(minor);
  const text = `${Math.floor(absolute / 100)}.${String(absolute % 100).padStart(2, '0')}`;
  return minor < 0 ? `-${text}` : text;
}

export const currencySymbol: Record<Currency, string> = { CNY: '¥', USD: '$' };

/** "1234.50", "CNY" → "¥1,234.50"; a minus comes before the symbol. An unreadable amount is returned unchanged. */
export function formatMoney(amount: string, currency: Currency, options: { sign?: boolean } = {}): string {
  const match = wireAmount.exec(amount.trim());
  if (!match) return amount;
  const [, minus, whole = '0', decimals = ''] = match;
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const sign = minus ? '−' : options.sign ? '+' : '';
  return `${sign}${currencySymbol[currency]}${grouped}.${decimals.padEnd(2, '0')}`;
}

/** unit price × quantity: "6.48" × 3 → "19.44". For display only; the server computes what is paid. */
export function multiplyMoney(amount: string, quantity: number): string {
  return fromMinor(toMinor(amount) * quantity);
}

/** Returns -1, 0 or 1, as for sort(). */
export function compareMoney(left: string, right: string): number {
  return Math.sign(toMinor(left) - toMinor(right));
}

/** The discount in the words of a language: 8 → "8折" in Chinese, "20% off" in English (docs/product.md#coupons). */
export function formatDiscount(discount: string | number, language: Language): string {
  const tenths = Math.round(Number(discount) * 10);
  return language === 'zh-CN' ? `${tenths / 10}折` : `${100 - tenths}% off`;
}
