import '../account.css';
import { getQuery } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { formatMoney, toMinor } from '@shop/shared/money';
import { QrCode, usePaymentResult } from '@shop/shared/payment';
import { invalidate, prefetch, useQuery } from '@shop/shared/query';
import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { Button, Card, Cell, CellGroup, Empty, PageBody, Section, Skeleton, Waiting } from '@shop/shared/ui';
import { rechargePaymentKey } from '../account.api';
import { MovementList } from '../common/movement-list';
import { useTexts } from '../texts';

const recentLogQuery = getQuery('/api/front/user/balanceLog', ['account', 'recent-log'], { limit: 5 });

export const loader = () => prefetch(recentLogQuery);

export const Component = observer(function WalletPage() {
  const { t } = useTexts();
  const session = useSession();
  const recent = useQuery(recentLogQuery);
  const { user, currency } = session;
  return (
    <PageBody className="account-columns ui-stack ui-gap-4">
      <div className="ui-stack ui-gap-4">
        <ResultCard />
        {user ? (
          <div className="account-card">
            <p>{t('wallet.available')}</p>
            <p className="account-card__amount ui-digits" translate="no">
              {formatMoney(user.balances[currency], currency)}
            </p>
            <div className="account-row ui-row ui-spread ui-wrap">
              <p>
                {t('wallet.frozen')} <span translate="no">{formatMoney(user.frozen, currency)}</span>
              </p>
              <Button to={linkTo('recharge')} kind="secondary" icon="plus">
                {t('centre.recharge')}
              </Button>
            </div>
          </div>
        ) : (
          <Skeleton shape="card" height={176} />
        )}
        {user ? (
          <CellGroup>
            {(['CNY', 'USD'] as const).map((currency) => (
              <Cell
                key={currency}
                title={t(`currency.${currency}`)}
                value={<span translate="no">{formatMoney(user.balances[currency], currency)}</span>}
              />
            ))}
          </CellGroup>
        ) : (
          <Skeleton shape="card" height={112} />
        )}
        {user && toMinor(user.frozen) > 0 ? <p className="ui-muted">{t('wallet.frozenHint')}</p> : null}
        <p className="ui-muted">{t('wallet.currencyRule')}</p>
      </div>
      <Section
        title={t('wallet.recent')}
        action={
          <Button kind="ghost" size="s" to={linkTo('log')}>
            {t('common.all')}
          </Button>
        }
      >
        {recent.data ? (
          recent.data.list.length > 0 ? (
            <Card>
              <MovementList items={recent.data.list} />
            </Card>
          ) : (
            <Empty art="wallet" title={t('wallet.emptyTitle')} description={t('wallet.emptyHint')} />
          )
        ) : (
          <Waiting query={recent} heights={[340]} />
        )}
      </Section>
    </PageBody>
  );
});

function ResultCard() {
  const { t } = useTexts();
  const session = useSession();
  const { state, payment, qr, checkAgain, forget } = usePaymentResult(rechargePaymentKey, (ended) => {
    if (ended === 'paid') void Promise.allSettled([session.refreshUser(), invalidate(['account'])]);
  });
  if (state === 'none') return null;
  const shown = state === 'checking' && qr ? 'scanning' : state;
  const amount = payment ? formatMoney(payment.amount, payment.currency) : '';
  return (
    <Card>
      {qr ? (
        <div className="account-scan ui-stack">
          <QrCode text={qr} label={t('wallet.scanLabel')} />
          {amount ? <p className="account-strong">{amount}</p> : null}
        </div>
      ) : null}
      <div className="ui-stack ui-gap-4" role="status">
        <p className={state === 'paid' ? 'account-strong ui-success' : 'account-strong'}>
          {t(`wallet.result.${shown}`, { amount })}
        </p>
        {shown !== 'paid' && <p className="ui-muted">{t(`wallet.result.${shown}Hint`)}</p>}
      </div>
      {state === 'checking' && !qr ? null : (
        <div className="account-row ui-row ui-wrap">
          {state === 'waiting' ? <Button onClick={checkAgain}>{t('wallet.checkAgain')}</Button> : null}
          {state === 'failed' ? <Button to={linkTo('recharge')}>{t('wallet.rechargeAgain')}</Button> : null}
          <Button kind="ghost" onClick={forget}>
            {t(qr ? 'wallet.scanStop' : 'wallet.dismiss')}
          </Button>
        </div>
      )}
    </Card>
  );
}
