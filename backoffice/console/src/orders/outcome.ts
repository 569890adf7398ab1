import type { StaffRefundAnswer } from '@shop/backoffice/wire';
import { formatMoney as money } from '@shop/shared/money';
import { t } from '../texts';

/** The message about the result of a refund or a wallet action. */
export const outcomeText = (of: 'refunds' | 'wallet', { state, amount, currency }: StaffRefundAnswer): string =>
  t(`${of}.outcome.${state}`, { amount: money(amount, currency) });
