import { natives } from './natives';

/** Limits an attempt to load a page, and the gap between two chunks of a download. */
export const attemptTimeoutMs = 4_000;

export class TimeoutError extends Error {}

/**
 * Downloads files into the HTTP cache. The first failure rejects and aborts the other downloads.
 * @param bypassCache requests the files from the server and replaces the cached copies, which may be corrupt
 */
export async function downloadAll(urls: readonly string[], bypassCache: boolean): Promise<void> {
  const controller = new AbortController();
  try {
    await Promise.all(urls.map((url) => download(url, bypassCache, controller)));
  } catch (error) {
    controller.abort();
    throw error;
  }
}

async function download(url: string, bypassCache: boolean, controller: AbortController): Promise<void> {
  let timer: number | undefined;
  const restartTimer = () => {
    natives.clearTimeout(timer);
    timer = natives.setTimeout(() => controller.abort(new TimeoutError(`${url} timed out`)), attemptTimeoutMs);
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
