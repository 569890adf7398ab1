import type { StaffBatch } from '@shop/backoffice/wire';
import type { Currency } from '@shop/shared/domain';
import { currencies } from '@shop/shared/domain/lists';
import { batchRules } from '../generated/codes.rules';
import { type FieldSpec, Fields } from '../kit/fields';
import { type Key, useTexts } from './batches-texts';

interface BatchInput {
  name: string;
  supplier: string;
  /** Without an amount if it is empty. */
  cost: { amount?: string; currency: Currency };
}

export const noBatch: BatchInput = { name: '', supplier: '', cost: { currency: 'CNY' } };

export const toBatch = ({ name, supplier, cost: { amount, currency } }: BatchInput): StaffBatch => ({
  name: name.trim(),
  supplier: supplier.trim(),
  cost: amount ? { amount, currency } : null,
});

export const batchFields: FieldSpec<BatchInput, Key>[] = [
  { name: 'name', label: 'name', hint: 'nameHint', ...batchRules.name },
  { name: 'supplier', label: 'supplier', ...batchRules.supplier },
  { kind: 'price', name: 'cost.amount', label: 'cost', ...batchRules['cost.amount'], required: false },
  { kind: 'select', name: 'cost.currency', label: 'currency' },
];
export const currencyChoices = { 'cost.currency': currencies.map((value) => ({ value, label: value })) };

export function BatchFields({ at }: { at: string }) {
  const { t } = useTexts();
  return <Fields of={batchFields} t={t} at={at} choices={currencyChoices} />;
}
