import type { PageMap } from '@shop/release/contract';
import { configureHttp } from '@shop/shared/http';
import { QueryClientProvider, queryClient, resetQueries } from '@shop/shared/query';
import { RouterProvider } from '@shop/shared/router';
import { SessionProvider } from '@shop/shared/session';
import { autorun, reaction } from '@shop/shared/state';
import { notify, toast } from '@shop/shared/ui';
import type { ReactElement } from 'react';
import { AppConfigStore } from '../config/app-config.store';
import { CouponPromptStore } from '../coupon/coupon-prompt.store';
import { mayEnter, routeOf } from '../guard/guard';
import { NavigationStore } from '../layout/navigation.store';
import { OverlayStore } from '../layout/overlay.store';
import { PreferencesStore } from '../preferences/preferences.store';
import { report, visitOf } from '../releases/health';
import { ReleasesStore } from '../releases/releases.store';
import { createRemoteLoader, type RemoteLoader } from '../releases/remote-loader';
import { greetingOf } from '../session/greeting';
import { SessionStore } from '../session/session.store';
import { type Shell, ShellProvider } from '../shell-context';
import { t } from '../texts';
import { createRemoteSession } from './remote-session';
import { createShopRouter } from './router';

export interface CreatedShell {
  shell: Shell;
  element: ReactElement;
  /** Removes the listeners outside the React tree. */
  dispose: () => void;
}

/** The composition root: creates the stores and connects them. Tests replace `loader`. */
export function createShell(options: { map: PageMap; visitor: number; loader?: RemoteLoader }): CreatedShell {
  const session = new SessionStore();
  const releases = new ReleasesStore(options.map, options.visitor);
  const shell: Shell = {
    session,
    releases,
    preferences: new PreferencesStore(),
    appConfig: new AppConfigStore(),
    overlays: new OverlayStore(session.declineLogin),
    navigation: new NavigationStore(),
    coupons: new CouponPromptStore(),
    loader: options.loader ?? createReportingLoader(releases),
  };
  shell.preferences.restore();
  session.restore();
  const disposers = [applyToDocument(shell), refetchOnLanguageChange(shell), followOtherTabs(shell)];

  // Before the router: its first loader makes calls.
  let navigate: (path: string) => void = () => {};
  configureShopHttp(shell, (path) => navigate(path));
  const router = createShopRouter(shell);
  navigate = (path) => void router.navigate(path);
  connectSession(shell);

  return {
    shell,
    element: (
      <ShellProvider value={shell}>
        <SessionProvider value={createRemoteSession(shell)}>
          <QueryClientProvider client={queryClient}>
            {/* A transition would render in slices, with frames of the old page in between. */}
            <RouterProvider router={router} useTransitions={false} />
          </QueryClientProvider>
        </SessionProvider>
      </ShellProvider>
    ),
    dispose: () => {
      for (const dispose of disposers) dispose();
      router.dispose();
    },
  };
}

function createReportingLoader(releases: ReleasesStore): RemoteLoader {
  return createRemoteLoader({
    onFailure: ({ name, version, page, recovered, message }) => {
      console.warn(`${name}@${version} ${page} did not load: ${message}`);
      report(visitOf(name, version, page), 'load', { recovered });
    },
    onRun: (release) => releases.noteRun(release),
    isStale: (release) => releases.isStale(release),
  });
}

function configureShopHttp({ session, preferences, releases }: Shell, navigate: (path: string) => void): void {
  configureHttp({
    token: () => session.token,
    language: () => preferences.language,
    currency: () => preferences.currency,
    onUnauthorized: () => session.expire(!mayEnter(routeOf(releases.routes, window.location.pathname), false)),
    onForbidden: () => navigate('/403'),
    onNotice: (message) => message && notify.danger(message),
    offlineText: () => t('offline.refused'),
  });
}

function connectSession({ session, coupons, overlays }: Shell): void {
  session.connect({
    onSignedIn: (user) => {
      const greeting = greetingOf(new Date().getHours());
      toast.success(t(`greeting.${greeting}`, { name: user.nickname || user.phone }));
    },
    onTokenMissing: () => toast.error(t('login.abnormal')),
    checkCoupon: () => void coupons.check(),
    onSignedOut: coupons.hide,
    onExpired: () => overlays.openLogin(),
    onSignedInElsewhere: overlays.closeAccount,
    // A full load: memory still holds the previous user's pages and data.
    onUserChanged: () => window.location.assign('/home'),
  });
}

/** Sets theme and language on the document, and follows the device's theme. */
function applyToDocument({ preferences }: Shell): () => void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const followSystem = () => preferences.setSystemTheme(dark.matches ? 'dark' : 'light');
  followSystem();
  dark.addEventListener('change', followSystem);
  const stop = autorun(() => {
    document.documentElement.dataset.theme = preferences.theme;
    document.documentElement.lang = preferences.language;
    document
      .querySelector('meta[name="theme-color"]')
      ?.setAttribute('content', preferences.theme === 'dark' ? '#14141c' : '#ffffff');
  });
  return () => {
    dark.removeEventListener('change', followSystem);
    stop();
  };
}

/** The server words and prices its answers by language. */
function refetchOnLanguageChange({ session, preferences, appConfig }: Shell): () => void {
  return reaction(
    () => preferences.language,
    () => {
      void resetQueries();
      void appConfig.reload();
      if (session.hasToken) void session.refreshUser().catch(() => {});
    },
  );
}

function followOtherTabs({ session, preferences }: Shell): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    preferences.followStorage(key);
    session.followStorage(key);
  };
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
