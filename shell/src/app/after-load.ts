import { natives } from '../platform/natives';

/** After the load event, so that the first page's images and calls go first. */
const afterLoadMs = 3_000;
/** A preload that hangs delays the load event for ever. */
const withoutLoadMs = 15_000;

/** Calls `start` once, when the first page has had its time. */
export function afterLoad(start: () => void): void {
  let isStarted = false;
  const startOnce = () => {
    if (!isStarted) start();
    isStarted = true;
  };
  natives.listen(window, 'load', () => natives.setTimeout(startOnce, afterLoadMs), { once: true });
  natives.setTimeout(startOnce, withoutLoadMs);
}
