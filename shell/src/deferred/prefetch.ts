/**
 * Fetches likely next pages ahead: code and data of a link that is touched or pointed at, code of the pages that the links
 * on screen lead to when nothing else is going on. It goes through the loader of the remotes, so integrity, the chosen release
 * and the one copy of every module are those of a navigation.
 */
import { matchPath } from '@shop/shared/router';
import { reaction } from '@shop/shared/state';
import { routeOf } from '../guard/guard';
import type { ContractRoute } from '../releases/releases.store';
import type { Shell } from '../shell-context';

/** A pointer or a Tab key that only passes over a link is no intent. */
const restMs = 65;
/** The same data is not asked for twice in this time; what was fetched ahead is good for longer. */
const dataSpacingMs = 10_000;
/** Pages per look at the links on screen. */
const mostPages = 4;
/** A new page draws and fetches first. */
const settleMs = 1_500;

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** Where the browser says nothing of its network, as Safari and Firefox do, it is taken for good. */
export function isGoodNetwork(connection: Connection | undefined): boolean {
  return !connection?.saveData && (connection?.effectiveType ?? '4g') === '4g';
}

const currentConnection = () => (navigator as Navigator & { connection?: Connection }).connection;

function whenIdle(work: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const handle = window.requestIdleCallback(work, { timeout: 5_000 });
    return () => window.cancelIdleCallback(handle);
  }
  const timer = setTimeout(work, 200);
  return () => clearTimeout(timer);
}

/** Starts at once; returns what ends it. */
export function startPrefetching(
  { session, navigation, releases, loader }: Shell,
  connection = currentConnection,
): () => void {
  const dataAt = new Map<string, number>();

  /** The page that a link opens in this document, or null: another site, a guarded page of a guest, the page on screen. */
  function targetOf(link: Element | null): { route: ContractRoute; url: URL } | null {
    if (!(link instanceof HTMLAnchorElement) || link.target === '_blank' || link.hasAttribute('download')) return null;
    const url = new URL(link.href);
    if (url.origin !== window.location.origin || url.pathname === window.location.pathname) return null;
    const route = routeOf(releases.routes, url.pathname);
    return route && (session.hasToken || !route.flags?.requiresLogin) ? { route, url } : null;
  }

  function fetchCode(route: ContractRoute) {
    const release = releases.current(route.remote);
    return release
      ? loader.load(release, route.page, { preload: true })
      : Promise.reject(new Error(`${route.remote} is not live`));
  }

  function fetchAhead(link: Element | null): void {
    const target = targetOf(link);
    if (!target || !isGoodNetwork(connection())) return;
    const { route, url } = target;
    const now = Date.now();
    if (now - (dataAt.get(url.href) ?? Number.NEGATIVE_INFINITY) < dataSpacingMs) return;
    dataAt.set(url.href, now);
    fetchCode(route).then(
      ({ module }) =>
        module.loader?.({ params: matchPath(route.path, url.pathname)?.params ?? {}, request: new Request(url) }),
      // The navigation tries again and shows what is wrong.
      () => dataAt.delete(url.href),
    );
  }

  let rest: ReturnType<typeof setTimeout> | undefined;
  const linkOf = (event: Event) => (event.target instanceof Element ? event.target.closest('a[href]') : null);
  const onDown = (event: Event) => fetchAhead(linkOf(event));
  const onRest = (event: Event) => {
    clearTimeout(rest);
    const link = linkOf(event);
    if (link && (event as PointerEvent).pointerType !== 'touch') rest = setTimeout(() => fetchAhead(link), restMs);
  };

  let stopIdle = () => {};
  function lookAround(): void {
    if (!isGoodNetwork(connection())) return;
    const wanted = new Map<string, ContractRoute>();
    for (const link of document.querySelectorAll('a[href]')) {
      const route = targetOf(link)?.route;
      const release = route && releases.current(route.remote);
      if (route && release && !loader.peek(release, route.page)) wanted.set(`${route.remote} ${route.page}`, route);
      if (wanted.size === mostPages) break;
    }
    const queue = [...wanted.values()];
    // One at a time, each when the browser has nothing better to do.
    const next = () => {
      const route = queue.shift();
      if (!route) return;
      stopIdle = whenIdle(() => void fetchCode(route).then(next, () => {}));
    };
    next();
  }
  let settle: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    clearTimeout(settle);
    stopIdle();
    settle = setTimeout(lookAround, settleMs);
  };
  soon();
  const stopFollowing = reaction(() => [navigation.visited, session.hasToken], soon);

  const options = { capture: true, passive: true } as const;
  document.addEventListener('pointerdown', onDown, options);
  document.addEventListener('pointerover', onRest, options);
  document.addEventListener('focusin', onRest, options);
  return () => {
    clearTimeout(rest);
    clearTimeout(settle);
    stopIdle();
    stopFollowing();
    document.removeEventListener('pointerdown', onDown, options);
    document.removeEventListener('pointerover', onRest, options);
    document.removeEventListener('focusin', onRest, options);
  };
}
