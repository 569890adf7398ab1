import type { QueueOrder } from '@shop/server/wire';
import { Button } from '@shop/shared/ui';
import { api } from '../api';
import { money } from '../format';
import { FormDialog } from '../forms/act-form';
import type { FieldSpec } from '../forms/fields';
import { outcomeText } from '../refunds/outcome';
import { useRefund } from '../refunds/use-refund';
import { type t as text, useTexts } from '../texts';

interface RefundDialogProps {
  order: QueueOrder;
  onClose(): void;
  onDone(text: string): void;
}

const fields: FieldSpec<{ reason: string }, Parameters<typeof text>[0]>[] = [
  {
    kind: 'area',
    name: 'reason',
    label: 'queue.why',
    hint: 'queue.whyHint',
    rows: 3,
    maxLength: 500,
    required: true,
    'data-autofocus': true,
  },
];

/** Pays all that is left back to the wallet, or refuses the wish for it. The same key again is the same refund. */
export function RefundDialog({ order, onClose, onDone }: RefundDialogProps) {
  const { t } = useTexts();
  const { ready, asked, send } = useRefund();
  const bodyOf = (reason: string) => ({ order_no: order.order_no, reason: reason.trim() });
  const refund = ({ reason }: { reason: string }) =>
    send(async ({ key, answers }) =>
      onDone(outcomeText(await api('POST queue/refund', { ...bodyOf(reason), key, ...answers }))),
    );
  const refuse = async ({ reason }: { reason: string }) => {
    await api('POST queue/refuse-refund', bodyOf(reason));
    onDone(t('queue.refundRefused'));
  };
  return (
    <FormDialog
      title={t('queue.refundTitle', { amount: money(order.amount, order.currency) })}
      fields={fields}
      t={t}
      start={{ reason: '' }}
      submit={t('queue.refundNow')}
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
      {asked}
    </FormDialog>
  );
}
