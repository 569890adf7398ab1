import { type Location, UNSAFE_LocationContext, useLocation, useNavigationType, useOutlet } from '@shop/shared/router';
import { observer } from '@shop/shared/state';
import { Activity, type ReactElement, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { routeOf } from '../guard/guard';
import { useShell } from '../shell-context';
import { afterFrame } from './after-frame';

/** Bounds memory; the least recently shown page is dropped first. */
const maxKept = 6;

interface KeptPage {
  readonly key: string;
  /** `remote@version`: a page of a replaced release is dropped. */
  readonly release: string;
  readonly location: Location;
  /** Created once: React then skips the page when only another one is shown or hidden. */
  readonly element: ReactElement;
  /** By address, written at each scroll, which renders nothing. */
  readonly scroll: Map<string, number>;
  /** Language and user of its last render; after a change it must render before it is shown. */
  readonly language: string;
  readonly user: unknown;
}

/**
 * Keeps pages mounted but hidden, each with its location, so that they keep state, data and scroll position. React's Activity
 * stops the effects of a hidden page, right after the frame that shows the next one. A kept-alive page is shown first as it was left,
 * and `connected` with its effects after that frame (docs/adr/0008-input-responsiveness.md).
 */
export const KeepAliveOutlet = observer(function KeepAliveOutlet() {
  const { releases, session, preferences } = useShell();
  const outlet = useOutlet();
  const location = useLocation();
  const navigationType = useNavigationType();
  /** The visible page is the last one. */
  const [keptPages, setKeptPages] = useState<readonly KeptPage[]>([]);

  const stateOf = (pathname: string) => {
    const route = routeOf(releases.routes, pathname);
    const release = route ? `${route.remote}@${releases.current(route.remote)?.version ?? ''}` : '';
    return { route, release, isKept: route !== null && route.flags?.keepAlive !== false };
  };
  const isStillKept = (page: KeptPage) => {
    const { route, release, isKept } = stateOf(page.location.pathname);
    return isKept && page.release === release && (session.hasToken || !route?.flags?.requiresLogin);
  };

  const { release, isKept } = stateOf(location.pathname);
  // Query and hash change the content of a page, not its identity.
  const onScreen = keptPages.at(-1);
  const isSameVisit = onScreen?.location.pathname === location.pathname;
  const visit = isSameVisit ? onScreen.key : `${location.pathname} ${location.key}`;
  const key = isKept ? location.pathname : visit;
  /** Keys of the pages whose effects run: the visible one, and the page before it until the frame is painted. */
  const [connected, setConnected] = useState<readonly string[]>([key]);
  const keptPage = keptPages.find((page) => page.key === key && page.release === release);
  const { language } = preferences;
  const { user } = session;
  // The same element and location: a page shown again at the same address does not render again.
  const isUnchanged = keptPage !== undefined && isSameAddress(keptPage.location, location);
  const canShowFirst = isUnchanged && keptPage.language === language && keptPage.user === user && canKeepLayout();
  if (!connected.includes(key) && !canShowFirst) setConnected(canKeepLayout() ? [...connected, key] : [key]);
  const shown: KeptPage = {
    key,
    release,
    location,
    element: isUnchanged ? (
      keptPage.element
    ) : (
      // The router's own `useRoutes(routes, location)` does the same, but warns below a layout without a path.
      <UNSAFE_LocationContext.Provider value={{ location, navigationType }}>
        <div className="shell-page">{outlet}</div>
        <AfterHydration />
      </UNSAFE_LocationContext.Provider>
    ),
    scroll: keptPage?.scroll ?? new Map(),
    language,
    user,
  };
  const others = keptPages.filter((page) => page.key !== key && isStillKept(page));
  const pages = [...others, keptPage && isSamePage(keptPage, shown) ? keptPage : shown].slice(-maxKept);
  if (pages.length !== keptPages.length || pages.some((page, index) => page !== keptPages[index])) setKeptPages(pages);

  useEffect(controlScrollRestoration, []);
  const isSettled = connected.length === 1 && connected[0] === key;
  useEffect(() => (isSettled ? undefined : afterFrame(() => setConnected([key]))), [isSettled, key]);

  // Before the scroll position is set: a page whose content is not displayed has no height to scroll.
  // biome-ignore lint/correctness/useExhaustiveDependencies: The layout changes with these two.
  useLayoutEffect(keepLayout, [connected, key]);

  const scrolled = useRef<KeptPage['scroll']>(undefined);
  const { scroll } = shown;
  const address = location.pathname + location.search;
  // biome-ignore lint/correctness/useExhaustiveDependencies: A replaced address is a change of `address`.
  useLayoutEffect(() => {
    // The first page may have come with the document and may be scrolled by now. A filter replaces the address of its page.
    const stays = !scrolled.current || (scrolled.current === scroll && navigationType === 'REPLACE');
    scrolled.current = scroll;
    if (!stays) window.scrollTo(0, scroll.get(address) ?? 0);
    const remember = () => void scroll.set(address, window.scrollY);
    // Reading the position now would compute the layout of an unfinished frame.
    const cancel = stays ? afterFrame(remember) : () => {};
    window.addEventListener('scroll', remember, { passive: true });
    return () => {
      cancel();
      window.removeEventListener('scroll', remember);
    };
  }, [scroll, address]);

  return [...pages].sort(byKey).map((page) => (
    <div key={`${page.key} ${page.release}`} className="shell-kept" data-away={page.key === key ? undefined : ''}>
      <Activity mode={connected.includes(page.key) ? 'visible' : 'hidden'}>{page.element}</Activity>
    </div>
  ));
});

/**
 * Placed after the page in the same Activity: React hydrates its content after the layout, and an earlier change would make it
 * differ from the document.
 */
export function AfterHydration(): null {
  const shell = useShell();
  useLayoutEffect(() => {
    shell.hydration?.restore();
    if (shell.hydration) shell.hydration.restore = () => {};
  }, [shell]);
  useEffect(() => {
    shell.hydration?.done();
    shell.hydration = undefined;
  }, [shell]);
  return null;
}

/**
 * Turns off the browser's scroll restoration, which would override the position of the kept-alive page. It stays on for reloads
 * and for returning from another site.
 */
function controlScrollRestoration(): () => void {
  const setManual = () => {
    window.history.scrollRestoration = 'manual';
  };
  const setAuto = () => {
    window.history.scrollRestoration = 'auto';
  };
  setManual();
  window.addEventListener('pageshow', setManual);
  window.addEventListener('pagehide', setAuto);
  return () => {
    setAuto();
    window.removeEventListener('pageshow', setManual);
    window.removeEventListener('pagehide', setAuto);
  };
}

/** For two locations of one path, which is part of a page's key. */
const isSameAddress = (left: Location, right: Location) =>
  left.search === right.search && left.hash === right.hash && left.state === right.state;

const isSamePage = (left: KeptPage, right: KeptPage) =>
  left.location === right.location && left.language === right.language && left.user === right.user;

const canKeepLayout = () => typeof CSS !== 'undefined' && CSS.supports?.('content-visibility', 'hidden');

/**
 * Pages are hidden by `content-visibility: hidden` (shell.css) instead of Activity's `display: none`, where
 * supported: the content is not visible, focusable or announced, but showing it again needs no new style and layout, which took
 * 30 to 70 ms on a slow phone.
 */
function keepLayout(): void {
  if (!canKeepLayout()) return;
  for (const page of document.querySelectorAll<HTMLElement>('.shell-kept > .shell-page'))
    page.style.removeProperty('display');
}

/** A stable order: moving a DOM node loses the scroll positions inside it. */
function byKey(left: KeptPage, right: KeptPage): number {
  return left.key < right.key ? -1 : 1;
}
