import { claimCleanLoad } from '@platform/host/clean-load';
import { natives } from '@platform/host/natives';
import type { ReleasesStore } from '@platform/host/releases.store';
import { documentTitle, localText } from '@platform/releases/contract';
import { linkTo } from '@shop/shared/links';
import { type Location, useBlocker, useLocation, useNavigate, usePageTitleOf } from '@shop/shared/router';
import { reaction } from '@shop/shared/state';
import { useEffect, useRef } from 'react';
import { type Shell, useShell } from '../shell-context';
import { useTexts } from '../texts';
import { runWechatCheck } from '../wechat/run-wechat-check';
import { mayEnter, orderOfPaySuccess, routeOf } from './guard';

/**
 * Back to an earlier entry loads its document if this one is outdated. The browser is at that entry already. Call this before the router is
 * created: the router's listener would return to the current page and cancel the load, and of the window's own events Chromium calls
 * the listeners in the order of their registration. Returns a function that stops it.
 */
export function guardHistory({ session, navigation, releases }: Shell, current: () => Location): () => void {
  return natives.listen(
    window,
    'popstate',
    (event) => {
      const { pathname, search } = window.location;
      if (pathname + search === current().pathname + current().search) return;
      if (!mayEnter(routeOf(releases.routes, pathname), session.hasStoredToken()) || !needsLoad(releases)) return;
      event.stopImmediatePropagation();
      navigation.startProgress();
      loadDocument();
    },
    { capture: true },
  );
}

/** The navigation guard around every navigation of this tab (docs/product.md#navigation). */
export function useGuard(): void {
  const shell = useShell();
  const { session, overlays, navigation, releases } = shell;
  const location = useLocation();
  const navigate = useNavigate();

  const blocker = useBlocker(({ nextLocation, historyAction }) => {
    startNavigation(shell);
    if (!mayEnter(routeOf(releases.routes, nextLocation.pathname), session.hasStoredToken())) {
      void overlays.openLogin(nextLocation.pathname + nextLocation.search);
      navigation.endProgress();
      return true;
    }
    if (historyAction === 'POP' || !needsLoad(releases)) return false;
    enterHistory(nextLocation, historyAction === 'PUSH');
    loadDocument();
    return true;
  });
  useEffect(() => {
    if (blocker.state === 'blocked') blocker.reset();
  }, [blocker]);

  useNavigationEffects(location);

  // A payment page may return to an open tab by changing only the hash.
  useEffect(
    () =>
      natives.listen(window, 'hashchange', () => {
        const order = orderOfPaySuccess(window.location.hash);
        if (order) void navigate(order, { replace: true });
      }),
    [navigate],
  );

  // The end of a session leaves a guarded page and opens the login, which returns to it; so does a navigation past the blocker,
  // from a page without layout. Not while `session.expired`: the login is then over the page, and hasToken stays true.
  useEffect(() => {
    const leaveGuarded = async (hasToken: boolean) => {
      if (hasToken || mayEnter(routeOf(releases.routes, window.location.pathname), session.hasStoredToken())) return;
      const address = window.location.pathname + window.location.search;
      await navigate(linkTo('home'), { replace: true });
      if (!session.suppressLogin) void overlays.openLogin(address);
    };
    return reaction(() => session.hasToken, leaveGuarded, { fireImmediately: true });
  }, [session, overlays, releases, navigate]);
}

/** Another shell is live, or a release that ran here was rolled back. */
const needsLoad = (releases: ReleasesStore) => releases.needsFullLoad || claimCleanLoad(releases);

/** Writes the entry that the router would write, so that the next document gets its hash and state. */
function enterHistory({ pathname, search, hash, state, key }: Location, isNew: boolean): void {
  const { history } = window;
  const idx = (history.state?.idx ?? 0) + (isNew ? 1 : 0);
  const method = isNew ? 'pushState' : 'replaceState';
  history[method]({ usr: state, key, idx }, '', pathname + search + hash);
}

/** Loads the document of the current address. Scrolls to the top first, because the browser restores the scroll position after a reload. */
function loadDocument(): void {
  window.scrollTo(0, 0);
  natives.reload();
}

/** Runs before every navigation, blocked ones included. */
function startNavigation({ session, appConfig, overlays, navigation }: Shell): void {
  overlays.closeDrawer();
  navigation.startProgress();
  void appConfig.load();
  void session.ensureUser();
}

function useNavigationEffects(location: Location): void {
  const shell = useShell();
  const { session, coupons, navigation, releases } = shell;
  const { t, language } = useTexts();
  const first = useRef(true);

  useEffect(() => {
    const remote = routeOf(releases.routes, location.pathname)?.remote;
    // The blocker is not called for the first navigation.
    if (first.current) startNavigation(shell);
    else
      void releases.check().then(() => {
        if (remote) releases.applyReleaseMap(remote);
      });
    // The WeChat check needs the user's openid.
    void session.ensureUser().then(() => runWechatCheck(shell));
    void coupons.promptIfDue();
    navigation.recordVisit(location.pathname);
    navigation.endProgress();
    if (!first.current) focusNewPage();
    first.current = false;
  }, [location, shell, session, coupons, navigation, releases]);

  const route = routeOf(releases.routes, location.pathname);
  const shellTitles: Record<string, string> = { '/403': t('forbidden'), '/404': t('notFound.title') };
  const pageTitle = usePageTitleOf(location.pathname);
  const title = pageTitle ?? (route ? localText(route.title, language) : (shellTitles[location.pathname] ?? ''));
  const brand = t('brand');
  useEffect(() => {
    // The document's title is right until its page sets one.
    if (!shell.hydration) document.title = documentTitle(title, brand);
  }, [shell, title, brand]);
}

function focusNewPage(): void {
  const { activeElement } = document;
  const lost = !activeElement || activeElement === document.body || activeElement.closest('.shell-kept[data-away]');
  if (lost) document.getElementById('main')?.focus({ preventScroll: true });
}
