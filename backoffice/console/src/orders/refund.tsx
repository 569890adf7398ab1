import type { QueueOrder, StaffOrder, StaffRefundAnswer, StaffRefundBody } from '@shop/backoffice/wire';
import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { formatMoney as money } from '@shop/shared/money';
import { Button, Checkbox, toast } from '@shop/shared/ui';
import { type ReactNode, useState } from 'react';
import { api, StaffApiError } from '../api';
import { refundRules } from '../generated/field-rules';
import { ActionForm, FormDialog } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import { type Key, t as text, useTexts } from '../texts';

export const outcomeText = ({ state, amount, currency }: StaffRefundAnswer): string =>
  text(`outcome.${state}`, { amount: money(amount, currency) });

const texts = { not_delivered: 'queue.notDelivered', revealed_ok: 'queue.revealed' } as const;
type Question = keyof typeof texts;
type Answers = Partial<Record<Question, boolean>>;

const questionOf = (error: unknown): Question | undefined => {
  const code = error instanceof StaffApiError ? error.code : undefined;
  if (code === ErrorCode.SupplierRequestOpen) return 'not_delivered';
  return code === StaffErrorCode.CodesRevealed ? 'revealed_ok' : undefined;
};

interface Refund {
  ready: boolean;
  questions: ReactNode;
  /** The same key again is the same refund; a success starts another key. The confirmations are sent with it. */
  send(work: (request: { key: string; answers: Answers }) => Promise<unknown>): Promise<void>;
}

/** Sends a refund. The server refuses it until each risk is confirmed; earlier confirmations stay. */
export function useRefund(): Refund {
  const { t } = useTexts();
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [answers, setAnswers] = useState<Answers>({});
  const answer = (question: Question, value: boolean) => setAnswers((before) => ({ ...before, [question]: value }));
  const send: Refund['send'] = async (work) => {
    await work({ key, answers }).catch((error) => {
      const question = questionOf(error);
      if (question) answer(question, false);
      throw error;
    });
    setKey(crypto.randomUUID());
    setAnswers({});
  };
  const open = (Object.keys(texts) as Question[]).filter((question) => answers[question] !== undefined);
  const checkboxes = open.map((question) => (
    <Checkbox key={question} checked={answers[question] ?? false} onChange={(checked) => answer(question, checked)}>
      {t(texts[question])}
    </Checkbox>
  ));
  return { ready: open.every((question) => answers[question]), questions: checkboxes, send };
}

export const reason = {
  kind: 'area',
  name: 'reason',
  label: 'reason',
  hint: 'queue.whyHint',
  ...refundRules.reason,
} as const;

export const typedAmount = {
  inputMode: 'decimal',
  ...refundRules.amount,
  placeholder: '12.34',
} as const;

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

const why = [{ ...reason, 'data-autofocus': true }];

interface RefundDialogProps {
  order: QueueOrder;
  onClose(): void;
  onDone(text: string): void;
}

/** Refunds the rest to the wallet, or refuses the refund request. The same key again is the same refund. */
export function RefundDialog({ order, onClose, onDone }: RefundDialogProps) {
  const { t } = useTexts();
  const { ready, questions, send } = useRefund();
  const bodyOf = (text: string) => ({ order_no: order.order_no, reason: text.trim() });
  const refund = (values: { reason: string }) =>
    send(async ({ key, answers }) => {
      const answer = await api('POST queue/refund', { ...bodyOf(values.reason), key, ...answers });
      onDone(outcomeText(answer));
    });
  const refuse = async (values: { reason: string }) => {
    await api('POST queue/refuse-refund', bodyOf(values.reason));
    onDone(t('queue.refundRefused'));
  };
  return (
    <FormDialog
      title={t('queue.refundTitle', { amount: money(order.amount, order.currency) })}
      fields={why}
      t={t}
      start={{ reason: '' }}
      submit={t('refunds.make')}
      kind="danger"
      disabled={!ready}
      onClose={onClose}
      onSubmit={refund}
      more={({ busy, values, submit }, isBlank) =>
        order.kind === 'refund' && (
          <Button kind="secondary" loading={busy} disabled={isBlank} onClick={() => submit(() => refuse(values))}>
            {t('queue.refuse')}
          </Button>
        )
      }
    >
      {questions}
    </FormDialog>
  );
}
