/**
 * Prefetches likely next pages: code and data of a link that is touched, hovered or focused, and while the browser is idle the
 * code of the pages that visible links open. Uses the loader of the remotes, so integrity, release and module instances are those
 * of a later navigation.
 */

import type { ContractRoute } from '@platform/host/releases.store';
import { matchPath } from '@shop/shared/router';
import { reaction } from '@shop/shared/state';
import { routeOf } from '../guard/guard';
import { afterFrame } from '../layout/after-frame';
import type { Shell } from '../shell-context';

/** Time on a link before it counts as an intent to open it. */
const intentMs = 65;
/** A link's data is prefetched at most once in this time. */
const dataIntervalMs = 10_000;
const maxPages = 4;
/** A long list repeats the pages of its first links. */
const maxLinks = 200;
/** A new page renders and fetches first. */
const settleMs = 1_500;

interface Connection {
  saveData?: boolean;
  effectiveType?: string;
}

/** Safari and Firefox do not report their network: it counts as good. */
export function isGoodNetwork(): boolean {
  const { saveData, effectiveType = '4g' } = (navigator as { connection?: Connection }).connection ?? {};
  return !saveData && effectiveType === '4g';
}

export function whenIdle(work: () => void): () => void {
  if ('requestIdleCallback' in window) {
    const handle = window.requestIdleCallback(work, { timeout: 5_000 });
    return () => window.cancelIdleCallback(handle);
  }
  const timer = setTimeout(work, 200);
  return () => clearTimeout(timer);
}

/** Without those of hidden kept-alive pages. */
const visibleLinks = () => [...document.querySelectorAll('a[href]:not(.shell-kept[data-away] *)')].slice(0, maxLinks);

export function startPrefetching({ session, navigation, releases, loader }: Shell): void {
  const dataAt = new Map<string, number>();

  /** The page that a link opens in this document; null for another site, a guarded page of a guest and the current page. */
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

  function prefetchLink(link: Element | null): void {
    const target = targetOf(link);
    if (!target || !isGoodNetwork()) return;
    const { route, url } = target;
    const now = Date.now();
    for (const [address, at] of dataAt) if (now - at >= dataIntervalMs) dataAt.delete(address);
    if (dataAt.has(url.href)) return;
    dataAt.set(url.href, now);
    fetchCode(route).then(
      ({ module }) =>
        module.loader?.({ params: matchPath(route.path, url.pathname)?.params ?? {}, request: new Request(url) }),
      // The navigation tries again and shows the failure.
      () => dataAt.delete(url.href),
    );
  }

  let intent: ReturnType<typeof setTimeout> | undefined;
  const linkOf = (event: Event) => (event.target instanceof Element ? event.target.closest('a[href]') : null);
  // The frame with the active state comes first.
  const onDown = (event: Event) => {
    const link = linkOf(event);
    if (link) afterFrame(() => prefetchLink(link));
  };
  const onIntent = (event: Event) => {
    clearTimeout(intent);
    const link = linkOf(event);
    if (link && (event as PointerEvent).pointerType !== 'touch')
      intent = setTimeout(() => prefetchLink(link), intentMs);
  };

  let stopIdle = () => {};
  function prefetchLinksOnScreen(): void {
    if (!isGoodNetwork()) return;
    const targets = new Map<string, ContractRoute>();
    for (const link of visibleLinks()) {
      const route = targetOf(link)?.route;
      const release = route && releases.current(route.remote);
      if (route && release && !loader.peek(release, route.page)) targets.set(`${route.remote} ${route.page}`, route);
      if (targets.size === maxPages) break;
    }
    const queue = [...targets.values()];
    // One at a time, each while the browser is idle.
    const next = () => {
      const route = queue.shift();
      if (!route) return;
      stopIdle = whenIdle(() => void fetchCode(route).then(next, () => {}));
    };
    next();
  }
  let settle: ReturnType<typeof setTimeout> | undefined;
  const schedule = () => {
    clearTimeout(settle);
    stopIdle();
    settle = setTimeout(() => {
      stopIdle = whenIdle(prefetchLinksOnScreen);
    }, settleMs);
  };
  schedule();
  reaction(() => [navigation.visited, session.hasToken], schedule);

  const options = { capture: true, passive: true } as const;
  document.addEventListener('pointerdown', onDown, options);
  document.addEventListener('pointerover', onIntent, options);
  document.addEventListener('focusin', onIntent, options);
}
