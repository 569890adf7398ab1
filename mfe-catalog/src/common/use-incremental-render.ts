import { type RefObject, startTransition, useEffect, useRef, useState } from 'react';

/** How far below the screen rows are drawn ahead, in px: more than a flick of the finger travels while they are made. */
const aheadPx = 1200;

interface IncrementalRender {
  /** How many rows to draw now. */
  drawn: number;
  /** To be put where the rows end. */
  end: RefObject<HTMLDivElement | null>;
}

/**
 * How many of `count` rows to draw: two times `step` at once, and `step` more whenever their end comes near the screen, so that a list
 * costs what has been seen of it and a tap never waits for all of its rows.
 */
export function useIncrementalRender(count: number, step: number): IncrementalRender {
  const canGrow = typeof IntersectionObserver !== 'undefined';
  const [drawn, setDrawn] = useState(2 * step);
  const end = useRef<HTMLDivElement>(null);
  const isWhole = !canGrow || drawn >= count;
  useEffect(() => {
    if (isWhole || !end.current) return;
    const grow = () => startTransition(() => setDrawn(drawn + step));
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) grow();
      },
      { rootMargin: `0px 0px ${aheadPx}px` },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isWhole, step, drawn]);
  return { drawn: isWhole ? count : drawn, end };
}
