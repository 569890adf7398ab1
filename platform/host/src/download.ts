import { natives } from './natives';

/** Limits an attempt to load a page, and the gap between two chunks of a download. */
export const attemptTimeoutMs = 4_000;

export class TimeoutError extends Error {}

interface DownloadOptions {
  /** Milliseconds without data after which the download rejects. */
  timeoutMs: number;
  /** Requests the file from the server and replaces the cached copy, which may be corrupt. */
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
    // The request has the mode and credentials of the elements that use the file next; otherwise they would miss the cache.
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
