import type { StaffOrder, StaffRefundAnswer } from '@shop/server/wire';
import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { invalidate } from '@shop/shared/query';
import { Button, Checkbox, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { post, StaffApiError } from '../api';
import { Area, Fault, Field, faultText, Select } from '../parts';
import { useTexts } from '../texts';
import { outcomeText } from './outcome';

/** A refund of an order, whole or in part. The same key again is the same refund; another one follows a success. */
export function RefundForm({ order, payments }: Pick<StaffOrder, 'order' | 'payments'>) {
  const { t } = useTexts();
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [amount, setAmount] = useState('');
  const [target, setTarget] = useState<'wallet' | 'source'>('wallet');
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<unknown>(null);
  const [agreed, setAgreed] = useState(false);
  const [busy, setBusy] = useState(false);
  const code = fault instanceof StaffApiError ? fault.code : undefined;
  const question =
    code === ErrorCode.SupplierRequestOpen
      ? 'notDelivered'
      : code === StaffErrorCode.CodesRevealed
        ? 'revealed'
        : undefined;
  const send = async () => {
    setBusy(true);
    try {
      const answer = await post<StaffRefundAnswer>('refunds', {
        order_no: order.order_no,
        ...(amount.trim() !== '' && { amount: amount.trim() }),
        ...{ target, reason: reason.trim(), key },
        ...(question === 'notDelivered' && { not_delivered: agreed }),
        ...(question === 'revealed' && { revealed_ok: agreed }),
      });
      toast.success(outcomeText(answer));
      setKey(crypto.randomUUID());
      setAmount('');
      setReason('');
      setFault(null);
      await Promise.all([invalidate(['order', order.order_no]), invalidate(['refunds'])]);
    } catch (error) {
      setAgreed(false);
      setFault(error);
    } finally {
      setBusy(false);
    }
  };
  const isPaidOnline = payments.some((one) => one.state === 'paid');
  const places = isPaidOnline ? (['wallet', 'source'] as const) : (['wallet'] as const);
  const targets = places.map((place) => ({ value: place, label: t(`refunds.to.${place}`) }));
  return (
    <form
      className="card"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
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
      {fault !== null && <Fault>{faultText(fault)}</Fault>}
      {question && (
        <Checkbox checked={agreed} onChange={setAgreed}>
          {t(`queue.${question}`)}
        </Checkbox>
      )}
      <Button type="submit" kind="danger" loading={busy} disabled={Boolean(question) && !agreed}>
        {t('refunds.make')}
      </Button>
    </form>
  );
}
