import { createBrowserRouter, type RouteObject, redirect } from '@shop/shared/router';
import type { LoaderArguments, PageModule } from '@shop/shared/routing';
import { mayEnter, orderOfPaySuccess, routeOf } from '../guard/guard';
import { RootLayout } from '../layout/root-layout';
import { ForbiddenPage } from '../pages/forbidden-page';
import { NotFoundPage } from '../pages/not-found-page';
import { RemotePage } from '../pages/remote-page';
import type { ContractRoute } from '../releases/releases.store';
import type { LoadedPage } from '../releases/remote-loader';
import type { Shell } from '../shell-context';
import { ShellFailure } from './shell-failure';

/** Builds the router from the release map alone: no page of a remote has arrived yet. */
export function createShopRouter(shell: Shell): ReturnType<typeof createBrowserRouter> {
  const inLayout = shell.releases.routes.filter((route) => route.flags?.layout !== false);
  const outside = shell.releases.routes.filter((route) => route.flags?.layout === false);
  const first = shell.releases.routes;
  // Read once: the hash stays in the address until the redirect has committed, and would redirect without end.
  let paid = orderOfPaySuccess(window.location.hash);
  const start = ({ request }: { request: Request }): Response | null => {
    const order = paid;
    paid = null;
    return firstNavigation(shell, new URL(request.url), first, order);
  };

  return createBrowserRouter([
    {
      id: 'root',
      Component: RootLayout,
      // At the root the child's redirect would win over this one, so the child asks.
      loader: (args) => (new URL(args.request.url).pathname === '/' ? null : start(args)),
      shouldRevalidate: () => false,
      HydrateFallback: Nothing,
      ErrorBoundary: ShellFailure,
      children: [
        { path: '/', element: null, loader: (args) => start(args) ?? redirect('/home') },
        ...inLayout.map((route) => pageRoute(shell, route)),
        { path: '/404', Component: NotFoundPage },
        { path: '/403', Component: ForbiddenPage },
        { path: '*', element: null, loader: () => redirect('/404') },
      ],
    },
    ...outside.map((route) => ({ ...pageRoute(shell, route), HydrateFallback: Nothing, ErrorBoundary: ShellFailure })),
  ]);
}

function Nothing(): null {
  return null;
}

/** The guard for the address the tab was opened at; later navigations meet the blocker of `use-guard.ts`. */
function firstNavigation(
  shell: Shell,
  url: URL,
  routes: readonly ContractRoute[],
  paidOrder: string | null,
): Response | null {
  if (paidOrder && shell.session.token) return redirect(paidOrder);
  if (paidOrder) {
    shell.overlays.openLogin(paidOrder);
    return redirect('/home');
  }
  if (mayEnter(routeOf(routes, url.pathname), shell.session.token !== '')) return null;
  shell.overlays.openLogin(url.pathname + url.search);
  return redirect('/');
}

function pageRoute(shell: Shell, route: ContractRoute): RouteObject {
  return {
    path: route.path,
    element: <RemotePage key={route.path} route={route} />,
    handle: route,
    // Starts the page's code and data at once; the page shows its own loading state, so nothing is awaited.
    loader: ({ params, request }) => {
      const release = shell.releases.applyReleaseMap(route.remote);
      if (!release) return null;
      const there = shell.loader.peek(release, route.page);
      const start = ({ module }: LoadedPage) => startData(module, { params, request });
      if (there) {
        shell.loader.show(release);
        start(there);
      } else {
        // RemotePage shows the failure.
        void shell.loader.load(release, route.page).then(start, () => {});
      }
      return null;
    },
    shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.href !== nextUrl.href,
  };
}

/** What a page's loader throws is that page's trouble: the page asks for the same data again and shows what is wrong. */
function startData(module: PageModule, given: LoaderArguments): void {
  const failed = (error: unknown) => console.warn('the data of a page could not be started', error);
  try {
    void Promise.resolve(module.loader?.(given)).catch(failed);
  } catch (error) {
    failed(error);
  }
}
