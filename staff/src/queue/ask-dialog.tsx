import type { QueueOrder } from '@shop/server/wire';
import { invalidate } from '@shop/shared/query';
import { Button, Dialog, toast } from '@shop/shared/ui';
import { useState } from 'react';
import { post } from '../api';
import { Area, Fault, useFormAct } from '../parts';
import { useTexts } from '../texts';

/** The buyer finds the question among the notices and on the order's page, and answers it there. */
export function AskDialog({ order, onClose }: { order: QueueOrder; onClose(): void }) {
  const { t } = useTexts();
  const [question, setQuestion] = useState('');
  const { busy, fault, act } = useFormAct();
  const ask = () =>
    act(async () => {
      await post('queue/ask', { order_no: order.order_no, question: question.trim() });
      toast.success(t('queue.askedNow'));
      await invalidate(['queue']);
      onClose();
    });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('queue.ask')}
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button loading={busy} disabled={question.trim() === ''} onClick={() => void ask()}>
            {t('queue.askNow')}
          </Button>
        </>
      }
    >
      <Area
        label={t('queue.question')}
        hint={t('queue.questionHint')}
        rows={3}
        value={question}
        onValue={setQuestion}
        maxLength={300}
        data-autofocus
      />
      {fault && <Fault>{fault}</Fault>}
    </Dialog>
  );
}
