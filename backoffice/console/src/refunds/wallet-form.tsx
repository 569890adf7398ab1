import type { StaffRefundAnswer, StaffShopper, WalletActBody } from '@shop/server/wire';
import type { Currency } from '@shop/shared/domain';
import { currencies } from '@shop/shared/domain/lists';
import { formatDate } from '@shop/shared/i18n';
import { invalidate } from '@shop/shared/query';
import { Button, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { post } from '../api';
import { money } from '../format';
import { Area, Fault, Field, Select, useFormAct } from '../parts';
import { useTexts as useSharedTexts } from '../texts';
import { t as text, useTexts } from './texts';
import { useRefund } from './use-refund';

type Kind = WalletActBody['kind'];

export const walletOutcome = ({ state, amount, currency }: StaffRefundAnswer): string =>
  text(`outcome.${state}`, { amount: money(amount, currency) });

/** Moves a person's money by hand. The same key again is the same act; another one follows a success. */
export function WalletForm({ person, payments }: Pick<StaffShopper, 'person' | 'payments'>) {
  const { t } = useTexts();
  const { t: shared } = useSharedTexts();
  const paid = payments.filter((one) => one.state === 'paid');
  const [kind, setKind] = useState<Kind>('credit');
  const [currency, setCurrency] = useState<Currency>('CNY');
  const [number, setNumber] = useState(paid[0]?.payment_no ?? '');
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const { asked, send } = useRefund();
  const { busy, fault, act } = useFormAct();
  const payment = kind === 'pay-back' ? paid.find((one) => one.payment_no === number) : undefined;
  const submit = () =>
    send(async ({ key }) => {
      const answer = await post<StaffRefundAnswer>('wallet', {
        ...{ id: person.id, kind, amount: amount.trim(), reason: reason.trim(), key },
        currency: payment?.currency ?? currency,
        ...(payment && { payment_no: payment.payment_no }),
      } satisfies WalletActBody);
      toast.success(walletOutcome(answer));
      setAmount('');
      setReason('');
      await Promise.all([invalidate(['shopper', String(person.id)]), invalidate(['wallet'])]);
    });
  const kinds = (
    ['credit', 'deduct', 'freeze', 'thaw', ...(paid.length > 0 ? ['pay-back' as const] : [])] as const
  ).map((value) => ({ value, label: t(`kinds.${value}`) }));
  return (
    <form
      className="card"
      aria-label={t('wallet')}
      onSubmit={(event) => {
        event.preventDefault();
        void act(submit);
      }}
    >
      <h2>{t('wallet')}</h2>
      <div className="row search">
        <Select<Kind> label={t('kind')} value={kind} options={kinds} onValue={setKind} />
        {kind === 'pay-back' ? (
          <Select
            label={t('payment')}
            value={number}
            options={paid.map((one) => ({
              value: one.payment_no,
              label: `${formatDate(one.created_at)} ${one.method} ${money(one.amount, one.currency)}`,
            }))}
            onValue={setNumber}
          />
        ) : (
          <Select<Currency>
            label={t('currency')}
            value={currency}
            options={currencies.map((value) => ({ value, label: value }))}
            onValue={setCurrency}
          />
        )}
        <Field
          label={t('amount')}
          inputMode="decimal"
          pattern="\d{1,10}(\.\d{1,2})?"
          placeholder="12.34"
          value={amount}
          onValue={setAmount}
          autoComplete="off"
          required
        />
      </div>
      <Area
        label={shared('queue.why')}
        hint={shared('queue.whyHint')}
        rows={2}
        value={reason}
        onValue={setReason}
        maxLength={500}
        required
      />
      {fault && <Fault>{fault}</Fault>}
      {asked}
      <Button type="submit" kind="danger" loading={busy} disabled={reason.trim() === ''}>
        {t('send')}
      </Button>
    </form>
  );
}
