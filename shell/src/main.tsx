import '@shop/shared/ui/tokens.css';
import './styles/shell.css';
import './texts';
import { configureHttp } from '@shop/shared/http';
import { translate } from '@shop/shared/i18n';
import { RouterProvider } from '@shop/shared/router';
import { SessionProvider } from '@shop/shared/session';
import { autorun } from '@shop/shared/state';
import { notify, toast } from '@shop/shared/ui';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { LayoutStore } from './app/layout.store';
import { createShopRouter } from './app/router';
import { type Shell, ShellProvider } from './app/shell-context';
import { CouponPromptStore } from './coupon/coupon-prompt.store';
import { routeOf } from './guard/guard';
import { flush, report, reportVitals } from './releases/health';
import { adoptWhenIdle } from './releases/idle-adoption';
import { readEmbeddedMap } from './releases/release-map';
import { ReleasesStore } from './releases/releases.store';
import { createRemoteLoader } from './releases/remote-loader';
import { visitorNumber } from './releases/visitor';
import { SessionStore } from './session/session.store';

function start(): void {
  const session = new SessionStore();
  const layout = new LayoutStore();
  const coupons = new CouponPromptStore();
  const releases = new ReleasesStore(readEmbeddedMap(), visitorNumber());
  const loader = createRemoteLoader({
    onFailure: ({ name, version, page, recovered, message }) => {
      console.warn(`${name}@${version} ${page} did not load: ${message}`);
      report({ name, version, page, recovered, kind: 'load' });
    },
    isStale: (release) => releases.isStale(release),
  });
  const shell: Shell = { session, layout, coupons, releases, loader };

  session.restore();
  followDevice(session);
  const router = createShopRouterAfterHttp(shell);
  session.connect({
    onGreeting: (greeting, name) => toast.success(translate(`greeting.${greeting}`, { ns: 'shell', name })),
    onLoginWithoutToken: () => toast.error(translate('login.abnormal', { ns: 'shell' })),
    checkCoupon: () => void coupons.check(),
    onSignedOut: () => coupons.hide(),
  });
  releases.watch();
  adoptWhenIdle({ releases, loader, onScreen: () => routeOf(releases.routes, window.location.pathname) });
  reportVitals(openedPage(releases));
  window.addEventListener('pagehide', flush);
  // A phone may end a hidden tab without another word.
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && flush());
  window.addEventListener('storage', (event) => session.followStorage(event.key));

  const container = document.getElementById('root');
  if (!container) throw new Error('this page has no #root');
  createRoot(container).render(
    <StrictMode>
      <ShellProvider value={shell}>
        <SessionProvider value={session}>
          <RouterProvider router={router} />
        </SessionProvider>
      </ShellProvider>
    </StrictMode>,
  );
}

/** The page that this document was opened at, as health reports name it. */
function openedPage(releases: ReleasesStore): { name: string; version: string; page: string } | null {
  const route = routeOf(releases.routes, window.location.pathname);
  const version = route && releases.current(route.remote)?.version;
  return route && version ? { name: route.remote, version, page: route.page } : null;
}

/** The client must know whom to ask before the router's first loader makes a call. */
function createShopRouterAfterHttp(shell: Shell): ReturnType<typeof createShopRouter> {
  const { session } = shell;
  let leave: (path: string) => void = () => {};
  configureHttp({
    token: () => session.token,
    language: () => session.language,
    currency: () => session.currency,
    onUnauthorized: () => session.reset(),
    onForbidden: () => leave('/403'),
    onNotice: (message) => message && notify.danger(message),
  });
  const router = createShopRouter(shell);
  leave = (path) => void router.navigate(path);
  return router;
}

/** Theme and language on the document; the system's theme until the shopper chooses. */
function followDevice(session: SessionStore): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const follow = () => session.setSystemTheme(dark.matches ? 'dark' : 'light');
  follow();
  dark.addEventListener('change', follow);
  autorun(() => {
    document.documentElement.dataset.theme = session.theme;
    document.documentElement.lang = session.language;
    document
      .querySelector('meta[name="theme-color"]')
      ?.setAttribute('content', session.theme === 'dark' ? '#14141c' : '#ffffff');
  });
}

start();
