/** What only a tab shows that has been open for ten minutes: how much memory it holds, and for how long tasks block it. */
import { report, shellVisit, shownVisit } from './health';
import { natives } from './natives';

const oldMs = 10 * 60_000;
const minuteMs = 60_000;

/** In Chromium; other browsers do not say. */
interface WithMemory extends Performance {
  memory?: { usedJSHeapSize: number };
}

/** Each page reports the first whole minute in which it was on screen, and the shell that of the tab. */
export function watchLongVisits(): void {
  natives.setTimeout(() => {
    let blockedMs = 0;
    if (window.PerformanceObserver?.supportedEntryTypes.includes('longtask'))
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) blockedMs += duration;
      }).observe({ type: 'longtask' });
    let seen = visitOnScreen();
    natives.setInterval(() => {
      const visit = visitOnScreen();
      const isWhole = visit !== null && visit === seen;
      for (const one of isWhole ? [visit, shellVisit()] : []) {
        if (!one) continue;
        report(one, 'vital', { metric: 'long-tasks', value: Math.round(blockedMs) });
        const { memory } = performance as WithMemory;
        if (memory) report(one, 'vital', { metric: 'heap', value: Math.round(memory.usedJSHeapSize / 1e6) });
      }
      seen = visit;
      blockedMs = 0;
    }, minuteMs);
  }, oldMs);
}

const visitOnScreen = () => (document.visibilityState === 'visible' ? shownVisit() : null);
