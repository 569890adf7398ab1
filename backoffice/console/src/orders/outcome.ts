import type { StaffRefundAnswer } from '@shop/backoffice/wire';
import { formatMoney as money } from '@shop/shared/money';
import { t } from '../texts';

/** What has become of a refund, or of an act on a wallet. */
export const outcomeText = (of: 'refunds' | 'wallet', { state, amount, currency }: StaffRefundAnswer): string =>
  t(`${of}.outcome.${state}`, { amount: money(amount, currency) });
