/** Why somebody acts on an order, a wallet or an account. */
export const reason = {
  kind: 'area',
  name: 'reason',
  label: 'queue.why',
  hint: 'queue.whyHint',
  rows: 2,
  maxLength: 500,
  required: true,
} as const;

/** An amount of money as somebody types it. */
export const typedAmount = {
  inputMode: 'decimal',
  pattern: '\\d{1,10}(\\.\\d{1,2})?',
  placeholder: '12.34',
} as const;
