import type { StaffOrder, StaffRefundBody } from '@shop/server/wire';
import { invalidate } from '@shop/shared/query';
import { toast } from '@shop/shared/ui';
import { api } from '../api';
import { ActForm } from '../forms/act-form';
import type { FieldSpec } from '../forms/fields';
import { type t as text, useTexts } from '../texts';
import { outcomeText } from './outcome';
import { useRefund } from './use-refund';

type Wish = Required<Pick<StaffRefundBody, 'amount' | 'target' | 'reason'>>;
const fieldsOf = (currency: string): FieldSpec<Wish, Parameters<typeof text>[0]>[] => [
  {
    name: 'amount',
    label: 'refunds.amount',
    values: { currency },
    hint: 'refunds.amountHint',
    inputMode: 'decimal',
    pattern: '\\d{1,10}(\\.\\d{1,2})?',
    placeholder: '12.34',
  },
  { kind: 'select', name: 'target', label: 'order.target' },
  {
    kind: 'area',
    name: 'reason',
    label: 'queue.why',
    hint: 'queue.whyHint',
    rows: 2,
    maxLength: 500,
    required: true,
  },
];

/** A refund of an order, whole or in part. The same key again is the same refund; another one follows a success. */
export function RefundForm({ order, payments }: Pick<StaffOrder, 'order' | 'payments'>) {
  const { t } = useTexts();
  const { ready, asked, send } = useRefund();
  const refund = ({ amount, target, reason }: Wish) =>
    send(async ({ key, answers }) => {
      const wish = { order_no: order.order_no, target, reason: reason.trim(), key, ...answers };
      toast.success(outcomeText(await api('POST refunds', amount.trim() ? { ...wish, amount: amount.trim() } : wish)));
      await Promise.all([invalidate(['order']), invalidate(['refunds'])]);
    });
  const isPaidOnline = payments.some((one) => one.state === 'paid');
  const places = isPaidOnline ? (['wallet', 'source'] as const) : (['wallet'] as const);
  const start: Wish = { amount: '', target: 'wallet', reason: '' };
  return (
    <ActForm
      title={t('refunds.make')}
      fields={fieldsOf(order.currency)}
      t={t}
      start={start}
      submit={t('refunds.make')}
      kind="danger"
      disabled={!ready}
      choices={{ target: places.map((place) => ({ value: place, label: t(`refunds.to.${place}`) })) }}
      onSubmit={refund}
    >
      {asked}
    </ActForm>
  );
}
