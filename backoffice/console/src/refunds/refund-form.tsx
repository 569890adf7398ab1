import type { StaffOrder, StaffRefundBody } from '@shop/server/wire';
import { invalidate } from '@shop/shared/query';
import { toast } from '@shop/shared/ui';
import { api } from '../api';
import { ActForm } from '../forms/act-form';
import { type FieldSpec, Fields } from '../forms/fields';
import { type t as text, useTexts } from '../texts';
import { outcomeText } from './outcome';
import { useTexts as usePersonTexts } from './texts';
import { useRefund } from './use-refund';

type Wish = Required<Pick<StaffRefundBody, 'amount' | 'target' | 'reason'>> & { quantity: number | null };
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

const unitsOf = (quantity: number): FieldSpec<Wish, 'units' | 'unitsHint'>[] => [
  { kind: 'number', name: 'quantity', label: 'units', hint: 'unitsHint', min: 1, max: quantity },
];

/** A refund of an order, whole or in part. The same key again is the same refund; another one follows a success. */
export function RefundForm({ order, payments }: Pick<StaffOrder, 'order' | 'payments'>) {
  const { t } = useTexts();
  const { t: person } = usePersonTexts();
  const { ready, asked, send } = useRefund();
  const refund = ({ amount, quantity, target, reason }: Wish) =>
    send(async ({ key, answers }) => {
      const answer = await api('POST refunds', {
        order_no: order.order_no,
        ...(amount.trim() && { amount: amount.trim() }),
        ...(quantity && { quantity }),
        target,
        reason: reason.trim(),
        key,
        ...answers,
      });
      toast.success(outcomeText(answer));
      await Promise.all([invalidate(['order']), invalidate(['refunds'])]);
    });
  const isPaidOnline = payments.some((one) => one.state === 'paid');
  const places = isPaidOnline ? (['wallet', 'source'] as const) : (['wallet'] as const);
  const start: Wish = { amount: '', quantity: null, target: 'wallet', reason: '' };
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
      {order.quantity > 1 && <Fields of={unitsOf(order.quantity)} t={person} />}
      {asked}
    </ActForm>
  );
}
