import { openVisit } from '@platform/host/health';
import type { ContractRoute } from '@platform/host/releases.store';
import type { LoadedPage } from '@platform/host/remote-loader';
import { shellFailed } from '@platform/host/shell-start';
import { linkTo } from '@shop/shared/links';
import {
  createBrowserRouter,
  type Location,
  matchPath,
  type RouteObject,
  redirect,
  useRouteError,
} from '@shop/shared/router';
import type { PageModule } from '@shop/shared/routing';
import { closeOverlays, navigateFromOverlays } from '@shop/shared/ui';
import { useEffect } from 'react';
import { mayEnter, orderOfPaySuccess, routeOf } from '../guard/guard';
import { AfterHydration } from '../layout/keep-alive-outlet';
import { RootLayout } from '../layout/root-layout';
import { ForbiddenPage, NotFoundPage } from '../pages/message-pages';
import { RemotePage } from '../pages/remote-page';
import type { Shell } from '../shell-context';

/** Error boundary of the root route. It renders nothing, because the interface kit itself may throw. */
function ShellFailure(): null {
  const error = useRouteError();
  useEffect(() => shellFailed(error), [error]);
  return null;
}

const ownPages: readonly string[] = ['/403', '/404'];

/** `rendered`: the page is in the document. */
export function createShopRouter(shell: Shell, rendered?: { path: string }): ReturnType<typeof createBrowserRouter> {
  leaveCashier(shell);
  replaceFirstAddress(shell, rendered?.path);
  const router = createBrowserRouter(shopRoutes(shell));
  router.navigate = navigateFromOverlays(router.navigate);
  // Not by loaders: with a loader the router renders twice in each page change, first as "loading".
  let started = rendered ? addressOf(router.state.location) : '';
  let page = rendered && router.state.location.pathname;
  const follow = ({ initialized, location }: Pick<typeof router.state, 'initialized' | 'location'>) => {
    const address = addressOf(location);
    if (!initialized || address === started) return;
    started = address;
    const isNewPage = page !== location.pathname;
    // What opened before the first page, such as the login, stays.
    if (page && isNewPage) {
      closeOverlays();
      // The code of these overlays has not loaded yet.
      shell.overlays.closeAll();
    }
    page = location.pathname;
    startPage(shell, new URL(address, window.location.origin), isNewPage);
  };
  follow(router.state);
  router.subscribe(follow);
  return router;
}

/** With an id, because two remotes may have the same path in a preview, where no gate has run; the router refuses equal ids. */
const pageRoute = (route: ContractRoute) => ({
  id: `${route.remote} ${route.path}`,
  path: route.path,
  element: <RemotePage key={route.path} route={route} />,
});

/** Builds the routes from the release map without loading code of a remote. */
export function shopRoutes({ releases: { routes } }: Shell): RouteObject[] {
  const inLayout = routes.filter((route) => route.flags?.layout !== false);
  const outside = routes.filter((route) => route.flags?.layout === false);
  return [
    {
      Component: RootLayout,
      ErrorBoundary: ShellFailure,
      children: [
        { path: '/', element: null, loader: () => redirect(linkTo('home')) },
        ...inLayout.map(pageRoute),
        { path: '/404', Component: NotFoundPage },
        { path: '/403', Component: ForbiddenPage },
        { path: '*', element: null, loader: () => redirect('/404') },
      ],
    },
    ...outside.map(pageRoute).map((page) => ({
      ...page,
      element: (
        <>
          {page.element}
          <AfterHydration />
        </>
      ),
      ErrorBoundary: ShellFailure,
    })),
  ];
}

/**
 * Replaces the cashier's return address before the router reads it: a redirect would leave it in the history, and Back from the
 * order would open the home page instead of the previous page.
 */
function leaveCashier({ session, overlays }: Shell): void {
  const order = orderOfPaySuccess(window.location.hash);
  if (!order) return;
  const isGuest = session.token === '';
  window.history.replaceState(null, '', isGuest ? linkTo('home') : order);
  if (isGuest) void overlays.openLogin(order);
}

/**
 * '/', an unknown address and a guest's address behind the guard show another page. The address of that page replaces them before
 * the router reads it: after a redirect they would stay in the history, and Back would redirect again. The blocker of
 * use-guard.ts guards later navigations.
 */
function replaceFirstAddress({ session, overlays, releases }: Shell, rendered?: string): void {
  const { pathname, search } = window.location;
  if (rendered === pathname) return;
  const route = routeOf(releases.routes, pathname);
  const mayStay = mayEnter(route, session.token !== '');
  if (!mayStay) void overlays.openLogin(pathname + search);
  const isKnown = route || ownPages.includes(pathname);
  const shown = rendered ?? (!mayStay || pathname === '/' ? linkTo('home') : isKnown ? pathname : '/404');
  if (shown !== pathname) window.history.replaceState(window.history.state, '', shown + (mayStay ? search : ''));
}

const addressOf = ({ pathname, search }: Location) => pathname + search;

/** Starts loading a page's code and data without awaiting them: RemotePage shows the loading state. A filter of a page is no visit. */
function startPage({ releases, loader }: Shell, url: URL, isNewPage: boolean): void {
  const route = routeOf(releases.routes, url.pathname);
  const release = route && releases.applyReleaseMap(route.remote);
  if (!release) return;
  if (isNewPage) openVisit(release.name, release.version, route.page);
  const loaded = loader.peek(release, route.page);
  const start = ({ module }: LoadedPage) => startData(module, route, url);
  if (loaded) {
    loader.show(release);
    start(loaded);
  } else {
    // RemotePage reports a failure.
    void loader.load(release, route.page).then(start, () => {});
  }
}

/** Ignores errors of the page's loader: the page requests the same data and shows the error. */
export function startData(module: PageModule, { path }: ContractRoute, url: URL): void {
  const failed = (error: unknown) => console.warn('the loader of a page failed', error);
  const params = matchPath(path, url.pathname)?.params ?? {};
  try {
    void Promise.resolve(module.loader?.({ params, request: new Request(url) })).catch(failed);
  } catch (error) {
    failed(error);
  }
}
