import type { WaitingRefund, WaitingWalletAction } from '@shop/backoffice/wire';
import { formatDate } from '@shop/shared/i18n';
import { formatMoney as money } from '@shop/shared/money';
import { toast } from '@shop/shared/ui';
import type { ReactNode } from 'react';
import { api, useApi } from '../api';
import { ActionButton } from '../kit/action-form';
import { List, Section } from '../kit/parts';
import { useTexts } from '../texts';
import { outcomeText, useRefund } from './refund';

const polling = { watch: true, inOneLanguage: true, refetchInterval: 15_000, refetchOnWindowFocus: true };

export function RefundsPage() {
  const { t } = useTexts();
  const wallet = useApi('GET wallet', {}, polling);
  return (
    <>
      <h1>{t('nav.refunds')}</h1>
      <p className="hint">{t('refunds.hint')}</p>
      <List query={useApi('GET refunds', {}, polling)} empty={t('refunds.empty')}>
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
            {(action) => {
              const kind = t(`wallet.kinds.${action.kind}`);
              const question = t('wallet.agreeAsk', { kind, ...amountOf(action) });
              return (
                <WaitingItem key={action.id} of="wallet" waiting={action} question={question}>
                  <a href={`#/shopper/${action.user_id}`}>{kind}</a>
                </WaitingItem>
              );
            }}
          </List>
        </Section>
      ) : null}
    </>
  );
}

const amountOf = ({ amount, currency }: WaitingRefund | WaitingWalletAction) => ({ amount: money(amount, currency) });

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
  const { id, mine, reason } = waiting;
  const agree = () =>
    send(async ({ answers }) => toast.success(outcomeText(await api(`POST ${of}/agree`, { id, ...answers }))));
  return (
    <article className="card">
      <p>
        <strong>{amountOf(waiting).amount}</strong> · {children}
      </p>
      <p>{reason}</p>
      <p className="hint">
        {t('refunds.asked', { name: waiting.asked_by })} · {formatDate(waiting.asked_at)}
      </p>
      {questions}
      <div className="row">
        {!mine && (
          <ActionButton
            kind="danger"
            disabled={!ready}
            question={{ title: question, content: reason, confirmText: t('refunds.agree'), danger: true }}
            action={agree}
            changes={[of]}
          >
            {t('refunds.agree')}
          </ActionButton>
        )}
        <ActionButton action={() => api(`POST ${of}/refuse`, { id })} changes={[of]}>
          {t(mine ? 'refunds.takeBack' : 'refunds.refuse')}
        </ActionButton>
      </div>
    </article>
  );
}
