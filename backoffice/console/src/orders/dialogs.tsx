import type { QueueOrder } from '@shop/backoffice/wire';
import { formatMoney as money } from '@shop/shared/money';
import { Button } from '@shop/shared/ui';
import { api } from '../api';
import { questionRules } from '../generated/field-rules';
import { FormDialog } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import { type Key, useTexts } from '../texts';
import { outcomeText, reason, useRefund } from './use-refund';

interface DialogProps {
  order: QueueOrder;
  onClose(): void;
  onDone(text: string): void;
}

const question: FieldSpec<{ question: string }, Key>[] = [
  {
    kind: 'area',
    name: 'question',
    label: 'queue.question',
    hint: 'queue.questionHint',
    ...questionRules.question,
    'data-autofocus': true,
  },
];

/** The buyer reads the question in the notices and on the order's page, and answers it there. */
export function AskDialog({ order: { order_no }, onClose, onDone }: DialogProps) {
  const { t } = useTexts();
  return (
    <FormDialog
      title={t('queue.ask')}
      fields={question}
      t={t}
      start={{ question: '' }}
      submit={t('queue.askNow')}
      onClose={onClose}
      onSubmit={async (values) => {
        await api('POST queue/ask', { order_no, question: values.question.trim() });
        onDone(t('queue.askedNow'));
      }}
    />
  );
}

const why = [{ ...reason, 'data-autofocus': true }];

/** Refunds the rest to the wallet, or refuses the refund request. The same key again is the same refund. */
export function RefundDialog({ order, onClose, onDone }: DialogProps) {
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
