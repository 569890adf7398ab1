import { reloadIfOutdated } from '@platform/host/clean-load';
import { report, visitOf } from '@platform/host/health';
import { natives } from '@platform/host/natives';
import type { RemoteTexts } from '@platform/host/release-assets';
import type { ReleasesStore } from '@platform/host/releases.store';
import { createRemoteLoader, type RemoteLoader } from '@platform/host/remote-loader';
import type { PageMap } from '@platform/releases/contract';
import { configureHttp } from '@shop/shared/http';
import { currentTexts, registerTexts } from '@shop/shared/i18n';
import { linkTo } from '@shop/shared/links';
import { invalidate, resetQueries } from '@shop/shared/query';
import { RouterProvider } from '@shop/shared/router';
import { autorun, reaction } from '@shop/shared/state';
import { notify } from '@shop/shared/ui';
import { mayEnter, routeOf } from '../guard/guard';
import { guardHistory } from '../guard/use-guard';
import { loadAccountDialogs } from '../login/load-account-dialogs';
import { createStores, type Shell, ShellRoot } from '../shell-context';
import { t } from '../texts';
import { runWechatCheck } from '../wechat/run-wechat-check';
import type { RenderedDocument } from './rendered-document';
import { createShopRouter } from './router';

interface ShellOptions {
  map: PageMap;
  visitor: number;
  createLoader?: typeof createReportingLoader;
  /** The document's page, rendered for a guest or this user in its language and theme; the first render must equal it. */
  rendered?: RenderedDocument;
  onHydrated?: () => void;
}

/** The composition root: creates the stores and connects them. */
export function createShell({
  map,
  visitor,
  createLoader = createReportingLoader,
  rendered,
  onHydrated,
}: ShellOptions) {
  const shell: Shell = createStores(map, visitor, createLoader);
  const { session, preferences } = shell;
  const disposers: Array<() => void> = [];
  const restore = () => {
    preferences.restore();
    session.restore();
    disposers.push(applyToDocument(shell), refetchOnLanguageChange(shell), ...followOtherTabs(shell));
  };
  let hydrated: Promise<void> | undefined;
  if (rendered) {
    preferences.startWith(rendered);
    const { user } = rendered;
    if (user) session.startWith(user);
    const restoreRendered = () => {
      restore();
      if (!session.hasToken) return;
      // A document without a user shows the answers for guests.
      void (user ? shell.coupons.check() : invalidate([]));
      // The first navigation was a guest's.
      void session.ensureUser().then(() => runWechatCheck(shell));
    };
    hydrated = new Promise((done) => {
      shell.hydration = { restore: restoreRendered, done };
    });
    // After the effect: an event forces React to hydrate the remaining parts, such as a dialog, but not during the effect.
    void hydrated.then(onHydrated);
  } else restore();

  // Before the router, because its first page makes calls.
  configureShopHttp(shell, (path) => void router.navigate(path), hydrated);
  disposers.push(guardHistory(shell, () => router.state.location));
  const router = createShopRouter(shell, rendered);
  connectSession(shell);

  return {
    shell,
    element: (
      <ShellRoot shell={shell}>
        {/* A transition would render in slices, with frames of the old page in between. */}
        <RouterProvider router={router} useTransitions={false} />
      </ShellRoot>
    ),
    dispose: () => {
      for (const dispose of disposers) dispose();
      router.dispose();
    },
  };
}

function createReportingLoader(releases: ReleasesStore): RemoteLoader {
  return createRemoteLoader({
    // It registers only what `current` returned.
    texts: { current: currentTexts, register: registerTexts as RemoteTexts['register'] },
    onFailure: ({ name, version }, page, message) => {
      console.warn(`${name}@${version} ${page}: ${message}`);
      report(visitOf(name, version, page), 'load');
    },
    onRun: (release) => releases.noteRun(release),
    isStale: (release) => releases.isStale(release),
  });
}

function configureShopHttp(
  { session, preferences, releases }: Shell,
  navigate: (path: string) => void,
  hydrated: Promise<void> | undefined,
): void {
  configureHttp({
    token: () => session.token,
    language: () => preferences.language,
    currency: () => preferences.currency,
    onUnauthorized: () => {
      const isGuarded = !mayEnter(routeOf(releases.routes, window.location.pathname), false);
      // A guarded page shows the login, which says so.
      if (session.user && !isGuarded) notify.danger(t('login.ended'));
      session.expire(isGuarded);
    },
    onForbidden: () => navigate('/403'),
    onNotice: (message) => message && notify.danger(message),
    offlineText: () => t('offline.refused'),
    untilHydrated: () => hydrated,
    onCodeLost: () => reloadIfOutdated(releases),
  });
}

function connectSession({ session, coupons, overlays }: Shell): void {
  session.connect({
    onSignedIn: (user) => {
      if (overlays.isLoginToBuy) return;
      // The greeting is left out if its code does not load.
      loadAccountDialogs().then(
        ({ greet }) => greet(user),
        () => {},
      );
      coupons.waitForGreeting();
    },
    checkCoupon: () => void coupons.check(),
    onSignedOut: coupons.hide,
    onExpired: () => void overlays.openLogin(),
    onSignedInElsewhere: () => overlays.closeAccount(true),
    // A full load, because memory still holds the previous user's pages and data.
    onUserChanged: () => window.location.assign(linkTo('home')),
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

/** The server's texts and prices depend on the language. */
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

const followOtherTabs = ({ session, preferences }: Shell): Array<() => void> => [
  natives.listen(window, 'storage', ({ key }) => {
    preferences.followStorage(key);
    session.followStorage(key);
  }),
  // A tab that was opened offline has a token and no user yet.
  natives.listen(window, 'online', () => void session.ensureUser()),
];
