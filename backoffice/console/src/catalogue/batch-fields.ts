import type { StaffBatch } from '@shop/backoffice/wire';
import { currencies } from '@shop/shared/domain/lists';
import { batchRules } from '../generated/codes.rules';
import type { FieldSpec } from '../kit/fields';
import type { Key } from './stock-texts';

export const noBatch: StaffBatch = { name: '', supplier: '', currency: 'CNY' };
export const batchFields: FieldSpec<StaffBatch, Key>[] = [
  { name: 'name', label: 'batch.name', hint: 'batch.nameHint', ...batchRules.name },
  { name: 'supplier', label: 'batch.supplier', ...batchRules.supplier },
  { kind: 'price', name: 'cost', label: 'batch.cost', ...batchRules.cost },
  { kind: 'select', name: 'currency', label: 'batch.currency' },
];
export const currencyChoices = { currency: currencies.map((value) => ({ value, label: value })) };
