import type { StaffRefundAnswer } from '@shop/server/wire';
import { money } from '../format';
import { t } from '../texts';

/** What has become of a refund. */
export const outcomeText = ({ state, amount, currency }: StaffRefundAnswer): string =>
  t(`refunds.outcome.${state}`, { amount: money(amount, currency) });
