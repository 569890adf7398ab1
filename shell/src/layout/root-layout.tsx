import { retryImport } from '@shop/shared/http';
import { useLocation } from '@shop/shared/router';
import { observer } from '@shop/shared/state';
import { classNames, Icon } from '@shop/shared/ui';
import { lazy, type ReactElement, type ReactNode, useState, useSyncExternalStore } from 'react';
import { routeOf } from '../guard/guard';
import { useGuard } from '../guard/use-guard';
import { loadAccountDialogs } from '../login/load-account-dialogs';
import { useShell } from '../shell-context';
import { useTexts } from '../texts';
import { BackToTop } from './back-to-top';
import { PartBoundary } from './boundary';
import { KeepAliveOutlet } from './keep-alive-outlet';
import { PageHead, TopBar } from './top-bar';
import { Watermark } from './watermark';
import './root-layout.css';

/** A separate observer, so that a navigation does not render the whole layout again. Timings are in the CSS. */
const ProgressBar = observer(function ProgressBar() {
  const { navigation } = useShell();
  return (
    <div className={`shell-progress${navigation.progressVisible ? ' shell-progress--on' : ''}`} aria-hidden="true" />
  );
});

function subscribeToConnection(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** The live region is always rendered: screen readers announce only text that is added to an existing one. */
function OfflineNotice(): ReactNode {
  const { t } = useTexts();
  const online = useSyncExternalStore(
    subscribeToConnection,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status" className="shell-offline">
      {!online && (
        <span className="shell-offline__text ui-row ui-gap-2">
          <Icon name="alert" size={16} /> {t('offline.notice')}
        </span>
      )}
    </div>
  );
}

/** The same width as in the CSS of shell and kit. */
const desktop = '(min-width: 960px)';

function subscribeToWidth(listener: () => void): () => void {
  const media = window.matchMedia(desktop);
  media.addEventListener('change', listener);
  return () => media.removeEventListener('change', listener);
}

const part = (element: ReactElement) => <PartBoundary>{element}</PartBoundary>;

const Footer = lazy(() => retryImport(() => import('./footer')));

/** Only the desktop layout loads its code (docs/product.md#layout). Rendered documents contain both layouts. */
function DesktopFooter(): ReactNode {
  const isDesktop = useSyncExternalStore(
    subscribeToWidth,
    () => window.matchMedia(desktop).matches,
    () => true,
  );
  return isDesktop && part(<Footer />);
}

/** A constant element, so that a render around it does not replace the hydrated footer before its code has loaded. */
const footer = <DesktopFooter />;

const AccountDialogs = lazy(loadAccountDialogs);
const CouponPrompt = lazy(() => retryImport(() => import('../coupon/coupon-prompt')));
const Drawer = lazy(() => retryImport(() => import('./drawer')));
const SupportDialog = lazy(() => retryImport(() => import('./support-dialog')));

export const RootLayout = observer(function RootLayout() {
  const { t } = useTexts();
  const { overlays, releases, coupons } = useShell();
  const { pathname } = useLocation();
  // Mounted from the first opening on, so that closing is animated.
  const [drawerMounted, setDrawerMounted] = useState(false);
  if (overlays.drawerVisible && !drawerMounted) setDrawerMounted(true);
  useGuard();
  const route = routeOf(releases.routes, pathname);
  const flags = route?.flags ?? { topBar: true, fixed: true, placeholder: true, back: true };
  const withTabBar = flags.tabBar === true;
  const promptIsFree =
    coupons.visible &&
    pathname === '/home' &&
    !coupons.isGreeting &&
    overlays.account === 'none' &&
    !overlays.drawerVisible &&
    !overlays.supportVisible;

  return (
    <div className={`shell${withTabBar ? ' shell--tab-bar' : ''}`} data-early-presses="">
      <a className="shell-skip" href="#main">
        {t('skipToContent')}
      </a>
      <ProgressBar />
      <Watermark />
      {flags.topBar !== false && <TopBar route={route} flags={flags} />}
      <main
        id="main"
        tabIndex={-1}
        className={classNames(
          'shell-main',
          flags.placeholder && flags.fixed && 'shell-main--placeholder',
          flags.transparent && 'shell-main--transparent',
        )}
      >
        <PageHead route={route} flags={flags} />
        <KeepAliveOutlet />
      </main>
      <OfflineNotice />
      <BackToTop />
      {footer}
      {drawerMounted && part(<Drawer />)}
      {overlays.account !== 'none' && part(<AccountDialogs />)}
      {(promptIsFree || coupons.result) && part(<CouponPrompt />)}
      {overlays.supportVisible && part(<SupportDialog />)}
    </div>
  );
});
