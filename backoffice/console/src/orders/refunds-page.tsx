import type { WaitingRefund, WaitingWalletAction } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { invalidate } from '@shop/shared/query';
import { Button, confirm, toast } from '@shop/shared/ui';
import type { ReactNode } from 'react';
import { api, useApi } from '../api';
import { Fault, List, Section, useAction } from '../kit/parts';
import { useTexts } from '../texts';
import { outcomeText, useRefund } from './use-refund';

const polling = { watch: true, inOneLanguage: true, refetchInterval: 15_000, refetchOnWindowFocus: true };

export function RefundsPage() {
  const { t } = useTexts();
  const wallet = useApi('GET wallet', {}, polling);
  return (
    <>
      <h1>{t('refunds.title')}</h1>
      <p className="hint">{t('refunds.hint')}</p>
      <List query={useApi('GET refunds', {}, polling)} empty={t('refunds.empty')} lines={4}>
        {(refund) => (
          <WaitingItem key={refund.id} of="refunds" waiting={refund} question={t('refunds.agreeAsk', amountOf(refund))}>
            {t(`refunds.to.${refund.target === 'source' ? 'source' : 'wallet'}`)} ·{' '}
            <a href={`#/order/${refund.order_no}`}>{refund.name}</a>
          </WaitingItem>
        )}
      </List>
      {wallet.error || wallet.data?.length ? (
        <Section title={t('wallet.waiting')}>
          <List query={wallet} empty={t('none')}>
            {(action) => <WaitingWalletItem key={action.id} waiting={action} />}
          </List>
        </Section>
      ) : null}
    </>
  );
}

const amountOf = ({ amount, currency }: WaitingRefund | WaitingWalletAction) => ({ amount: money(amount, currency) });

function WaitingWalletItem({ waiting }: { waiting: WaitingWalletAction }) {
  const { t } = useTexts();
  const kind = t(`wallet.kinds.${waiting.kind}`);
  return (
    <WaitingItem of="wallet" waiting={waiting} question={t('wallet.agreeAsk', { kind, ...amountOf(waiting) })}>
      <a href={`#/shopper/${waiting.user_id}`}>{kind}</a>
    </WaitingItem>
  );
}

interface WaitingItemProps {
  of: 'refunds' | 'wallet';
  waiting: WaitingRefund | WaitingWalletAction;
  question: string;
  children: ReactNode;
}

/** A second staff member approves or refuses it, or its requester withdraws it. */
function WaitingItem({ of, waiting, question, children }: WaitingItemProps) {
  const { t } = useTexts();
  const { ready, questions, send } = useRefund();
  const { busy, fault, run } = useAction({ inline: true });
  const { id, mine, reason } = waiting;
  const ask = { title: question, content: reason, confirmText: t('refunds.agree'), danger: true };
  const agree = async () => {
    if (!(await confirm(ask))) return;
    await send(async ({ answers }) =>
      toast.success(outcomeText(of, await api(`POST ${of}/agree`, { id, ...answers }))),
    );
    await invalidate([of]);
  };
  const refuse = async () => {
    await api(`POST ${of}/refuse`, { id });
    await invalidate([of]);
  };
  return (
    <article className="card">
      <p>
        <strong>{amountOf(waiting).amount}</strong> · {children}
      </p>
      <p>{reason}</p>
      <p className="hint">
        {t('refunds.asked', { name: waiting.asked_by })} · {formatDate(waiting.asked_at)}
      </p>
      {fault && <Fault>{fault}</Fault>}
      {questions}
      <div className="row">
        {!mine && (
          <Button kind="danger" loading={busy} disabled={!ready} onClick={() => void run(agree)}>
            {t('refunds.agree')}
          </Button>
        )}
        <Button kind="secondary" disabled={busy} onClick={() => void run(refuse)}>
          {t(mine ? 'refunds.takeBack' : 'refunds.refuse')}
        </Button>
      </div>
    </article>
  );
}
