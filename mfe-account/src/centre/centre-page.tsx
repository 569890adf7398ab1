import { maskIdentifier } from '@shop/shared/domain/mask-phone';
import { get, getQuery } from '@shop/shared/http';
import { linkTo } from '@shop/shared/links';
import { formatMoney } from '@shop/shared/money';
import { prefetch, queryOptions, useQuery } from '@shop/shared/query';
import { Link } from '@shop/shared/router';
import { useHydrating } from '@shop/shared/routing';
import { type Session, useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import {
  Badge,
  Button,
  Card,
  Cell,
  CellGroup,
  Icon,
  IconButton,
  PageBody,
  Section,
  Skeleton,
  Tag,
} from '@shop/shared/ui';
import { useState } from 'react';
import { couponsQuery } from '../account.api';
import { Avatar } from '../common/avatar';
import { SignOutButton } from '../common/sign-out-button';
import { LevelSheet } from '../level/level-sheet';
import { useTexts } from '../texts';
import '../account.css';
import './centre.css';

/** All users get the same answer; it is empty in a shop without levels. */
const levelsQuery = getQuery('/api/front/level/list', ['account', 'levels']);

/** The key has the prefix of the order lists, so a change of a list refetches it. */
const unpaidCountQuery = queryOptions({
  queryKey: ['orders', 'list', 'unpaid-count'],
  queryFn: async () => (await get('/api/front/order/list', { tab: 'unpaid', limit: 1 }, { quiet: true })).total,
});

const LevelCell = observer(function LevelCell() {
  const { t } = useTexts();
  const session = useSession();
  const [open, setOpen] = useState(false);
  const { data: levels = [] } = useQuery(levelsQuery);
  if (levels.length === 0 || !session.hasToken) return null;
  return (
    <>
      <CellGroup>
        <Cell icon="shield" title={t('level.title')} onClick={() => setOpen(true)} />
      </CellGroup>
      <LevelSheet open={open} onClose={() => setOpen(false)} levels={levels} />
    </>
  );
});

const hideBalanceKey = 'account.hide-balance';

function isBalanceHidden(): boolean {
  try {
    return localStorage.getItem(hideBalanceKey) === '1';
  } catch {
    return false;
  }
}

function useHiddenBalance(): [hidden: boolean, toggle: () => void] {
  const [chosen, setHidden] = useState(isBalanceHidden);
  // The server does not know this device's choice, so nothing is shown before hydration that may be hidden here.
  const hidden = useHydrating() || chosen;
  const toggle = () => {
    setHidden(!hidden);
    try {
      if (hidden) localStorage.removeItem(hideBalanceKey);
      else localStorage.setItem(hideBalanceKey, '1');
    } catch {
      // Without storage the choice lasts until the page is left.
    }
  };
  return [hidden, toggle];
}

const orderEntries = [
  { tab: 'unpaid', icon: 'wallet', key: 'centre.orderUnpaid' },
  { tab: 'processing', icon: 'clock', key: 'centre.orderProcessing' },
  { tab: 'finished', icon: 'check', key: 'centre.orderFinished' },
  { tab: 'refunded', icon: 'refresh', key: 'centre.orderRefunded' },
] as const;

/** The first tab of the coupons page has the same query, so one call serves both. */
export function loader(): void {
  prefetch(couponsQuery('1'));
  prefetch(levelsQuery);
  prefetch(unpaidCountQuery);
}

export const Component = observer(function CentrePage() {
  const { t } = useTexts();
  const session = useSession();
  const coupons = useQuery({ ...couponsQuery('1'), enabled: session.hasToken });
  const ready = coupons.data?.length ?? 0;
  const unpaid = useQuery({ ...unpaidCountQuery, enabled: session.hasToken }).data;
  return (
    <PageBody className="account-columns account-columns--centre ui-stack ui-gap-4">
      <div className="ui-stack ui-gap-4">
        <Identity session={session} />
        <LevelCell />
      </div>
      <div className="ui-stack ui-gap-4">
        <Section
          title={t('centre.orders')}
          action={
            <Button kind="ghost" size="s" to={linkTo('order-list')}>
              {t('centre.allOrders')}
            </Button>
          }
        >
          <Card as="nav" className="account-entries" aria-label={t('centre.orders')}>
            {orderEntries.map((entry) => (
              <Link
                key={entry.tab}
                className="account-entry ui-stack ui-gap-2"
                to={linkTo('order-list', {}, { tab: entry.tab })}
              >
                <Badge count={entry.tab === 'unpaid' ? unpaid : 0} label={t('centre.ordersWaiting')}>
                  <Icon name={entry.icon} size={24} />
                </Badge>{' '}
                {t(entry.key)}
              </Link>
            ))}
          </Card>
        </Section>
        <div className="account-groups ui-stack ui-gap-4">
          <CellGroup>
            <Cell icon="wallet" title={t('centre.wallet')} to={linkTo('wallet')} />
            <Cell
              icon="coupon"
              title={t('centre.coupons')}
              value={ready > 0 ? <Tag tone="accent">{t('centre.couponsReady', { count: ready })}</Tag> : undefined}
              to={linkTo('coupon')}
            />
            <Cell icon="star" title={t('centre.favourites')} to={linkTo('favourite')} />
            <Cell icon="list" title={t('centre.log')} to={linkTo('log')} />
            {session.user?.inviteCode ? <Cell icon="gift" title={t('centre.invite')} to={linkTo('invite')} /> : null}
          </CellGroup>
          <CellGroup>
            <Cell
              icon="lock"
              title={t('centre.security')}
              value={session.user && !session.user.hasPassword ? t('centre.setPassword') : undefined}
              to={linkTo('password')}
            />
            <Cell icon="support" title={t('centre.support')} onClick={() => session.openSupport()} />
            <Cell icon="business" title={t('centre.business')} to={linkTo('business')} />
            <Cell icon="user" title={t('centre.settings')} to={linkTo('setting')} />
          </CellGroup>
        </div>
      </div>
      <SignOutButton />
    </PageBody>
  );
});

const Identity = observer(function Identity({ session }: { session: Session }) {
  const { t } = useTexts();
  const user = session.user;
  const [hidden, toggle] = useHiddenBalance();
  if (!user) return <Skeleton shape="card" height={329} />;
  const name = user.nickname || t('centre.noName');
  return (
    <>
      <Card className="account-row ui-row ui-wrap">
        <Avatar src={user.avatar} name={name} />
        <div className="ui-grow">
          <p className="account-strong">{name}</p>
          <p className="ui-muted ui-nowrap" translate="no">
            {maskIdentifier(user.phone || user.signInEmail)}
          </p>
          {user.isReal === 1 ? <Tag tone="success">{t('centre.verified')}</Tag> : null}
        </div>
        <Button kind="ghost" size="s" to={linkTo('setting')}>
          {t('centre.editProfile')}
        </Button>
      </Card>
      <div className="account-card">
        <p className="account-card__label ui-row ui-gap-1">
          {t('centre.balance')}
          <IconButton
            icon={hidden ? 'eye-off' : 'eye'}
            size={18}
            label={t(hidden ? 'centre.showBalance' : 'centre.hideBalance')}
            onClick={toggle}
          />
        </p>
        <p className="account-card__amount ui-digits" translate="no">
          {hidden ? '••••••' : formatMoney(user.balances[session.currency], session.currency)}
        </p>
        <Button to={linkTo('recharge')} kind="secondary" icon="plus">
          {t('centre.recharge')}
        </Button>
      </div>
    </>
  );
});
