import type { StaffRefundAnswer } from '@shop/backoffice/wire';
import { formatMoney as money } from '@shop/shared/money';
import { t } from '../texts';

export const outcomeText = (of: 'refunds' | 'wallet', { state, amount, currency }: StaffRefundAnswer): string =>
  t(`${of}.outcome.${state}`, { amount: money(amount, currency) });
