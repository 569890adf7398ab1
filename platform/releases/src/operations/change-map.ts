import type { ReleaseMap } from '../contract';
import type { ServerContract } from '../gate/check-uses';
import type { ReleaseManifest } from '../manifest';
import type { Author } from '../map';
import { ConflictError, type Store, StoreError } from '../store/store';

const MAX_ATTEMPTS = 60;

export interface ChangeOptions extends Author {
  dryRun?: boolean;
  /** The contract for the checks against the server. */
  server?: ServerContract;
}

export interface Change {
  map: ReleaseMap;
  before: ReleaseMap;
  dryRun: boolean;
  /** What the change warned of, and failures of secondary writes after it went live, which readers repair. */
  warnings: readonly string[];
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Computes the next map with a pure function and writes it once, conditionally. If another change came first, it computes again
 * on top of that change, unless that change touched `about` (a release's name, or '*' for the whole map): then it throws
 * ConflictError. Writes nothing if `compute` returns its input. What `compute` warns of is in the result.
 */
export async function changeMap(
  store: Store,
  options: ChangeOptions,
  about: string,
  compute: (map: ReleaseMap, warn: (text: string) => void) => Promise<ReleaseMap> | ReleaseMap,
): Promise<Change> {
  const stateOf = (map: ReleaseMap) =>
    about === '*' ? String(map.rev) : JSON.stringify([map.microFrontends[about], map.ops.frozen[about]]);
  const first = await store.readMap();
  let before = first;
  for (let attempt = 1; ; attempt += 1) {
    if (stateOf(before) !== stateOf(first)) throw conflictWith(before, about);
    const warnings: string[] = [];
    const map = await compute(before, (text) => warnings.push(text));
    if (options.dryRun) return { map, before, dryRun: true, warnings };
    try {
      if (map !== before) warnings.push(...(await store.writeMap(map)));
      return { map, before, dryRun: false, warnings };
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === MAX_ATTEMPTS) throw error;
      await pause(Math.random() * 20 * Math.min(attempt, 5));
      before = await store.readMap();
    }
  }
}

function conflictWith(winner: ReleaseMap, about: string): ConflictError {
  const { by, action, name, to } = winner.changed;
  const what = about === '*' ? 'the map' : about;
  return new ConflictError(
    `${what} was changed meanwhile (last: ${action} ${name} to ${to ?? 'none'} by ${by}, revision ${winner.rev}). Look at "status" and decide again`,
    winner,
  );
}

/** Throws StoreError, with the published versions, if the release is not in the store. */
export async function requireManifest(store: Store, name: string, version: string): Promise<ReleaseManifest> {
  const manifest = await store.readManifest(name, version);
  if (manifest?.name === name && manifest.version === version) return manifest;
  if (manifest)
    throw new StoreError(`${name}@${version} in the store says that it is ${manifest.name}@${manifest.version}`);
  const published = (await store.publications(name)).slice(0, 5).map((publication) => publication.version);
  const hint =
    published.length > 0
      ? `published are ${published.join(', ')}`
      : `publish it first: npm run release -- publish ${name}`;
  throw new StoreError(`${name}@${version} is not in the store; ${hint}`);
}

/** The version of a name that was published last. Throws StoreError if there is none. */
export async function newestVersion(store: Store, name: string): Promise<string> {
  const [latest] = await store.publications(name);
  if (latest) return latest.version;
  throw new StoreError(`no release of ${name} is published; run: npm run release -- publish ${name}`);
}

/** A pruned fallback does not stop a change. */
export const optionalManifest = async (store: Store, name: string, version: string | null) =>
  version === null ? null : store.readManifest(name, version);
