import { refundRules } from '../generated/money.rules';

export const reason = {
  kind: 'area',
  name: 'reason',
  label: 'reason',
  hint: 'queue.whyHint',
  rows: 2,
  ...refundRules.reason,
} as const;

export const typedAmount = {
  inputMode: 'decimal',
  ...refundRules.amount,
  placeholder: '12.34',
} as const;
