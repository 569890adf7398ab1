import { natives } from './natives';

/** For an attempt to load a page, and for the gap between two pieces of a download. */
export const attemptTimeoutMs = 4_000;

export class TimeoutError extends Error {}

interface DownloadOptions {
  /** Rejects when no data arrives for this long. */
  timeoutMs: number;
  /** Asks the server and replaces the cached copy, which may be corrupt. */
  bypassCache: boolean;
}

/** Downloads files into the HTTP cache. The first failure rejects and aborts the other downloads. */
export async function downloadAll(urls: readonly string[], options: DownloadOptions): Promise<void> {
  const controller = new AbortController();
  try {
    await Promise.all(urls.map((url) => download(url, options, controller)));
  } catch (error) {
    controller.abort();
    throw error;
  }
}

async function download(
  url: string,
  { timeoutMs, bypassCache }: DownloadOptions,
  controller: AbortController,
): Promise<void> {
  let timer: number | undefined;
  const restartTimer = () => {
    natives.clearTimeout(timer);
    timer = natives.setTimeout(() => controller.abort(new TimeoutError(`${url} timed out`)), timeoutMs);
  };
  restartTimer();
  try {
    // Mode and credentials of the elements that use the file next; with others they would not hit the cache.
    const response = await natives.fetch(url, {
      signal: controller.signal,
      credentials: 'same-origin',
      cache: bypassCache ? 'reload' : 'default',
    });
    if (!response.ok) throw new Error(`${url} answered ${response.status}`);
    const reader = response.body?.getReader();
    while (reader && !(await reader.read()).done) restartTimer();
  } finally {
    natives.clearTimeout(timer);
  }
}
