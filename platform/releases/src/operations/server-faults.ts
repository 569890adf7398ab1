/** Whether a server has the calls and fields that the releases use which visitors run against it. */
import type { ReleaseMap } from '../contract';
import { callFaults } from '../gate/call-faults';
import { AT_ONCE, inParallel } from '../in-parallel';
import type { CallShape } from '../manifest';
import type { Store } from '../store/store';
import { DEFAULT_CHANNEL } from './change-map';

const DAY_MS = 86_400_000;
/** For so long a release is asked after that is not live any more: a tab that was left open may run it. */
const OPEN_TABS_MS = 7 * DAY_MS;

export interface ServedRelease {
  name: string;
  version: string;
  /** Until when the map gave it to visitors; null while it does. */
  until: Date | null;
}

export interface ServerFaults extends ServedRelease {
  /** Each begins with the call. */
  faults: string[];
}

const labels = ({ microFrontends }: ReleaseMap) =>
  Object.entries(microFrontends).flatMap(([name, entries]) =>
    entries.map(({ metadata }) => ({ name, version: metadata.version })),
  );

/** The releases that visitors get, and those that they got within the last week. */
export async function servedReleases(
  store: Store,
  { channel = DEFAULT_CHANNEL, now = Date.now() }: { channel?: string; now?: number } = {},
): Promise<ServedRelease[]> {
  const map = await store.readMap(channel);
  const found = new Map(
    labels(map).map((one) => [`${one.name}@${one.version}`, { ...one, until: null as Date | null }]),
  );
  // A revision was served until the one after it was made.
  let replacedAt = Date.parse(map.changed.at);
  for (let rev = map.rev - 1; rev > 0 && replacedAt > now - OPEN_TABS_MS; rev -= AT_ONCE) {
    const revisions = Array.from({ length: Math.min(AT_ONCE, rev) }, (_, index) => rev - index);
    for (const before of await inParallel(revisions, AT_ONCE, (one) => store.readRevision(channel, one))) {
      if (!before || replacedAt <= now - OPEN_TABS_MS) continue;
      for (const one of labels(before)) {
        const label = `${one.name}@${one.version}`;
        if (!found.has(label)) found.set(label, { ...one, until: new Date(replacedAt) });
      }
      replacedAt = Date.parse(before.changed.at);
    }
  }
  return [...found.values()];
}

/** Those of them that use what a server with these calls has not. A release that does not say what it uses has no faults. */
export async function serverFaults(
  store: Store,
  calls: Readonly<Record<string, CallShape>>,
  options: { channel?: string; now?: number } = {},
): Promise<ServerFaults[]> {
  const served = await servedReleases(store, options);
  const judged = await inParallel(served, AT_ONCE, async (one) => {
    const { uses } = (await store.readManifest(one.name, one.version)) ?? {};
    return { ...one, faults: uses ? callFaults(uses.calls, calls) : [] };
  });
  return judged.filter(({ faults }) => faults.length > 0);
}
