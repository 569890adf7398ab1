import type { QueueOrder } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { invalidate } from '@shop/shared/query';
import { Button, CopyButton, Notice, toast } from '@shop/shared/ui';
import { type ReactNode, useEffect, useState } from 'react';
import { api } from '../api';
import { questionRules } from '../generated/field-rules';
import { useKeys } from '../keys';
import { ActionButton, FormDialog } from '../kit/action-form';
import type { FieldSpec } from '../kit/fields';
import { BackLink, Facts, useAction } from '../kit/parts';
import { type Key, useTexts } from '../texts';
import { DeliverForm } from './deliver-form';
import { outcomeText, RefundDialog, useRefund } from './refund';

/** The claim is extended before its end as long as the order is on screen. */
const RENEW_MS = 5 * 60_000;

interface PanelProps {
  order: QueueOrder;
  due: ReactNode;
  now: number;
  /** The claim is being sent; another staff member may have been first. */
  isTaking: boolean;
  onTake(): void;
  onDone(): void;
}

export function OrderPanel({ order, due, now, isTaking, onTake, onDone }: PanelProps) {
  const { t } = useTexts();
  const { taken, supplier } = order;
  const until = taken?.mine ? Date.parse(taken.until) : 0;
  useEffect(() => {
    if (!until || until - now > RENEW_MS || document.hidden) return;
    api('POST queue/take', { order_no: order.order_no }, { watch: true }).then(
      () => invalidate(['queue']),
      () => {},
    );
  }, [until, now, order.order_no]);
  return (
    <section className="card queue__order" aria-labelledby="order-title">
      <BackLink to="queue">{t('queue.back')}</BackLink>
      <div className="row">
        <h2 id="order-title" className="grow">
          {order.name}
        </h2>
        {due}
      </div>
      <Facts
        of={[
          [
            t('orderNo'),
            <a key="order" href={`#/find/${order.order_no}`}>
              {order.order_no}
            </a>,
          ],
          [t('product'), `${order.face_value} × ${order.quantity}`],
          [t('queue.amount'), money(order.amount, order.currency)],
          [t('paidAt'), formatDate(order.paid_at)],
          order.kind === 'refund' ? [t('queue.reason'), order.refund_reason || '—'] : undefined,
        ]}
      />
      {order.question && (
        <Notice tone={order.question.answered_at ? 'success' : undefined}>
          {t('queue.asked', { time: formatDate(order.question.asked_at) })} {order.question.text}
          <br />
          {order.question.answered_at
            ? t('queue.answered', { time: formatDate(order.question.answered_at) })
            : t('queue.unanswered')}
        </Notice>
      )}
      {order.disputed && <Notice tone="warning">{t('queue.disputed')}</Notice>}
      {order.codes_shown > 0 && <Notice tone="warning">{t('queue.codesShown', { count: order.codes_shown })}</Notice>}
      {supplier && supplier.state !== 'ended' && (
        <Notice tone={supplier.state === 'open' ? 'warning' : undefined}>
          {t(`queue.supplier.${supplier.state}`, { count: supplier.tries })} {supplier.detail}
        </Notice>
      )}
      {order.held && <OrderOnHold order={order} onDone={onDone} />}
      {!taken && !isTaking && (
        <div className="card__actions">
          <Button kind={order.held ? 'secondary' : 'primary'} onClick={onTake}>
            {t('queue.take')} <kbd>t</kbd>
          </Button>
        </div>
      )}
      {taken && !taken.mine && <Notice>{t('queue.takenBy', { name: taken.by })}</Notice>}
      {(isTaking || taken?.mine) && <ClaimedOrder order={order} isTaking={isTaking} onDone={onDone} />}
    </section>
  );
}

