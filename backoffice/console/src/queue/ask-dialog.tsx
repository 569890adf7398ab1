import type { QueueOrder } from '@shop/server/wire';
import { invalidate } from '@shop/shared/query';
import { toast } from '@shop/shared/ui';
import { api } from '../api';
import { FormDialog } from '../forms/act-form';
import type { FieldSpec } from '../forms/fields';
import { type t as text, useTexts } from '../texts';

const fields: FieldSpec<{ question: string }, Parameters<typeof text>[0]>[] = [
  {
    kind: 'area',
    name: 'question',
    label: 'queue.question',
    hint: 'queue.questionHint',
    rows: 3,
    maxLength: 300,
    required: true,
    'data-autofocus': true,
  },
];

/** The buyer finds the question among the notices and on the order's page, and answers it there. */
export function AskDialog({ order, onClose }: { order: QueueOrder; onClose(): void }) {
  const { t } = useTexts();
  const ask = async ({ question }: { question: string }) => {
    await api('POST queue/ask', { order_no: order.order_no, question: question.trim() });
    toast.success(t('queue.askedNow'));
    await invalidate(['queue']);
    onClose();
  };
  return (
    <FormDialog
      title={t('queue.ask')}
      fields={fields}
      t={t}
      start={{ question: '' }}
      submit={t('queue.askNow')}
      onClose={onClose}
      onSubmit={ask}
    />
  );
}
