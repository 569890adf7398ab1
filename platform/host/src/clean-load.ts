/**
 * Reloads a document that cannot be repaired in place. Reloads are spaced with backoff, in case the server still sends the
 * release that was rolled back.
 */
import { keepInput } from './kept-input';
import { natives } from './natives';
import type { ReleasesStore } from './releases.store';
import { hasOpenDialog, hasUnsavedInput, isChangingSomething } from './unsaved-input';

const storageKey = 'cleanLoads';
const firstWaitMs = 60_000;
const longestWaitMs = 60 * 60_000;

function earlierLoads() {
  try {
    const { count, at } = JSON.parse(natives.sessionStorage.read(storageKey)) as { count: number; at: number };
    return natives.now() - at < 2 * longestWaitMs ? { count, at } : { count: 0, at: 0 };
  } catch {
    return { count: 0, at: 0 };
  }
}

export function canReload(): boolean {
  const { count, at } = earlierLoads();
  const wait = count === 0 ? 0 : Math.min(firstWaitMs * 2 ** (count - 1), longestWaitMs);
  return natives.now() - at >= wait && !isChangingSomething();
}

export const canLoadCleanly = (): boolean => canReload() && !hasOpenDialog() && !hasUnsavedInput();

/**
 * Call when code does not load: the server deletes the files of old releases, which a tab of many days still needs. Resolves to
 * true if the document is reloaded, with its typed text, because other releases are live.
 */
export async function reloadIfOutdated(
  releases: Pick<ReleasesStore, 'check' | 'isOutdated'>,
  reload = natives.reload,
): Promise<boolean> {
  await releases.check();
  if (!releases.isOutdated || !canReload() || !noteCleanLoad()) return false;
  keepInput();
  reload();
  return true;
}

/** Whether a chunk of scripts or styles is missing. */
export const isLostChunk = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'ChunkLoadError' || ('code' in error && error.code === 'CSS_CHUNK_LOAD_FAILED'));

/** Reloads the document, but not without session storage, because reloads could not be spaced. */
export function loadCleanly(): void {
  if (noteCleanLoad()) natives.reload();
}

/** Whether a navigation must load its document in full and would lose nothing by it; records that load. */
export const claimCleanLoad = ({ needsCleanLoad }: Pick<ReleasesStore, 'needsCleanLoad'>): boolean =>
  needsCleanLoad && canLoadCleanly() && noteCleanLoad();

/** Returns false when the load cannot be recorded. */
const noteCleanLoad = (): boolean =>
  natives.sessionStorage.write(storageKey, JSON.stringify({ count: earlierLoads().count + 1, at: natives.now() }));
