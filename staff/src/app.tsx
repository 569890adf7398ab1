import type { StaffMe } from '@shop/server/wire';
import { queryClient } from '@shop/shared/query';
import { ErrorState, IconButton } from '@shop/shared/ui';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { AccountPage } from './account-page';
import { call, StaffApiError, UNAUTHORIZED, whenSignedOut } from './api';
import { usePlace } from './location';
import { PeoplePage } from './people-page';
import { toggleLanguage, toggleTheme } from './preferences';
import { MeProvider, mayUse } from './session';
import { SignInPage } from './sign-in-page';
import { t as text, useTexts } from './texts';

type Session =
  | { state: 'unknown' }
  | { state: 'out' }
  | { state: 'failed'; error: unknown }
  | { state: 'in'; me: StaffMe };

export function App() {
  const { language } = useTexts();
  const [session, setSession] = useState<Session>({ state: 'unknown' });
  const forget = useCallback(() => {
    queryClient.clear();
    setSession({ state: 'out' });
  }, []);
  const look = useCallback(() => {
    call<StaffMe>('session').then(
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
  useEffect(() => {
    document.title = text('title', { lng: language });
  }, [language]);

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
    void call('session', { method: 'DELETE' })
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
  title: string;
  render(parts: string[]): ReactNode;
}

function Console({ me, onSignOut }: { me: StaffMe; onSignOut(): void }) {
  const { t } = useTexts();
  const place = usePlace();
  const pages: Page[] = [
    ...(mayUse(me) ? [{ place: 'people', title: t('nav.people'), render: () => <PeoplePage /> }] : []),
    { place: 'account', title: t('nav.account'), render: () => <AccountPage onSignOut={onSignOut} /> },
  ];
  const page = pages.find((one) => one.place === place[0]) ?? pages[0];
  return (
    <>
      <header className="top">
        <nav aria-label={t('nav.label')}>
          {pages.map(({ place: to, title }) => (
            <a key={to} href={`#/${to}`} aria-current={to === page?.place ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <Preferences />
      </header>
      <main className="page" key={page?.place}>
        {page?.render(place.slice(1))}
      </main>
    </>
  );
}

function Preferences() {
  const { t, language } = useTexts();
  return (
    <div className="preferences">
      <button type="button" className="plain" lang={language === 'en' ? 'zh-CN' : 'en'} onClick={toggleLanguage}>
        {t('language')}
      </button>
      <IconButton icon="moon" label={t('theme')} onClick={toggleTheme} />
    </div>
  );
}
