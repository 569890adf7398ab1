/**
 * Reloads a document that cannot be repaired in place. Reloads are spaced with backoff, in case the server still sends the
 * release that was rolled back.
 */
import { natives } from './natives';
import { readForTab, writeForTab } from './storage';
import { type ChangingCalls, hasOpenDialog, hasUnsavedInput, isChangingSomething } from './unsaved-input';

const storageKey = 'cleanLoads';
const firstWaitMs = 60_000;
const longestWaitMs = 60 * 60_000;

interface CleanLoads {
  count: number;
  at: number;
}

function earlierLoads(): CleanLoads {
  try {
    const { count, at } = JSON.parse(readForTab(storageKey)) as CleanLoads;
    return natives.now() - at < 2 * longestWaitMs ? { count, at } : { count: 0, at: 0 };
  } catch {
    return { count: 0, at: 0 };
  }
}

export function canLoadCleanly(calls: ChangingCalls): boolean {
  const { count, at } = earlierLoads();
  const wait = count === 0 ? 0 : Math.min(firstWaitMs * 2 ** (count - 1), longestWaitMs);
  if (natives.now() - at < wait || isChangingSomething(calls)) return false;
  return !hasOpenDialog() && !hasUnsavedInput(calls);
}

/** Reloads the document, but not without session storage, because reloads could not be spaced. */
export function loadCleanly(reload = natives.reload): void {
  if (noteCleanLoad()) reload();
}

/** Call before a full navigation that replaces the reload. Returns false when it cannot be recorded. */
export function noteCleanLoad(): boolean {
  const noted = JSON.stringify({ count: earlierLoads().count + 1, at: natives.now() });
  writeForTab(storageKey, noted);
  return readForTab(storageKey) === noted;
}
