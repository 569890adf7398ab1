import type { StaffMe } from '@shop/server/wire';
import { queryClient } from '@shop/shared/query';
import { Button, Dialog, ErrorState, IconButton, Tag } from '@shop/shared/ui';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { api, forgetFirstCalls, StaffApiError, UNAUTHORIZED, useApi, whenSignedOut } from './api';
import { useKeys } from './keys';
import { go, useFragment, usePlace } from './location';
import {
  AccountPage,
  ArticlesPage,
  AuditPage,
  CouponsPage,
  EnquiriesPage,
  FiguresPage,
  FindPage,
  GoodsPage,
  HomePage,
  loadPages,
  OrderPage,
  PageFrame,
  PeoplePage,
  RefundsPage,
  ReleasesPage,
  SetupPage,
  ShopperPage,
  StockPage,
} from './pages';
import { toggleLanguage, toggleTheme } from './preferences';
import { QueuePage } from './queue/queue-page';
import { MeProvider, mayRelease, mayUse } from './session';
import { SignInPage } from './sign-in-page';
import { t as text, useTexts } from './texts';

/** After the first view. */
const IDLE_MS = 2_000;

type Session =
  | { state: 'unknown' }
  | { state: 'out' }
  | { state: 'failed'; error: unknown }
  | { state: 'in'; me: StaffMe };

export function App() {
  const { language } = useTexts();
  useEffect(() => {
    document.title = text('title', { lng: language });
  }, [language]);
  return location.pathname === '/staff/setup' ? <SetupFrame /> : <SignedInOrOut />;
}

/** Where a one-time address leads. Leaves with a new document: the address is of no use any more. */
function SetupFrame() {
  const token = useFragment();
  return (
    <>
      <header className="top">
        <Preferences />
      </header>
      <PageFrame>
        <SetupPage key={token} token={token} onDone={() => location.replace('/staff')} />
      </PageFrame>
    </>
  );
}

function SignedInOrOut() {
  const [session, setSession] = useState<Session>({ state: 'unknown' });
  const forget = useCallback(() => {
    queryClient.clear();
    forgetFirstCalls();
    setSession({ state: 'out' });
  }, []);
  const look = useCallback(() => {
    api('GET session').then(
      (me) => setSession({ state: 'in', me }),
      (error) => {
        const isOut = error instanceof StaffApiError && error.code === UNAUTHORIZED;
        setSession(isOut ? { state: 'out' } : { state: 'failed', error });
      },
    );
  }, []);
  useEffect(() => {
    whenSignedOut(forget);
    look();
  }, [forget, look]);

  if (session.state === 'unknown') return null;
  if (session.state === 'failed') return <ErrorState error={session.error} onRetry={look} />;
  if (session.state === 'out') {
    return (
      <>
        <header className="top">
          <Preferences />
        </header>
        <SignInPage onSignedIn={(me) => setSession({ state: 'in', me })} />
      </>
    );
  }
  const signOut = () =>
    void api('DELETE session')
      // Where the provider signs people out too.
      .then(({ next }) => next && location.assign(next))
      .catch(() => {})
      .then(forget);
  return (
    <MeProvider value={session.me}>
      <Console me={session.me} onSignOut={signOut} />
    </MeProvider>
  );
}

interface Page {
  place: string;
  /** In the navigation. */
  title?: string;
  /** What needs somebody there. */
  count?: number;
  render(parts: string[]): ReactNode;
}

