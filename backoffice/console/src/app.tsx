import type { StaffMe } from '@shop/backoffice/wire';
import { queryClient } from '@shop/shared/query';
import { Button, Dialog, ErrorState, Icon, IconButton, Tag } from '@shop/shared/ui';
import { type ComponentType, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { api, StaffApiError, UNAUTHORIZED, useApi, whenSignedOut } from './api';
import { dropDrafts, hasDrafts, openDrafts } from './drafts';
import { useKeys, useWindowEvent } from './keys';
import { Facts } from './kit/parts';
import { go, useFragment, usePlace } from './location';
import { QueuePage } from './orders/queue-page';
import { lazyPage, loadPages, PageFrame, type PageProps, SetupPage } from './pages';
import { toggleLanguage, toggleTheme } from './preferences';
import { MeProvider, mayUse } from './session';
import { setShopTimeZone } from './shop-time';
import { t as text, useTexts } from './texts';

const IDLE_MS = 2_000;
/** The server ends a session after half an hour without activity. */
const REPORT_ACTIVITY_MS = 60_000;

export function App() {
  const { language } = useTexts();
  useEffect(() => {
    document.title = text('title', { lng: language });
  }, [language]);
  return location.pathname === '/staff/setup' ? <SetupFrame /> : <SignedInOrOut />;
}

/** The page of an invitation. It ends with a document load, because its address is single use. */
function SetupFrame() {
  const token = useFragment();
  return (
    <GuestFrame>
      <SetupPage key={token} token={token} onDone={() => location.replace('/staff')} />
    </GuestFrame>
  );
}

const GuestFrame = ({ children }: { children: ReactNode }) => (
  <>
    <header className="line">
      <Preferences />
    </header>
    <PageFrame>{children}</PageFrame>
  </>
);

function SignedInOrOut() {
  /** null: no user is signed in; undefined: not known yet. */
  const [me, setMe] = useState<StaffMe | null>();
  const [error, setError] = useState<unknown>();
  const forget = useCallback(() => {
    queryClient.clear();
    setMe(null);
  }, []);
  const enter = useCallback((me: StaffMe) => {
    openDrafts(me.name);
    setShopTimeZone(me.time_zone);
    setMe(me);
  }, []);
  const look = useCallback(() => {
    api('GET session').then(enter, (error) => {
      if (error instanceof StaffApiError && error.code === UNAUTHORIZED) setMe(null);
      else setError(error);
    });
  }, [enter]);
  useEffect(() => {
    whenSignedOut(forget);
    look();
  }, [forget, look]);
  useWindowEvent('beforeunload', (event) => hasDrafts() && event.preventDefault());

  if (me === undefined) return error ? <ErrorState error={error} onRetry={look} /> : null;
  if (me === null)
    return (
      <GuestFrame>
        <SignInPage onSignedIn={enter} />
      </GuestFrame>
    );
  const signOut = () =>
    void api('DELETE session')
      .catch(() => {})
      .then(() => {
        dropDrafts();
        forget();
      });
  return (
    <MeProvider value={me}>
      <Console me={me} onSignOut={signOut} />
    </MeProvider>
  );
}

const SignInPage = lazyPage(async () => (await import('./people/sign-in-page')).SignInPage);
const FreshCodeDialog = lazyPage(async () => (await import('./people/sign-in-page')).FreshCodeDialog);

const pages = {
  queue: QueuePage,
  find: lazyPage(async () => (await import('./orders/find-page')).FindPage),
  orders: lazyPage(async () => (await import('./orders/list-page')).OrdersPage),
  refunds: lazyPage(async () => (await import('./orders/refunds-page')).RefundsPage),
  enquiries: lazyPage(async () => (await import('./orders/enquiries-page')).EnquiriesPage),
  holds: lazyPage(async () => (await import('./orders/holds-page')).HoldsPage),
  goods: lazyPage(async () => (await import('./catalogue/goods-page')).GoodsPage),
  stock: lazyPage(async () => (await import('./catalogue/stock-page')).StockPage),
  coupons: lazyPage(async () => (await import('./catalogue/coupons-page')).CouponsPage),
  levels: lazyPage(async () => (await import('./catalogue/levels-page')).LevelsPage),
  suppliers: lazyPage(async () => (await import('./catalogue/suppliers-page')).SuppliersPage),
  home: lazyPage(async () => (await import('./shop/home-page')).HomePage),
  articles: lazyPage(async () => (await import('./shop/articles-page')).ArticlesPage),
  releases: lazyPage(async () => (await import('./releases/releases-page')).ReleasesPage),
  notices: lazyPage(async () => (await import('./notices/chats-page')).ChatsPage),
  reports: lazyPage(async () => (await import('./reports/reports-page')).ReportsPage),
  people: lazyPage(async () => (await import('./people/people-page')).PeoplePage),
  audit: lazyPage(async () => (await import('./reports/audit-page')).AuditPage),
  account: lazyPage(async () => (await import('./people/sign-in-page')).AccountPage),
  order: lazyPage(async () => (await import('./orders/order-page')).OrderPage),
  shopper: lazyPage(async () => (await import('./orders/shopper-page')).ShopperPage),
} as const;
type PagePlace = Exclude<keyof typeof pages, 'order' | 'shopper'>;

const groups = [
  { group: 'orders', places: ['queue', 'find', 'orders', 'refunds', 'enquiries', 'holds'] },
  { group: 'goods', places: ['goods', 'stock', 'suppliers', 'coupons', 'levels'] },
  { group: 'shop', places: ['home', 'articles'] },
  { group: 'platform', places: ['releases', 'notices'] },
  { group: 'business', places: ['reports', 'people', 'audit'] },
] as const;
const placesFor = (me: StaffMe) =>
  groups.map(({ group, places }) => ({ group, places: places.filter((place) => mayUse(me, place)) }));

/** Extends the session while the user types or clicks on a page that sends no calls. */
function useActivity() {
  const reportedAt = useRef(Date.now());
  const report = () => {
    if (Date.now() - reportedAt.current < REPORT_ACTIVITY_MS) return;
    reportedAt.current = Date.now();
    api('GET session').catch(() => {});
  };
  useWindowEvent('input', report);
  useWindowEvent('keydown', report);
  useWindowEvent('pointerdown', report);
}

function Console({ me, onSignOut }: { me: StaffMe; onSignOut(): void }) {
  const place = usePlace();
  useActivity();
  const [help, setHelp] = useState(false);
  useKeys({ '?': () => setHelp(true), '/': () => go('find') });
  useEffect(() => {
    const timer = setTimeout(loadPages, IDLE_MS);
    return () => clearTimeout(timer);
  }, []);
  const first = location.pathname === '/ops' ? 'releases' : undefined;
  const allowed: Array<keyof typeof pages> = [...placesFor(me).flatMap(({ places }) => places), 'account'];
  if (mayUse(me, 'find')) allowed.push('order', 'shopper');
  const shown = allowed.find((name) => name === place[0]) ?? allowed.find((name) => name === first) ?? allowed[0];
  const Page: ComponentType<PageProps> | undefined = shown && pages[shown];
  return (
    <div className="console">
      <Navigation me={me} shown={shown} onHelp={() => setHelp(true)} />
      <Shortcuts open={help} onClose={() => setHelp(false)} />
      <Suspense>
        <FreshCodeDialog />
      </Suspense>
      <main className="stack page" key={shown}>
        <PageFrame>{Page && <Page place={place.slice(1)} onSignOut={onSignOut} />}</PageFrame>
      </main>
    </div>
  );
}

function Navigation({ me, shown, onHelp }: { me: StaffMe; shown: string | undefined; onHelp(): void }) {
  const { t } = useTexts();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const lowStock = { watch: true, refetchInterval: 60_000, enabled: mayUse(me, 'stock') };
  const low = useApi('GET stock/low', {}, lowStock).data?.count ?? 0;
  useWindowEvent('hashchange', () => setOpen(false), open);
  const leave = ({ key }: KeyboardEvent) => {
    if (key !== 'Escape') return;
    setOpen(false);
    button.current?.focus();
  };
  useWindowEvent('keydown', leave, open);
  const link = (to: PagePlace) => (
    <a key={to} href={`#/${to}`} aria-current={to === shown ? 'page' : undefined} onClick={() => setOpen(false)}>
      {t(`nav.${to}`)}
      {to === 'stock' && low > 0 && <Tag tone="warning">{low}</Tag>}
    </a>
  );
  return (
    <header className={open ? 'side is-open' : 'side'}>
      <button
        ref={button}
        type="button"
        className="plain side__menu"
        aria-expanded={open}
        aria-controls="pages"
        onClick={() => setOpen(!open)}
      >
        <Icon name="menu" /> {t('nav.menu')}
      </button>
      <div className="side__content" id="pages">
        <nav aria-label={t('nav.label')}>
          {placesFor(me).map(
            ({ group, places }) =>
              places.length > 0 && (
                <section key={group} aria-labelledby={`pages-${group}`}>
                  <h2 id={`pages-${group}`}>{t(`nav.group.${group}`)}</h2>
                  <div className="side__links">{places.map(link)}</div>
                </section>
              ),
          )}
          <section aria-labelledby="pages-me" className="side__me">
            <h2 id="pages-me">
              {me.name} · {t(`role.${me.role}`)}
            </h2>
            <div className="side__links">{link('account')}</div>
          </section>
        </nav>
        <Preferences onHelp={onHelp} />
      </div>
    </header>
  );
}

function Preferences({ onHelp }: { onHelp?(): void }) {
  const { t, language } = useTexts();
  return (
    <div className="preferences">
      {onHelp && (
        <button type="button" className="plain help" aria-label={t('keys.title')} onClick={onHelp}>
          <kbd>?</kbd>
        </button>
      )}
      <button type="button" className="plain" lang={language === 'en' ? 'zh-CN' : 'en'} onClick={toggleLanguage}>
        {t('language')}
      </button>
      <IconButton icon="moon" label={t('theme')} onClick={toggleTheme} />
    </div>
  );
}

const shortcuts = [
  ['j / k', 'keys.next'],
  ['Enter', 'keys.enter'],
  ['t', 'keys.take'],
  ['o', 'queue.open'],
  ['d', 'keys.deliver'],
  ['Esc', 'keys.leave'],
  ['b', 'keys.back'],
  ['a', 'queue.ask'],
  ['r', 'refunds.make'],
  ['/', 'nav.find'],
  ['?', 'keys.help'],
] as const;

function Shortcuts({ open, onClose }: { open: boolean; onClose(): void }) {
  const { t } = useTexts();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('keys.title')}
      actions={
        <Button data-autofocus onClick={onClose}>
          {t('close')}
        </Button>
      }
    >
      <Facts of={shortcuts.map(([key, text]) => [<kbd key={key}>{key}</kbd>, t(text)])} />
    </Dialog>
  );
}