/** The reasons of a hold. One click releases or refunds the order, even if another staff member has claimed it. */
function OrderOnHold({ order, onDone }: Pick<PanelProps, 'order' | 'onDone'>) {
  const { t } = useTexts();
  const { ready, questions, send } = useRefund();
  const { order_no } = order;
  const end = (text: string) => {
    onDone();
    toast.success(text);
    return invalidate(['queue']);
  };
  const release = async () => {
    await api('POST holds/release', { order_no });
    await end(t('queue.held.released'));
  };
  const refund = () =>
    send(async ({ key, answers }) => end(outcomeText(await api('POST holds/refund', { order_no, key, ...answers }))));
  return (
    <div className="stack starts">
      <Notice tone="warning">
        {t('queue.held.why')} {order.held?.map((reason) => t(`queue.held.reasons.${reason}`)).join(' · ')}
      </Notice>
      {questions}
      <div className="row">
        <ActionButton kind="primary" disabled={order.disputed} action={release}>
          {t('queue.held.release')}
        </ActionButton>
        <ActionButton kind="danger" disabled={order.disputed || !ready} action={refund}>
          {t('queue.held.refund')}
        </ActionButton>
      </div>
    </div>
  );
}

/** The note exists while the claim is being sent, so that input meanwhile is neither lost nor taken as a key command. */
function ClaimedOrder({ order, isTaking, onDone }: Pick<PanelProps, 'order' | 'isTaking' | 'onDone'>) {
  const { t } = useTexts();
  const { order_no } = order;
  const [opened, setOpened] = useState<Record<string, string>>({});
  const [dialog, setDialog] = useState<'ask' | 'refund'>();
  const actions = useAction();
  const { run } = actions;
  const busy = actions.busy || isTaking;
  const done = async (text: string) => {
    onDone();
    setDialog(undefined);
    toast.success(text);
    await invalidate(['queue']);
  };
  const open = () => run(async () => setOpened((await api('POST queue/fields', { order_no })).fields));
  const giveBack = () =>
    run(async () => {
      await api('POST queue/give-back', { order_no });
      await done(t('queue.returned'));
    });
  const close = () => setDialog(undefined);
  useKeys({
    o: () => !busy && void open(),
    b: () => !busy && void giveBack(),
    a: () => order.kind === 'deliver' && setDialog('ask'),
    r: () => !order.disputed && setDialog('refund'),
  });
  const otherActions = (
    <>
      <Button kind="secondary" disabled={busy} onClick={() => void giveBack()}>
        {t('queue.giveBack')} <kbd>b</kbd>
      </Button>
      <Button kind="danger" disabled={busy || order.disputed} onClick={() => setDialog('refund')}>
        {t(order.kind === 'refund' ? 'queue.decide' : 'queue.refund')} <kbd>r</kbd>
      </Button>
      {order.kind === 'deliver' && (
        <Button kind="secondary" disabled={busy} onClick={() => setDialog('ask')}>
          {t('queue.ask')} <kbd>a</kbd>
        </Button>
      )}
    </>
  );
  return (
    <>
      {order.fields.length > 0 && (
        <div className="stack starts">
          <Facts
            of={order.fields.map(({ key, label, value }) => [
              label,
              <>
                {opened[key] ?? value} {opened[key] && <CopyButton text={opened[key]} label={t('copy')} />}
              </>,
            ])}
          />
          <Button kind="secondary" icon="eye" disabled={busy} onClick={() => void open()}>
            {t('queue.open')} <kbd>o</kbd>
          </Button>
          <p className="hint">{t('queue.openHint')}</p>
        </div>
      )}
      {order.kind === 'deliver' && (
        <DeliverForm
          order={order}
          isTaking={isTaking}
          otherActions={otherActions}
          onDone={() => void done(t('queue.delivered'))}
        />
      )}
      {order.kind !== 'deliver' && <div className="card__actions">{otherActions}</div>}
      {dialog === 'ask' && <AskDialog order_no={order_no} onClose={close} />}
      {dialog === 'refund' && <RefundDialog order={order} onClose={close} onDone={(text) => void done(text)} />}
    </>
  );
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
function AskDialog({ order_no, onClose }: { order_no: string; onClose(): void }) {
  const { t } = useTexts();
  return (
    <FormDialog
      title={t('queue.ask')}
      fields={question}
      t={t}
      start={{ question: '' }}
      submit={t('queue.askNow')}
      done={t('queue.askedNow')}
      changes={['queue']}
      onClose={onClose}
      onSubmit={async (values) => {
        await api('POST queue/ask', { order_no, question: values.question.trim() });
        onClose();
      }}
    />
  );
}
