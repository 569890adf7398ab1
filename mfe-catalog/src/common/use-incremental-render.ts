import { useHydrating } from '@shop/shared/routing';
import { type RefObject, startTransition, useEffect, useRef, useState } from 'react';

/** Rows are rendered this many px below the viewport: further than a flick scrolls in that time. */
const aheadPx = 1200;

interface IncrementalRender {
  rendered: number;
  /** Ref of an element below the last row. */
  end: RefObject<HTMLDivElement | null>;
}

/** These fill the screen of a phone. */
const rowsOfPhone = 10;
const desktop = '(min-width: 960px)';

/**
 * Renders a long list in steps: `step` rows first, on a phone fewer, and as many more whenever the end comes near the viewport, so that
 * no interaction waits for all rows. Renders all rows in a browser without IntersectionObserver.
 */
export function useIncrementalRender(count: number, step: number): IncrementalRender {
  const canGrow = typeof IntersectionObserver !== 'undefined';
  const end = useRef<HTMLDivElement>(null);
  const hydrating = useHydrating();
  // A rendered document has a whole step.
  const [rendered, setRendered] = useState(() => (hydrating || matchMedia(desktop).matches ? step : rowsOfPhone));
  const isWhole = (!canGrow && !hydrating) || rendered >= count;
  useEffect(() => {
    if (isWhole || !end.current) return;
    const grow = () => startTransition(() => setRendered(rendered < step ? step : rendered + step));
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) grow();
      },
      { rootMargin: `0px 0px ${aheadPx}px` },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isWhole, step, rendered]);
  return { rendered: isWhole ? count : rendered, end };
}
