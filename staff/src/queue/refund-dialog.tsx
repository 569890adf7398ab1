import type { QueueOrder, StaffRefundAnswer } from '@shop/server/wire';
import { Button, Dialog } from '@shop/shared/ui';
import { useState } from 'react';
import { post } from '../api';
import { money } from '../format';
import { Area } from '../parts';
import { outcomeText } from '../refunds/outcome';
import { useRefund } from '../refunds/use-refund';
import { useTexts } from '../texts';

interface RefundDialogProps {
  order: QueueOrder;
  onClose(): void;
  onDone(text: string): void;
}

/** Pays all that is left back to the wallet, or refuses the wish for it. The same key again is the same refund. */
export function RefundDialog({ order, onClose, onDone }: RefundDialogProps) {
  const { t } = useTexts();
  const [reason, setReason] = useState('');
  const { busy, ready, asked, send } = useRefund();
  const body = { order_no: order.order_no, reason: reason.trim() };
  const refund = () =>
    send(async ({ key, answers }) => {
      onDone(outcomeText(await post<StaffRefundAnswer>('queue/refund', { ...body, key, ...answers })));
    });
  const refuse = () =>
    send(async () => {
      await post('queue/refuse-refund', body);
      onDone(t('queue.refundRefused'));
    });
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('queue.refundTitle', { amount: money(order.amount, order.currency) })}
      actions={
        <>
          <Button kind="secondary" onClick={onClose}>
            {t('cancel')}
          </Button>
          {order.kind === 'refund' && (
            <Button kind="secondary" loading={busy} disabled={body.reason === ''} onClick={() => void refuse()}>
              {t('queue.refuse')}
            </Button>
          )}
          <Button kind="danger" loading={busy} disabled={body.reason === '' || !ready} onClick={() => void refund()}>
            {t('queue.refundNow')}
          </Button>
        </>
      }
    >
      <Area
        label={t('queue.why')}
        hint={t('queue.whyHint')}
        rows={3}
        value={reason}
        onValue={setReason}
        maxLength={500}
        data-autofocus
      />
      {asked}
    </Dialog>
  );
}
