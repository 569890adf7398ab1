import { startTransition, useEffect, useState } from 'react';

/**
 * How many of `count` rows to draw now: the first screens at once, the rest `step` by `step` whenever the browser has time, so
 * that a tap on a long list never waits for all of its rows.
 */
export function useGrowing(count: number, step: number): number {
  const [drawn, setDrawn] = useState(2 * step);
  const isWhole = drawn >= count;
  useEffect(() => {
    if (isWhole) return;
    const grow = () => startTransition(() => setDrawn((before) => before + step));
    // Safari has no idle callback.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(grow, 50);
      return () => clearTimeout(timer);
    }
    const idle = requestIdleCallback(grow, { timeout: 500 });
    return () => cancelIdleCallback(idle);
    // Each step asks for the next one.
  }, [isWhole, step, drawn]);
  return Math.min(drawn, count);
}
