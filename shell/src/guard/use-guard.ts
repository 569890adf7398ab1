import { useTranslation } from '@shop/shared/i18n';
import { type Location, useBlocker, useLocation, useNavigate } from '@shop/shared/router';
import { localText } from '@shop/shared/routing';
import { reaction } from '@shop/shared/state';
import { useEffect, useRef } from 'react';
import { useShell } from '../app/shell-context';
import { runWechatCheck } from '../wechat/run-wechat-check';
import { mayEnter, orderOfPaySuccess, routeOf } from './guard';

/** Carries out the navigation guard around every navigation of this tab (specification, section 2). */
export function useGuard(): void {
  const { session, layout, releases } = useShell();
  const location = useLocation();
  const navigate = useNavigate();

  const before = ({ nextLocation }: { nextLocation: Location }): boolean => {
    layout.hideDrawer();
    if (!mayEnter(routeOf(releases.routes, nextLocation.pathname), session.hasToken)) {
      session.openLogin(nextLocation.pathname + nextLocation.search);
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

  // A session that ends in the middle of a guarded page: the page is left, login opens, and leads back after.
  useEffect(
    () =>
      reaction(
        () => session.hasToken,
        (hasToken) => {
          const here = window.location.pathname + window.location.search;
          if (hasToken || mayEnter(routeOf(releases.routes, window.location.pathname), false)) return;
          const wanted = session.leaving ? '' : here;
          void navigate('/home', { replace: true });
          if (wanted) session.openLogin(wanted);
        },
      ),
    [session, releases, navigate],
  );
}

function useNavigationEffects(location: Location): void {
  const shell = useShell();
  const { session, layout, releases } = shell;
  const { language } = useTranslation('shell');
  const first = useRef(true);

  useEffect(() => {
    layout.startProgress();
    void session.loadConfig();
    void session.ensureUser();
    const remote = routeOf(releases.routes, location.pathname)?.remote;
    // A release that went live since the last look is adopted as soon as this navigation's check has answered.
    if (!first.current)
      void releases.check().then(() => {
        if (remote) releases.adopt(remote);
      });
    first.current = false;
    void runWechatCheck(shell);
    layout.recordVisit(location.pathname);
    layout.endProgress();
  }, [location, shell, session, layout, releases]);

  useEffect(() => {
    const route = routeOf(releases.routes, location.pathname);
    const brand = language === 'en' ? 'Stardot' : '星点';
    const title = route ? localText(route.title, language) : '';
    document.title = !title ? brand : title.includes(brand) ? title : `${title} - ${brand}`;
  }, [location.pathname, language, releases]);
}