function Console({ me, onSignOut }: { me: StaffMe; onSignOut(): void }) {
  const { t } = useTexts();
  const place = usePlace();
  const [help, setHelp] = useState(false);
  const nav = useRef<HTMLElement>(null);
  const low = useLowStock(mayUse(me, 'stock'));
  useKeys({ '?': () => setHelp(true), '/': () => go('find') });
  const pages: Page[] = [
    ...(mayUse(me, 'seller')
      ? [{ place: 'queue', title: t('nav.queue'), render: ([orderNo]: string[]) => <QueuePage orderNo={orderNo} /> }]
      : []),
    ...(mayUse(me, 'seller', 'money')
      ? [
          { place: 'find', title: t('nav.find'), render: ([query]: string[]) => <FindPage query={query} /> },
          { place: 'order', render: ([orderNo]: string[]) => <OrderPage key={orderNo} orderNo={orderNo ?? ''} /> },
          { place: 'shopper', render: ([id]: string[]) => <ShopperPage key={id} id={id ?? ''} /> },
        ]
      : []),
    ...(mayUse(me, 'money') ? [{ place: 'refunds', title: t('nav.refunds'), render: () => <RefundsPage /> }] : []),
    ...(mayUse(me, 'seller')
      ? [{ place: 'enquiries', title: t('nav.enquiries'), render: () => <EnquiriesPage /> }]
      : []),
    ...(mayUse(me, 'stock')
      ? [
          { place: 'goods', title: t('nav.goods'), render: (parts: string[]) => <GoodsPage place={parts} /> },
          {
            place: 'stock',
            title: t('nav.stock'),
            count: low,
            render: (parts: string[]) => <StockPage place={parts} />,
          },
          { place: 'coupons', title: t('nav.coupons'), render: (parts: string[]) => <CouponsPage place={parts} /> },
          { place: 'home', title: t('nav.home'), render: (parts: string[]) => <HomePage place={parts} /> },
          { place: 'articles', title: t('nav.articles'), render: (parts: string[]) => <ArticlesPage place={parts} /> },
        ]
      : []),
    ...(mayUse(me, 'money') ? [{ place: 'figures', title: t('nav.figures'), render: () => <FiguresPage /> }] : []),
    ...(mayRelease(me) ? [{ place: 'releases', title: t('nav.releases'), render: () => <ReleasesPage /> }] : []),
    ...(mayUse(me) ? [{ place: 'people', title: t('nav.people'), render: () => <PeoplePage /> }] : []),
    ...(mayUse(me) ? [{ place: 'audit', title: t('nav.audit'), render: () => <AuditPage /> }] : []),
    { place: 'account', title: t('nav.account'), render: () => <AccountPage onSignOut={onSignOut} /> },
  ];
  useEffect(() => {
    const timer = setTimeout(loadPages, IDLE_MS);
    return () => clearTimeout(timer);
  }, []);
  const first = location.pathname === '/ops' ? 'releases' : '';
  const page = pages.find((one) => one.place === place[0]) ?? pages.find((one) => one.place === first) ?? pages[0];
  const shown = page?.place;
  useEffect(() => {
    const current = nav.current?.querySelector<HTMLElement>(`[href="#/${shown}"]`);
    if (nav.current && current)
      nav.current.scrollLeft = current.offsetLeft - (nav.current.clientWidth - current.offsetWidth) / 2;
  }, [shown]);
  return (
    <>
      <header className="top">
        <nav aria-label={t('nav.label')} ref={nav}>
          {pages.map(
            ({ place: to, title, count = 0 }) =>
              title && (
                <a key={to} href={`#/${to}`} aria-current={to === page?.place ? 'page' : undefined}>
                  {title}
                  {count > 0 && <Tag tone="warning">{count}</Tag>}
                </a>
              ),
          )}
        </nav>
        <Preferences onHelp={() => setHelp(true)} />
      </header>
      <Shortcuts open={help} onClose={() => setHelp(false)} />
      <main className="page" key={page?.place}>
        <PageFrame>{page?.render(place.slice(1))}</PageFrame>
      </main>
    </>
  );
}

/** How many values run out. */
function useLowStock(enabled: boolean): number {
  const { data } = useApi('GET stock/low', {}, { watch: true, refetchInterval: 60_000, enabled });
  return data?.count ?? 0;
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
  ['j / k', 'next'],
  ['Enter', 'enter'],
  ['t', 'take'],
  ['o', 'open'],
  ['d', 'deliver'],
  ['b', 'back'],
  ['a', 'ask'],
  ['h', 'hand'],
  ['r', 'refund'],
  ['/', 'find'],
  ['?', 'help'],
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
          {t('keys.close')}
        </Button>
      }
    >
      <dl className="facts">
        {shortcuts.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{t(`keys.${text}`)}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
