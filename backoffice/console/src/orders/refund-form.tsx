import type { StaffOrder, StaffRefundBody } from '@shop/backoffice/wire';
import { Checkbox, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { api } from '../api';
import { ActionForm } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import { type Key, useTexts } from '../texts';
import { outcomeText, reason, typedAmount, useRefund } from './use-refund';

type RefundValues = Required<Pick<StaffRefundBody, 'amount' | 'target' | 'reason'>> & { quantity: number | null };
const start: RefundValues = { amount: '', quantity: null, target: 'wallet', reason: '' };

const fieldsOf = ({ currency, quantity }: StaffOrder['order'], hasChosen: boolean): FieldSpec<RefundValues, Key>[] => [
  { name: 'amount', label: 'refunds.amount', values: { currency }, hint: 'refunds.amountHint', ...typedAmount },
  { kind: 'select', name: 'target', label: 'order.target' },
  ...(quantity > 1 && !hasChosen
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

/** Refunds an order, whole or in part. The same key again is the same refund; a success starts another one. */
export function RefundForm({ order, payments, codes }: Pick<StaffOrder, 'order' | 'payments' | 'codes'>) {
  const { t } = useTexts();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const choose = (id: number, isChosen: boolean) =>
    setChosen(isChosen ? [...chosen, id] : chosen.filter((code) => code !== id));
  const { ready, questions, send } = useRefund();
  const refund = ({ amount, quantity, ...input }: RefundValues) =>
    send(async ({ key, answers }) => {
      const answer = await api('POST refunds', {
        order_no: order.order_no,
        ...(amount.trim() && { amount: amount.trim() }),
        ...(chosen.length > 0 ? { codes: [...chosen] } : quantity && { quantity }),
        target: input.target,
        reason: input.reason.trim(),
        key,
        ...answers,
      });
      setChosen([]);
      toast.success(outcomeText(answer));
    });
  const isPaidOnline = payments.some((payment) => payment.state === 'paid');
  const places = isPaidOnline ? (['wallet', 'source'] as const) : (['wallet'] as const);
  return (
    <ActionForm
      title={t('refunds.make')}
      fields={fieldsOf(order, chosen.length > 0)}
      t={t}
      start={start}
      submit={t('refunds.make')}
      kind="danger"
      disabled={!ready}
      choices={{ target: places.map((place) => ({ value: place, label: t(`refunds.to.${place}`) })) }}
      changes={['order', 'refunds']}
      onSubmit={refund}
    >
      {codes.length > 1 && (
        <fieldset className="stack" aria-describedby="refund-codes-hint">
          <legend>{t('refunds.codes')}</legend>
          <p id="refund-codes-hint" className="hint">
            {t('refunds.codesHint')}
          </p>
          {codes.map(({ id, number }) => (
            <Checkbox key={id} checked={chosen.includes(id)} onChange={(isChosen) => choose(id, isChosen)}>
              <span className="tabular">{number}</span>
            </Checkbox>
          ))}
        </fieldset>
      )}
      {questions}
    </ActionForm>
  );
}
