/** Runs beside the main thread. What the page does to the globals of the document does not reach it. */

import { beatEveryMs, FreezeDetector, type FromWorker, type ToWorker } from './heartbeat';
import { reportUrl } from './report-url';

const mapTimeoutMs = 5_000;
const detector = new FreezeDetector();
let timer: ReturnType<typeof setInterval> | undefined;

const tell = (message: FromWorker) => (self as unknown as Worker).postMessage(message);

function tick(): void {
  const frozen = detector.tick(performance.now());
  if (!frozen?.visit) return;
  const { visit, token, context } = frozen;
  const body = JSON.stringify({ token, context, events: [{ ...visit, kind: 'freeze' }] });
  const headers = { 'content-type': 'application/json' };
  fetch(reportUrl, { method: 'POST', body, headers, keepalive: true, credentials: 'omit' }).catch(() => {});
  tell({ kind: 'frozen', visit });
}

async function readMap(url: string): Promise<void> {
  try {
    const signal = AbortSignal.timeout(mapTimeoutMs);
    const response = await fetch(url, { cache: 'no-store', credentials: 'omit', signal });
    if (response.ok) tell({ kind: 'map', map: await response.json() });
  } catch {
    // The server is down for this thread too.
  }
}

self.addEventListener('message', ({ data }: MessageEvent<ToWorker>) => {
  if (data.kind === 'read map') return void readMap(data.url);
  if (data.kind === 'rest') {
    clearInterval(timer);
    timer = undefined;
    return detector.rest();
  }
  detector.hear(data, performance.now());
  timer ??= setInterval(tick, beatEveryMs);
});
