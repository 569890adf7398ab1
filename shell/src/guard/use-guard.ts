import { localText } from '@shop/release/contract';
import { type Location, useBlocker, useLocation, useNavigate } from '@shop/shared/router';
import { reaction } from '@shop/shared/state';
import { useEffect, useRef } from 'react';
import { type Shell, useShell } from '../shell-context';
import { useTexts } from '../texts';
import { runWechatCheck } from '../wechat/run-wechat-check';
import { mayEnter, orderOfPaySuccess, routeOf } from './guard';

/** Carries out the navigation guard around every navigation of this tab (specification, section 2). */
export function useGuard(): void {
  const shell = useShell();
  const { session, overlays, navigation, releases } = shell;
  const location = useLocation();
  const navigate = useNavigate();

  const before = ({ nextLocation }: { nextLocation: Location }): boolean => {
    startNavigation(shell);
    if (!mayEnter(routeOf(releases.routes, nextLocation.pathname), session.token !== '')) {
      overlays.openLogin(nextLocation.pathname + nextLocation.search);
      navigation.endProgress();
      return true;
    }
    if (releases.needsFullLoad) {
      // A new shell is taken at the next navigation by a full load.
      window.location.assign(nextLocation.pathname + nextLocation.search);
      return true;
    }
    return false;
  };
  const blocker = useBlocker(before);
  useEffect(() => {
    if (blocker.state === 'blocked') blocker.reset();
  }, [blocker]);

  useNavigationEffects(location);

  // The hash may change without a navigation of the router: a cashier comes back to an open tab.
  useEffect(() => {
    const onHash = () => {
      const order = orderOfPaySuccess(window.location.hash);
      if (order) void navigate(order, { replace: true });
    };
    window.addEventListener('hashchange', onHash);
    return () => window.removeEventListener('hashchange', onHash);
  }, [navigate]);

  // A session that is over leaves a guarded page; login opens and leads back after, unless the shopper signed out or declined it. While the
  // login stands over the page (`session.expired`) there still is one.
  useEffect(
    () =>
      reaction(
        () => session.hasToken,
        (hasToken) => {
          const here = window.location.pathname + window.location.search;
          if (hasToken || mayEnter(routeOf(releases.routes, window.location.pathname), false)) return;
          const wanted = session.suppressLogin ? '' : here;
          void navigate('/home', { replace: true });
          if (wanted) overlays.openLogin(wanted);
        },
      ),
    [session, overlays, releases, navigate],
  );
}

/** What comes before every navigation, also one that is stopped. */
function startNavigation({ session, appConfig, overlays, navigation }: Shell): void {
  overlays.closeDrawer();
  navigation.startProgress();
  void appConfig.load();
  void session.ensureUser();
}

function useNavigationEffects(location: Location): void {
  const shell = useShell();
  const { session, overlays, navigation, releases } = shell;
  const { t, language } = useTexts();
  const first = useRef(true);

  useEffect(() => {
    const remote = routeOf(releases.routes, location.pathname)?.remote;
    // The first navigation has met no blocker.
    if (first.current) startNavigation(shell);
    // A release that went live since the last look applies as soon as this navigation's check has answered.
    else
      void releases.check().then(() => {
        if (remote) releases.applyReleaseMap(remote);
      });
    // Whether WeChat knows the user stands in the user info.
    void session.ensureUser().then(() => runWechatCheck(shell));
    // The page that was kept beneath the login has been left.
    if (!first.current && session.expired) overlays.closeAccount();
    navigation.recordVisit(location.pathname);
    navigation.endProgress();
    if (!first.current) keepFocus();
    first.current = false;
  }, [location, shell, session, overlays, navigation, releases]);

  const route = routeOf(releases.routes, location.pathname);
  const own: Record<string, string> = { '/403': t('forbidden.title'), '/404': t('notFound.title') };
  const title = route ? localText(route.title, language) : (own[location.pathname] ?? '');
  const brand = t('brand');
  useEffect(() => {
    document.title = !title ? brand : title.includes(brand) ? title : `${title} - ${brand}`;
  }, [title, brand]);
}

/** The pressed link has gone with its page: the next Tab starts at the new page, and a screen reader reads on there. */
function keepFocus(): void {
  const { activeElement } = document;
  // React hides a kept page by style at once and draws its attribute later.
  const gone = '.shell-kept[data-away], .shell-kept[style*="display: none"]';
  const lost = !activeElement || activeElement === document.body || activeElement.closest(gone);
  if (lost) document.getElementById('main')?.focus({ preventScroll: true });
}
