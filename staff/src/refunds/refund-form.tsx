import type { StaffOrder, StaffRefundAnswer } from '@shop/server/wire';
import { invalidate } from '@shop/shared/query';
import { Button, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { post } from '../api';
import { Area, Field, Select } from '../parts';
import { useTexts } from '../texts';
import { outcomeText } from './outcome';
import { useTexts as usePersonTexts } from './texts';
import { useRefund } from './use-refund';

/** A refund of an order, whole or in part. The same key again is the same refund; another one follows a success. */
export function RefundForm({ order, payments }: Pick<StaffOrder, 'order' | 'payments'>) {
  const { t } = useTexts();
  const { t: person } = usePersonTexts();
  const [amount, setAmount] = useState('');
  const [units, setUnits] = useState('');
  const [target, setTarget] = useState<'wallet' | 'source'>('wallet');
  const [reason, setReason] = useState('');
  const { busy, ready, asked, send } = useRefund();
  const refund = () =>
    send(async ({ key, answers }) => {
      const answer = await post<StaffRefundAnswer>('refunds', {
        order_no: order.order_no,
        ...(amount.trim() !== '' && { amount: amount.trim() }),
        ...(units !== '' && { quantity: Number(units) }),
        ...{ target, reason: reason.trim(), key },
        ...answers,
      });
      toast.success(outcomeText(answer));
      setAmount('');
      setUnits('');
      setReason('');
      await Promise.all([invalidate(['order', order.order_no]), invalidate(['refunds'])]);
    });
  const isPaidOnline = payments.some((one) => one.state === 'paid');
  const places = isPaidOnline ? (['wallet', 'source'] as const) : (['wallet'] as const);
  const targets = places.map((place) => ({ value: place, label: t(`refunds.to.${place}`) }));
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        void refund();
      }}
    >
      <h2>{t('refunds.make')}</h2>
      <div className="row search">
        <Field
          label={t('refunds.amount', { currency: order.currency })}
          hint={t('refunds.amountHint')}
          inputMode="decimal"
          pattern="\d{1,10}(\.\d{1,2})?"
          placeholder="12.34"
          value={amount}
          onValue={setAmount}
          autoComplete="off"
        />
        {order.quantity > 1 && (
          <Field
            label={person('units')}
            hint={person('unitsHint')}
            type="number"
            min={1}
            max={order.quantity}
            step={1}
            value={units}
            onValue={setUnits}
          />
        )}
        <Select<'wallet' | 'source'> label={t('order.target')} value={target} options={targets} onValue={setTarget} />
      </div>
      <Area
        label={t('queue.why')}
        hint={t('queue.whyHint')}
        rows={2}
        value={reason}
        onValue={setReason}
        maxLength={500}
        required
      />
      {asked}
      <Button type="submit" kind="danger" loading={busy} disabled={!ready}>
        {t('refunds.make')}
      </Button>
    </form>
  );
}
