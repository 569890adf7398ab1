import './keep-alive-outlet.css';
import {
  type Location,
  matchPath,
  UNSAFE_LocationContext,
  useLocation,
  useNavigationType,
  useOutlet,
} from '@shop/shared/router';
import { observer } from '@shop/shared/state';
import { Activity, type ContextType, type ReactElement, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { routeOf } from '../guard/guard';
import { useShell } from '../shell-context';
import { AfterHydration } from './after-hydration';

/** Bounds memory; the least recently shown page is dropped first. */
const maxKept = 6;
const noFrameMs = 200;

interface KeptPage {
  key: string;
  /** `remote@version`: a page of a replaced release is dropped. */
  release: string;
  location: Location;
  /** Made once: React then skips the page when only another one is shown or hidden. */
  element: ReactElement;
  scrollTop: number;
  /** What it was last shown with; else it must render before it is shown. */
  language: string;
  user: unknown;
}

/**
 * Keeps pages mounted but hidden, each with its location, so that they keep state, data and scroll position. React's
 * Activity stops the effects of a hidden page. A kept page is on the screen first, as it was left, and `connected` with its
 * effects right after that frame (docs/adr/0035-kept-pages-before-their-effects.md).
 */
export const KeepAliveOutlet = observer(function KeepAliveOutlet() {
  const { releases, session, preferences } = useShell();
  const outlet = useOutlet();
  const location = useLocation();
  const navigationType = useNavigationType();
  const [kept] = useState(() => new Map<string, KeptPage>());
  const active = useRef('');

  const route = routeOf(releases.routes, location.pathname);
  const keep = route ? route.flags?.keepAlive !== false : false;
  const key = keep ? location.pathname : `${location.pathname} ${location.key}`;
  const [connected, setConnected] = useState(key);
  const release = route ? `${route.remote}@${releases.current(route.remote)?.version ?? ''}` : '';

  // Drops pages that are not kept alive, of a replaced release, or guarded when the session is over.
  for (const page of kept.values()) {
    const [remote = ''] = page.release.split('@');
    const notKept = page.key.includes(' ');
    const replaced = page.release !== '' && page.release !== `${remote}@${releases.current(remote)?.version ?? ''}`;
    const guarded =
      !session.hasToken &&
      releases.routes.some((r) => r.flags?.requiresLogin && matchPath(r.path, page.key.split(' ')[0] ?? ''));
    if (page.key !== key && (notKept || replaced || guarded)) kept.delete(page.key);
  }

  const known = kept.get(key);
  kept.delete(key);
  const isSame = known?.release === release;
  const { language } = preferences;
  const { user } = session;
  // The same element and location: a page shown again at the same address does not render again.
  const isUnchanged = isSame && isSameAddress(known.location, location);
  const canShowFirst = isUnchanged && known.language === language && known.user === user && canKeepLayout();
  if (connected !== key && !canShowFirst) setConnected(key);
  kept.set(key, {
    key,
    release,
    location,
    element: isUnchanged ? known.element : keptElement(key, outlet, { location, navigationType }),
    scrollTop: isSame ? known.scrollTop : 0,
    language,
    user,
  });
  while (kept.size > maxKept) {
    const [oldest = ''] = kept.keys();
    kept.delete(oldest);
  }

  useEffect(controlScrollRestoration, []);
  useEffect(() => (connected === key ? undefined : afterPaint(() => setConnected(key))), [connected, key]);

  useLayoutEffect(() => {
    const page = kept.get(key);
    const isFirst = active.current === '';
    active.current = key;
    if (isFirst && page) {
      // The document may have come with this page, under the key of an earlier load, and may be scrolled by now.
      for (const element of document.querySelectorAll<HTMLElement>('.shell-kept')) element.dataset.key = key;
      page.scrollTop = window.scrollY;
    }
    hideOtherPages(key);
    if (!isFirst) window.scrollTo(0, page?.scrollTop ?? 0);
    const remember = () => {
      const current = kept.get(active.current);
      if (current && active.current === key) current.scrollTop = window.scrollY;
    };
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key, kept]);

  // React has hidden a page by its style.
  useLayoutEffect(() => hideOtherPages(active.current), [connected]);

  return (
    <>
      {[...kept.values()].sort(byKey).map((page) => (
        <Activity key={`${page.key} ${page.release}`} mode={page.key === connected ? 'visible' : 'hidden'}>
          {page.element}
        </Activity>
      ))}
    </>
  );
});

function keptElement(
  key: string,
  page: ReactElement | null,
  location: ContextType<typeof UNSAFE_LocationContext>,
): ReactElement {
  return (
    <UNSAFE_LocationContext.Provider value={location}>
      <div className="shell-kept" data-key={key}>
        <div className="shell-page">{page}</div>
        <AfterHydration />
      </div>
    </UNSAFE_LocationContext.Provider>
  );
}

/**
 * Turns off the browser's scroll restoration, which would override the position of the kept page. It stays on for reloads and
 * for returning from another site.
 */
function controlScrollRestoration(): () => void {
  const useManual = () => {
    window.history.scrollRestoration = 'manual';
  };
  const useAuto = () => {
    window.history.scrollRestoration = 'auto';
  };
  useManual();
  window.addEventListener('pageshow', useManual);
  window.addEventListener('pagehide', useAuto);
  return () => {
    useAuto();
    window.removeEventListener('pageshow', useManual);
    window.removeEventListener('pagehide', useAuto);
  };
}

function isSameAddress(left: Location, right: Location): boolean {
  return (
    left.pathname === right.pathname &&
    left.search === right.search &&
    left.hash === right.hash &&
    left.state === right.state
  );
}

const canKeepLayout = () => typeof CSS !== 'undefined' && CSS.supports?.('content-visibility', 'hidden');

/** After the next frame is painted; soon where none is, as in a tab in the background. */
function afterPaint(run: () => void): () => void {
  let timer = setTimeout(run, noFrameMs);
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(run, 0);
  });
  return () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };
}

/** React sets `display: none` again whenever it has rendered something of a hidden page; this takes it off before the next frame. */
let displayObserver: MutationObserver | undefined;

/**
 * Hides pages by `content-visibility: hidden` (keep-alive-outlet.css) instead of Activity's `display: none`, where supported:
 * the content is neither visible, focusable nor read aloud, but showing it again needs no new style and layout. Runs before
 * the first frame.
 */
function hideOtherPages(shown: string): void {
  for (const page of document.querySelectorAll<HTMLElement>('.shell-kept')) {
    page.toggleAttribute('data-away', page.dataset.key !== shown);
    if (!canKeepLayout()) continue;
    removeDisplay(page);
    displayObserver ??= new MutationObserver((records) => {
      for (const { target } of records) removeDisplay(target as HTMLElement);
    });
    displayObserver.observe(page, { attributeFilter: ['style'] });
  }
}

function removeDisplay(page: HTMLElement): void {
  if (page.hasAttribute('data-away')) page.style.removeProperty('display');
}

/** A stable order: moving a DOM node loses the scroll positions inside it. */
function byKey(left: KeptPage, right: KeptPage): number {
  return left.key < right.key ? -1 : 1;
}
