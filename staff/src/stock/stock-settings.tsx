import type { StaffStock } from '@shop/server/wire';
import { invalidate } from '@shop/shared/query';
import { Button, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { post } from '../api';
import { Fault, Field, useFormAct } from '../parts';
import { useTexts } from './texts';

/** From when on the console tells that a value runs out; of a counter how many pieces come or go. */
export function StockSettings({ stock }: { stock: StaffStock }) {
  const { t } = useTexts();
  const [low, setLow] = useState(String(stock.low_stock));
  const [add, setAdd] = useState('');
  const { busy, fault, act } = useFormAct();
  const save = () =>
    act(async () => {
      const { goods, spec } = stock;
      await post('stock/save', { goods, spec, low_stock: Number(low), ...(add !== '' && { add: Number(add) }) });
      toast.success(t('saved'));
      await invalidate(['stock']);
    });
  return (
    <form
      className="card row"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field
        label={t('threshold')}
        type="number"
        min={0}
        max={1_000_000}
        step={1}
        value={low}
        onValue={setLow}
        required
      />
      {!stock.codes && (
        <Field label={t('add')} hint={t('addHint')} type="number" step={1} value={add} onValue={setAdd} />
      )}
      <Button type="submit" kind="secondary" loading={busy}>
        {t('save')}
      </Button>
      {fault && <Fault>{fault}</Fault>}
    </form>
  );
}
