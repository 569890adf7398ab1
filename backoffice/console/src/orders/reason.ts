import { refundRules } from '../generated/money.rules';

/** The field for the reason of an action on an order, a wallet or an account. */
export const reason = {
  kind: 'area',
  name: 'reason',
  label: 'queue.why',
  hint: 'queue.whyHint',
  rows: 2,
  ...refundRules.reason,
} as const;

/** The field for an amount of money. */
export const typedAmount = {
  inputMode: 'decimal',
  ...refundRules.amount,
  placeholder: '12.34',
} as const;
