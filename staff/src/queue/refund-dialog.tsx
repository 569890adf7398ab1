import type { QueueOrder, StaffRefundAnswer } from '@shop/server/wire';
import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { Button, Checkbox, Dialog } from '@shop/shared/ui';
import { useState } from 'react';
import { post, StaffApiError } from '../api';
import { money } from '../format';
import { Area, Fault, faultText } from '../parts';
import { outcomeText } from '../refunds/outcome';
import { useTexts } from '../texts';

interface RefundDialogProps {
  order: QueueOrder;
  onClose(): void;
  onDone(text: string): void;
}

/** Pays all that is left back to the wallet, or refuses the wish for it. The same key again is the same refund. */
export function RefundDialog({ order, onClose, onDone }: RefundDialogProps) {
  const { t } = useTexts();
  const [key] = useState(() => crypto.randomUUID());
  const [reason, setReason] = useState('');
  const [fault, setFault] = useState<unknown>(null);
  const [agreed, setAgreed] = useState(false);
  const [busy, setBusy] = useState(false);
  const code = fault instanceof StaffApiError ? fault.code : undefined;
  const question =
    code === ErrorCode.SupplierRequestOpen
      ? 'notDelivered'
      : code === StaffErrorCode.CodesRevealed
        ? 'revealed'
        : undefined;
  const body = { order_no: order.order_no, reason: reason.trim() };
  const send = async (work: () => Promise<string>) => {
    setBusy(true);
    try {
      onDone(await work());
    } catch (error) {
      setAgreed(false);
      setFault(error);
    } finally {
      setBusy(false);
    }
  };
  const refund = () =>
    send(async () => {
      const answer = await post<StaffRefundAnswer>('queue/refund', {
        ...body,
        key,
        ...(question === 'notDelivered' && { not_delivered: agreed }),
        ...(question === 'revealed' && { revealed_ok: agreed }),
      });
      return outcomeText(answer);
    });
  const refuse = () =>
    send(async () => {
      await post('queue/refuse-refund', body);
      return t('queue.refundRefused');
    });
  const isReady = body.reason !== '' && (!question || agreed);
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
          <Button kind="danger" loading={busy} disabled={!isReady} onClick={() => void refund()}>
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
      {fault !== null && <Fault>{faultText(fault)}</Fault>}
      {question && (
        <Checkbox checked={agreed} onChange={setAgreed}>
          {t(`queue.${question}`)}
        </Checkbox>
      )}
    </Dialog>
  );
}
