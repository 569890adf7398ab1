import type { StaffOrder, StaffRefundBody } from '@shop/backoffice/wire';
import { toast } from '@shop/shared/ui';
import { api } from '../api';
import { ActForm } from '../forms/act-form';
import type { FieldSpec } from '../forms/fields';
import { type Key, useTexts } from '../texts';
import { outcomeText } from './outcome';
import { reason, typedAmount } from './reason';
import { useRefund } from './use-refund';

/** Of a request to a supplier that may still deliver: RequestState.Open of the server. */
const SUPPLIER_OPEN = 1;

type RefundValues = Required<Pick<StaffRefundBody, 'amount' | 'target' | 'reason'>> & { quantity: number | null };
const start: RefundValues = { amount: '', quantity: null, target: 'wallet', reason: '' };

const fieldsOf = ({ currency, quantity }: StaffOrder['order']): FieldSpec<RefundValues, Key>[] => [
  { name: 'amount', label: 'refunds.amount', values: { currency }, hint: 'refunds.amountHint', ...typedAmount },
  { kind: 'select', name: 'target', label: 'order.target' },
  ...(quantity > 1
    ? [
        {
          kind: 'number',
          name: 'quantity',
          label: 'refunds.units',
          hint: 'refunds.unitsHint',
          min: 1,
          max: quantity,
        } as const,
      ]
    : []),
  reason,
];

/** A refund of an order, whole or in part. The same key again is the same refund; another one follows a success. */
export function RefundForm({
  order,
  payments,
  reveals,
  supplier,
}: Pick<StaffOrder, 'order' | 'payments' | 'reveals' | 'supplier'>) {
  const { t } = useTexts();
  const { ready, asked, send } = useRefund({
    supplierMayDeliver: supplier?.state === SUPPLIER_OPEN,
    codesSeen: reveals.length > 0,
  });
  const refund = ({ amount, quantity, ...wish }: RefundValues) =>
    send(async ({ key, answers }) => {
      const answer = await api('POST refunds', {
        order_no: order.order_no,
        ...(amount.trim() && { amount: amount.trim() }),
        ...(quantity && { quantity }),
        target: wish.target,
        reason: wish.reason.trim(),
        key,
        ...answers,
      });
      toast.success(outcomeText('refunds', answer));
    });
  const isPaidOnline = payments.some((one) => one.state === 'paid');
  const places = isPaidOnline ? (['wallet', 'source'] as const) : (['wallet'] as const);
  return (
    <ActForm
      title={t('refunds.make')}
      fields={fieldsOf(order)}
      t={t}
      start={start}
      submit={t('refunds.make')}
      kind="danger"
      disabled={!ready}
      choices={{ target: places.map((place) => ({ value: place, label: t(`refunds.to.${place}`) })) }}
      changes={['order', 'refunds']}
      onSubmit={refund}
    >
      {asked}
    </ActForm>
  );
}
