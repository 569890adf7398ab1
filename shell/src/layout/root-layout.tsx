import { useTranslation } from '@shop/shared/i18n';
import { useLocation } from '@shop/shared/router';
import { observer } from '@shop/shared/state';
import { lazy, Suspense } from 'react';
import { useShell } from '../app/shell-context';
import { routeOf } from '../guard/guard';
import { useGuard } from '../guard/use-guard';
import { BackToTop } from './back-to-top';
import { Drawer } from './drawer';
import { KeepAliveOutlet } from './keep-alive-outlet';
import { OfflineNotice } from './offline-notice';
import { ProgressBar } from './progress-bar';
import { TabBar } from './tab-bar';
import { TopBar } from './top-bar';
import { Watermark } from './watermark';

const AccountDialogs = lazy(() => import('../login/account-dialogs'));
const CouponPrompt = lazy(() => import('../coupon/coupon-prompt'));
const SupportDialog = lazy(() => import('./support-dialog'));

/** The layout around every page: bars, drawer, dialogs, and the page itself. */
export const RootLayout = observer(function RootLayout() {
  const { t } = useTranslation('shell');
  const { session, layout, releases, coupons } = useShell();
  const { pathname } = useLocation();
  useGuard();
  const route = routeOf(releases.routes, pathname);
  const flags = route?.flags ?? { topBar: true, fixed: true, placeholder: true, back: true };
  const withTabBar = flags.tabBar === true;

  return (
    <div className={`shell${withTabBar ? ' shell--tab-bar' : ''}`}>
      <a className="shell-skip" href="#main">
        {t('skipToContent')}
      </a>
      <ProgressBar visible={layout.progressVisible} />
      <Watermark />
      {flags.topBar !== false && <TopBar route={route} flags={flags} />}
      <main
        id="main"
        tabIndex={-1}
        className={`shell-main${flags.placeholder && flags.fixed ? ' shell-main--placeholder' : ''}`}
      >
        <KeepAliveOutlet />
      </main>
      <OfflineNotice />
      {withTabBar && <TabBar />}
      <BackToTop />
      <Drawer />
      <Suspense fallback={null}>
        {session.overlay !== 'none' && <AccountDialogs />}
        {(coupons.visible || coupons.result) && <CouponPrompt />}
        {session.supportVisible && <SupportDialog />}
      </Suspense>
    </div>
  );
});
