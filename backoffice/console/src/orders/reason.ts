import { refundRules } from '../generated/money.rules';

/** Why somebody acts on an order, a wallet or an account. */
export const reason = {
  kind: 'area',
  name: 'reason',
  label: 'queue.why',
  hint: 'queue.whyHint',
  rows: 2,
  ...refundRules.reason,
} as const;

/** An amount of money as somebody types it. */
export const typedAmount = {
  inputMode: 'decimal',
  ...refundRules.amount,
  placeholder: '12.34',
} as const;
