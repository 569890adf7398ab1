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

/** How many pages are kept at most; the longest unseen goes first. Bounds the memory of a long visit. */
const mostKept = 6;

interface KeptPage {
  key: string;
  /** Remote and version that serve it: a page of a release that is no longer used is dropped. */
  release: string;
  element: ReactElement | null;
  location: ContextType<typeof UNSAFE_LocationContext>;
  scrollTop: number;
}

/**
 * Keeps pages mounted but hidden, each with the location it was shown at, so that state, data and scroll position are
 * there when the shopper returns. React's Activity stops a hidden page's effects.
 */
export const KeepAliveOutlet = observer(function KeepAliveOutlet() {
  const { releases, session } = useShell();
  const outlet = useOutlet();
  const location = useLocation();
  const navigationType = useNavigationType();
  const [kept] = useState(() => new Map<string, KeptPage>());
  const active = useRef('');

  const route = routeOf(releases.routes, location.pathname);
  const keep = route ? route.flags?.keepAlive !== false : false;
  const key = keep ? location.pathname : `${location.pathname} ${location.key}`;
  const release = route ? `${route.remote}@${releases.current(route.remote)?.version ?? ''}` : '';

  // Pages of another user, of a replaced release, and pages flagged as not kept go when they are left.
  for (const page of kept.values()) {
    const [remote = ''] = page.release.split('@');
    const isFlagged = page.key.includes(' ');
    const replaced = page.release !== '' && page.release !== `${remote}@${releases.current(remote)?.version ?? ''}`;
    const guarded =
      !session.hasToken &&
      releases.routes.some((r) => r.flags?.requiresLogin && matchPath(r.path, page.key.split(' ')[0] ?? ''));
    if (page.key !== key && (isFlagged || replaced || guarded)) kept.delete(page.key);
  }

  const known = kept.get(key);
  kept.delete(key);
  const isSame = known?.release === release;
  kept.set(
    key,
    // The very same element and location: a page that comes back to the address it was left at has nothing to draw.
    isSame && isSameAddress(known.location.location, location)
      ? known
      : {
          key,
          release,
          element: outlet,
          location: { location: location as Location, navigationType },
          scrollTop: isSame ? known.scrollTop : 0,
        },
  );
  while (kept.size > mostKept) {
    const [oldest = ''] = kept.keys();
    kept.delete(oldest);
  }

  useEffect(keepOwnScrollPositions, []);

  useLayoutEffect(() => {
    const page = kept.get(key);
    active.current = key;
    setAside(key);
    window.scrollTo(0, page?.scrollTop ?? 0);
    const remember = () => {
      const current = kept.get(active.current);
      if (current && active.current === key) current.scrollTop = window.scrollY;
    };
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key, kept]);

  return (
    <>
      {[...kept.values()].sort(byKey).map((page) => (
        <Activity key={`${page.key} ${page.release}`} mode={page.key === key ? 'visible' : 'hidden'}>
          <UNSAFE_LocationContext.Provider value={page.location}>
            <div className="shell-kept" data-key={page.key}>
              <div className="shell-page" data-remote={page.release.split('@')[0]} hidden={page.key !== key}>
                {page.element}
              </div>
            </div>
          </UNSAFE_LocationContext.Provider>
        </Activity>
      ))}
    </>
  );
});

/**
 * On the way back the browser would put the window where it was on that address, after the page has been given its own
 * position. A reload, and coming back from another site, stay the browser's.
 */
function keepOwnScrollPositions(): () => void {
  const own = () => {
    window.history.scrollRestoration = 'manual';
  };
  const browsers = () => {
    window.history.scrollRestoration = 'auto';
  };
  own();
  window.addEventListener('pageshow', own);
  window.addEventListener('pagehide', browsers);
  return () => {
    browsers();
    window.removeEventListener('pageshow', own);
    window.removeEventListener('pagehide', browsers);
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

/**
 * Activity takes a hidden page out of the layout, and all of it would be styled and laid out anew when it comes back. Where the
 * browser can, its box stays instead and only its content is skipped (shell.css): neither seen nor read nor focused, and
 * ready to be painted. Before the first frame, since React's own `hidden` comes with the next idle render.
 */
function setAside(shown: string): void {
  if (typeof CSS === 'undefined' || !CSS.supports?.('content-visibility', 'hidden')) return;
  for (const page of document.querySelectorAll<HTMLElement>('.shell-kept')) {
    const away = page.dataset.key !== shown;
    page.toggleAttribute('data-away', away);
    if (away) page.style.removeProperty('display');
  }
}

/** A stable order in the document: moving a page would lose its inner scroll positions. */
function byKey(left: KeptPage, right: KeptPage): number {
  return left.key < right.key ? -1 : 1;
}
