import { natives } from '@platform/host/natives';

/** The first page's images and calls go first. */
const afterLoadMs = 3_000;
/** A preload that hangs delays the load event for ever. */
const withoutLoadMs = 15_000;
/** Share of documents that report web vitals. Visits and failures are not sampled, because a canary step needs fifty visits. */
const vitalsSampleRate = 0.25;

export const isVitalsSample = (random = Math.random): boolean => random() < vitalsSampleRate;

/** Calls `start` once, `delayMs` after the load event. */
export function afterLoad(start: () => void, delayMs = afterLoadMs): void {
  let isStarted = false;
  const startOnce = () => {
    if (!isStarted) start();
    isStarted = true;
  };
  natives.listen(window, 'load', () => natives.setTimeout(startOnce, delayMs), { once: true });
  natives.setTimeout(startOnce, withoutLoadMs);
}
