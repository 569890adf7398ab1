import { configureHttp } from '@shop/shared/http';
import { translate } from '@shop/shared/i18n';
import { RouterProvider } from '@shop/shared/router';
import { SessionProvider } from '@shop/shared/session';
import { autorun } from '@shop/shared/state';
import { notify, toast } from '@shop/shared/ui';
import type { ReactElement } from 'react';
import { CouponPromptStore } from '../coupon/coupon-prompt.store';
import { mayEnter, routeOf } from '../guard/guard';
import { LayoutStore } from '../layout/layout.store';
import { report } from '../releases/health';
import type { ReleaseMap } from '../releases/release-map';
import { ReleasesStore } from '../releases/releases.store';
import { createRemoteLoader, type RemoteLoader } from '../releases/remote-loader';
import { SessionStore } from '../session/session.store';
import { type Shell, ShellProvider } from '../shell-context';
import { createShopRouter } from './router';

export interface CreatedShell {
  shell: Shell;
  element: ReactElement;
  /** Ends what listens beyond the tree: the device's theme, other tabs. */
  dispose: () => void;
}

/** Puts the shell's parts together for the address of this window. `loader` is given by tests, which have no remotes. */
export function createShell(options: { map: ReleaseMap; visitor: number; loader?: RemoteLoader }): CreatedShell {
  const session = new SessionStore();
  const layout = new LayoutStore();
  const coupons = new CouponPromptStore();
  const releases = new ReleasesStore(options.map, options.visitor);
  const loader = options.loader ?? createReportingLoader(releases);
  const shell: Shell = { session, layout, coupons, releases, loader };

  session.restore();
  const stopFollowing = followDevice(session);
  const router = createShopRouterAfterHttp(shell);
  session.connect({
    onGreeting: (greeting, name) => toast.success(translate(`greeting.${greeting}`, { ns: 'shell', name })),
    onLoginWithoutToken: () => toast.error(translate('login.abnormal', { ns: 'shell' })),
    checkCoupon: () => void coupons.check(),
    onSignedOut: () => coupons.hide(),
    // Nothing of the person before may stay in memory.
    onSomebodyElse: () => window.location.assign('/home'),
  });
  const onStorage = (event: StorageEvent) => session.followStorage(event.key);
  window.addEventListener('storage', onStorage);

  return {
    shell,
    element: (
      <ShellProvider value={shell}>
        <SessionProvider value={session}>
          {/* Not as a transition: it would be drawn in slices, with frames of the old page between them. */}
          <RouterProvider router={router} useTransitions={false} />
        </SessionProvider>
      </ShellProvider>
    ),
    dispose: () => {
      stopFollowing();
      window.removeEventListener('storage', onStorage);
      router.dispose();
    },
  };
}

function createReportingLoader(releases: ReleasesStore): RemoteLoader {
  return createRemoteLoader({
    onFailure: ({ name, version, page, recovered, message }) => {
      console.warn(`${name}@${version} ${page} did not load: ${message}`);
      report({ name, version, page, recovered, kind: 'load' });
    },
    isStale: (release) => releases.isStale(release),
  });
}

/** The client must know whom to ask before the router's first loader makes a call. */
function createShopRouterAfterHttp(shell: Shell): ReturnType<typeof createShopRouter> {
  const { session } = shell;
  let leave: (path: string) => void = () => {};
  configureHttp({
    token: () => session.token,
    language: () => session.language,
    currency: () => session.currency,
    onUnauthorized: () => session.expire(!mayEnter(routeOf(shell.releases.routes, window.location.pathname), false)),
    onForbidden: () => leave('/403'),
    onNotice: (message) => message && notify.danger(message),
    offlineText: () => translate('offline.refused', { ns: 'shell' }),
  });
  const router = createShopRouter(shell);
  leave = (path) => void router.navigate(path);
  return router;
}

/** Theme and language on the document; the system's theme until the shopper chooses. */
function followDevice(session: SessionStore): () => void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const follow = () => session.setSystemTheme(dark.matches ? 'dark' : 'light');
  follow();
  dark.addEventListener('change', follow);
  const stop = autorun(() => {
    document.documentElement.dataset.theme = session.theme;
    document.documentElement.lang = session.language;
    document
      .querySelector('meta[name="theme-color"]')
      ?.setAttribute('content', session.theme === 'dark' ? '#14141c' : '#ffffff');
  });
  return () => {
    dark.removeEventListener('change', follow);
    stop();
  };
}
