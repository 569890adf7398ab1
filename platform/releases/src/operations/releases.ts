import { canaryEntry, liveVersion } from '../map';
import type { GateRecord, Publication, Store } from '../store/store';

export interface PublishedRelease extends Publication {
  gate: Pick<GateRecord, 'passed' | 'at' | 'by'> | null;
  serves: 'live' | 'canary' | null;
}

export async function releases(store: Store, { name }: { name?: string } = {}): Promise<PublishedRelease[]> {
  const map = await store.readMap();
  const names = name === undefined ? await store.names() : [name];
  const publications = await Promise.all(
    names.map(async (release) =>
      Promise.all(
        (await store.publications(release)).map(async ({ version, at, by, provenance }): Promise<PublishedRelease> => {
          const verdict = await store.readVerdict(release, version);
          const canary = canaryEntry(map, release)?.metadata.version;
          return {
            name: release,
            version,
            at,
            by,
            ...(provenance && { provenance }),
            gate: verdict && { passed: verdict.passed, at: verdict.at, by: verdict.by },
            serves: version === liveVersion(map, release) ? 'live' : version === canary ? 'canary' : null,
          };
        }),
      ),
    ),
  );
  return publications.flat();
}
