/** Pages whose code is not part of the first view: it comes when one is opened, and all of it once the console is idle. */
import { ErrorState } from '@shop/shared/ui';
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { Loading } from './parts';

type Load<Props> = () => Promise<{ default: ComponentType<Props> }>;
const loads: Array<() => Promise<unknown>> = [];
function page<Props extends object>(load: Load<Props>) {
  loads.push(load);
  return lazy(load);
}

export const AccountPage = page(async () => ({ default: (await import('./account-page')).AccountPage }));
export const ArticlesPage = page(async () => ({ default: (await import('./articles/articles-page')).ArticlesPage }));
export const AuditPage = page(async () => ({ default: (await import('./audit/audit-page')).AuditPage }));
export const CouponsPage = page(async () => ({ default: (await import('./coupons/coupons-page')).CouponsPage }));
export const EnquiriesPage = page(async () => ({ default: (await import('./enquiries-page')).EnquiriesPage }));
export const FiguresPage = page(async () => ({ default: (await import('./figures/figures-page')).FiguresPage }));
export const FindPage = page(async () => ({ default: (await import('./find/find-page')).FindPage }));
export const GoodsPage = page(async () => ({ default: (await import('./goods/goods-page')).GoodsPage }));
export const HomePage = page(async () => ({ default: (await import('./home/home-page')).HomePage }));
export const OrderPage = page(async () => ({ default: (await import('./find/order-page')).OrderPage }));
export const PeoplePage = page(async () => ({ default: (await import('./people-page')).PeoplePage }));
export const RefundsPage = page(async () => ({ default: (await import('./refunds/refunds-page')).RefundsPage }));
export const ReleasesPage = page(async () => ({ default: (await import('./releases/releases-page')).ReleasesPage }));
/** Not loaded by who has an account. */
export const SetupPage = lazy(async () => ({ default: (await import('./setup-page')).SetupPage }));
export const ShopperPage = page(async () => ({ default: (await import('./find/shopper-page')).ShopperPage }));
export const StockPage = page(async () => ({ default: (await import('./stock/stock-page')).StockPage }));

export const AskDialog = page(async () => ({ default: (await import('./queue/dialogs')).AskDialog }));
export const RefundDialog = page(async () => ({ default: (await import('./queue/dialogs')).RefundDialog }));

/** One after the other, so that what somebody presses meanwhile does not wait behind them. */
export async function loadPages(): Promise<void> {
  for (const load of loads) await load().catch(() => {});
}

/** What stands for a page that has not come, and for one that cannot: the server may have a newer console by now. */
export const PageFrame = ({ children }: { children: ReactNode }) => (
  <PageBoundary>
    <Suspense fallback={<Loading />}>{children}</Suspense>
  </PageBoundary>
);

class PageBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override render(): ReactNode {
    return this.state.failed ? <ErrorState onRetry={() => location.reload()} /> : this.props.children;
  }
}
