import type { StaffStock } from '@shop/server/wire';
import { invalidate } from '@shop/shared/query';
import { toast } from '@shop/shared/ui';
import { api } from '../api';
import { ActForm } from '../forms/act-form';
import type { FieldSpec } from '../forms/fields';
import { type t as text, useTexts } from './texts';

interface Settings {
  low_stock: number;
  add: number | null;
}
const fields: FieldSpec<Settings, Parameters<typeof text>[0]>[] = [
  { kind: 'number', name: 'low_stock', label: 'threshold', min: 0, max: 1_000_000, required: true },
  { kind: 'number', name: 'add', label: 'add', hint: 'addHint' },
];

/** From when on the console tells that a value runs out; of a counter how many pieces come or go. */
export function StockSettings({ stock }: { stock: StaffStock }) {
  const { t } = useTexts();
  const { goods, spec, low_stock, codes } = stock;
  const save = async ({ add, ...settings }: Settings) => {
    await api('POST stock/save', { goods, spec, ...settings, ...(add !== null && { add }) });
    toast.success(t('saved'));
    await invalidate(['stock']);
  };
  const start: Settings = { low_stock, add: null };
  return (
    <ActForm
      className="card row"
      layout="row"
      fields={codes ? fields.slice(0, 1) : fields}
      t={t}
      start={start}
      submit={t('save')}
      kind="secondary"
      onSubmit={save}
    />
  );
}
