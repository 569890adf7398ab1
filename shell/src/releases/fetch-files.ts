/** Downloads files into the browser's cache, for the elements that use them next. */

/** Nothing came for too long. */
export class StalledError extends Error {}

interface FetchOptions {
  /** A file whose bytes stop coming for so long is given up, and its connection freed. */
  stallMs: number;
  /** The cache may hold a broken copy: ask the server, and let its answer replace it. */
  pastCache: boolean;
}

/** Rejects when one of them is refused, breaks off or stalls; the others are given up with it. */
export async function fetchFiles(addresses: readonly string[], options: FetchOptions): Promise<void> {
  const together = new AbortController();
  try {
    await Promise.all(addresses.map((address) => fetchFile(address, options, together)));
  } catch (error) {
    together.abort();
    throw error;
  }
}

async function fetchFile(
  address: string,
  { stallMs, pastCache }: FetchOptions,
  together: AbortController,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => together.abort(new StalledError(`${address} stalled`)), stallMs);
  };
  restart();
  try {
    // The same mode and credentials as the elements have, so that the cache serves them.
    const response = await fetch(address, {
      signal: together.signal,
      credentials: 'same-origin',
      cache: pastCache ? 'reload' : 'default',
    });
    if (!response.ok) throw new Error(`${address} answered ${response.status}`);
    const reader = response.body?.getReader();
    while (reader && !(await reader.read()).done) restart();
  } finally {
    clearTimeout(timer);
  }
}
