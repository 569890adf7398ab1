import { openVisit } from '@platform/host/health';
import type { ContractRoute } from '@platform/host/releases.store';
import type { LoadedPage } from '@platform/host/remote-loader';
import { linkTo } from '@shop/shared/links';
import { createBrowserRouter, type Location, matchPath, type RouteObject, redirect } from '@shop/shared/router';
import type { LoaderArguments, PageModule } from '@shop/shared/routing';
import { mayEnter, orderOfPaySuccess, routeOf } from '../guard/guard';
import { AfterHydration } from '../layout/after-hydration';
import { RootLayout } from '../layout/root-layout';
import { ForbiddenPage } from '../pages/forbidden-page';
import { NotFoundPage } from '../pages/not-found-page';
import { RemotePage } from '../pages/remote-page';
import type { Shell } from '../shell-context';
import { ShellFailure } from './shell-failure';

const rootId = 'root';

type Guard = (args: { request: Request }) => Response | null;

/** `rendered`: the page is in the document, and its data is there, so no loader runs. */
export function createShopRouter(shell: Shell, rendered?: { path: string }): ReturnType<typeof createBrowserRouter> {
  leaveCashier(shell);
  const guard: Guard = ({ request }) => guardFirstNavigation(shell, new URL(request.url));
  // '/', unknown addresses and a guest's behind the guard are drawn as another page; the router is to see that page's address.
  if (rendered && rendered.path !== location.pathname)
    history.replaceState(
      history.state,
      '',
      rendered.path + (guardFirstNavigation(shell, location) ? '' : location.search),
    );
  const router = createBrowserRouter(shopRoutes(shell, guard), rendered && { hydrationData: loadedRoutes });
  // Not by loaders: with one, the router renders twice in each page change, first as "loading".
  let started = rendered ? addressOf(router.state.location) : '';
  const follow = ({ initialized, location }: Pick<typeof router.state, 'initialized' | 'location'>) => {
    const address = addressOf(location);
    if (!initialized || address === started) return;
    started = address;
    startPage(shell, location.pathname, new URL(address, window.location.origin));
  };
  follow(router.state);
  router.subscribe(follow);
  return router;
}

/** The router's state in which the first page has been loaded. */
export const loadedRoutes = { loaderData: { [rootId]: null } };

/** Two remotes may have the same path in a preview, where no gate has run; the router refuses equal ids. */
const idOf = ({ remote, path }: ContractRoute) => `${remote} ${path}`;

/** Builds the routes from the release map; no code of a remote is loaded. */
export function shopRoutes(shell: Shell, guard: Guard): RouteObject[] {
  const { routes } = shell.releases;
  const inLayout = routes.filter((route) => route.flags?.layout !== false);
  const outside = routes.filter((route) => route.flags?.layout === false);
  return [
    {
      id: rootId,
      Component: RootLayout,
      // At `/` the child's redirect would win, so the child calls the guard.
      loader: (args) => (new URL(args.request.url).pathname === '/' ? null : guard(args)),
      shouldRevalidate: () => false,
      HydrateFallback: Nothing,
      ErrorBoundary: ShellFailure,
      children: [
        { path: '/', element: null, loader: (args) => guard(args) ?? redirect(linkTo('home')) },
        ...inLayout.map((route) => pageRoute(route)),
        { path: '/404', Component: NotFoundPage },
        { path: '/403', Component: ForbiddenPage },
        { path: '*', element: null, loader: () => redirect('/404') },
      ],
    },
    ...outside.map((route) => ({
      ...pageRoute(route),
      element: (
        <>
          {pageElement(route)}
          <AfterHydration />
        </>
      ),
      HydrateFallback: Nothing,
      ErrorBoundary: ShellFailure,
    })),
  ];
}

function Nothing(): null {
  return null;
}

/**
 * Replaces the address by which a cashier leads back, before the router reads it: a redirect would leave it in the history, and Back
 * from the order would lead home instead of to what was there before.
 */
function leaveCashier({ session, overlays }: Shell): void {
  const order = orderOfPaySuccess(window.location.hash);
  if (!order) return;
  const isGuest = session.token === '';
  window.history.replaceState(null, '', isGuest ? linkTo('home') : order);
  if (isGuest) void overlays.openLogin(order);
}

/** Guards the URL at which the tab was opened; the blocker of use-guard.ts guards later navigations. */
function guardFirstNavigation(
  { session, overlays, releases }: Shell,
  { pathname, search }: Pick<URL, 'pathname' | 'search'>,
): Response | null {
  if (mayEnter(routeOf(releases.routes, pathname), session.token !== '')) return null;
  void overlays.openLogin(pathname + search);
  return redirect('/');
}

const pageElement = (route: ContractRoute) => <RemotePage key={route.path} route={route} />;

function pageRoute(route: ContractRoute): RouteObject {
  return { id: idOf(route), path: route.path, element: pageElement(route), handle: route };
}

const addressOf = ({ pathname, search }: Location) => pathname + search;

/** Starts loading a page's code and data without awaiting them: RemotePage shows the loading state. */
function startPage({ releases, loader }: Shell, pathname: string, url: URL): void {
  const route = routeOf(releases.routes, pathname);
  const release = route && releases.applyReleaseMap(route.remote);
  if (!release) return;
  openVisit(release.name, release.version, route.page);
  const loaded = loader.peek(release, route.page);
  const start = ({ module }: LoadedPage) =>
    startData(module, { params: matchPath(route.path, pathname)?.params ?? {}, request: new Request(url) });
  if (loaded) {
    loader.show(release);
    start(loaded);
  } else {
    // RemotePage reports a failure.
    void loader.load(release, route.page).then(start, () => {});
  }
}

/** Ignores errors of the page's loader: the page requests the same data and shows the error. */
export function startData(module: PageModule, args: LoaderArguments): void {
  const failed = (error: unknown) => console.warn('the loader of a page failed', error);
  try {
    void Promise.resolve(module.loader?.(args)).catch(failed);
  } catch (error) {
    failed(error);
  }
}
