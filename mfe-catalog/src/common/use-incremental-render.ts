import { useHydrating } from '@shop/shared/routing';
import { type RefObject, startTransition, useEffect, useRef, useState } from 'react';

/** Rows are rendered this many px below the viewport: further than a flick scrolls in that time. */
const aheadPx = 1200;

interface IncrementalRender {
  rendered: number;
  /** Ref of an element below the last row. */
  end: RefObject<HTMLDivElement | null>;
}

/**
 * Renders a long list in steps: `step` rows first, and as many more whenever the end comes near the viewport, so that no
 * interaction waits for all rows. Renders all rows in a browser without IntersectionObserver.
 */
export function useIncrementalRender(count: number, step: number): IncrementalRender {
  const canGrow = typeof IntersectionObserver !== 'undefined';
  const [rendered, setRendered] = useState(step);
  const end = useRef<HTMLDivElement>(null);
  const hydrating = useHydrating();
  const isWhole = (!canGrow && !hydrating) || rendered >= count;
  useEffect(() => {
    if (isWhole || !end.current) return;
    const grow = () => startTransition(() => setRendered(rendered + step));
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
