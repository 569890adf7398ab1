/**
 * The store: immutable releases and the maps that say which are live.
 *
 *   r/<name>/<version>/…           a release, never overwritten
 *   published/<name>/<version>.json  when and by whom it was published
 *   gated/<name>/<version>.json    the gate's last verdict on it
 *   maps/production/history/<rev>.json  every revision of the map, append-only; creating the next one is the commit
 *   maps/production.json           the newest revision again, for a quick start
 *
 * A map is changed by creating `history/<rev + 1>.json`, which only one writer can. A process that dies before it writes the
 * copy leaves a stale one; every reader looks for a newer revision and repairs it. A copy that is lost or cannot be read is
 * rebuilt from the history (map-files.ts).
 */

import { join } from 'node:path';
import { isReleaseName, isReleaseVersion, MANIFEST_FILE, type ReleaseMap } from '../contract';
import type { ReleaseManifest } from '../manifest';
import { type Blobs, StoreError } from './blobs';
import { folderBlobs } from './folder-blobs';
import { mapFiles } from './map-files';

export { StoreError };

export interface Provenance {
  repository?: string;
  ref?: string;
  commit?: string;
  builder?: string;
  run?: string;
}

interface Publication {
  name: string;
  version: string;
  /** ISO 8601 of the latest publish, which may have found the release already stored. */
  at: string;
  by: string;
  /** Only in records of versions with several channels: those in which it may be previewed. */
  channels?: readonly string[];
  /** Absent if it was published without a token of a forge. */
  provenance?: Provenance;
}

export interface GateRecord {
  name: string;
  version: string;
  passed: boolean;
  /** GATE_VERSION of the gate that made the verdict. */
  gate: number;
  /** ISO 8601. */
  at: string;
  by: string;
  checks: Array<{ check: string; outcome: string; detail: string }>;
}

export class ConflictError extends Error {
  constructor(
    message: string,
    readonly winner?: ReleaseMap,
  ) {
    super(message);
    this.name = 'ConflictError';
  }
}

export type Store = ReturnType<typeof createStore>;

const publicationKey = (name: string, version: string) => `published/${name}/${version}.json`;
const verdictKey = (name: string, version: string) => `gated/${name}/${version}.json`;
const toJson = (value: unknown) => Buffer.from(`${JSON.stringify(value)}\n`);

/** `say` gets one line for each repair. */
export function createStore(blobs: Blobs, say: (line: string) => void = (line) => console.error(line)) {
  const read = async <T>(key: string): Promise<T | null> => {
    const content = await blobs.get(key);
    if (!content) return null;
    try {
      return JSON.parse(content.toString('utf8')) as T;
    } catch {
      throw new StoreError(`${key} in ${blobs.place} is damaged; restore it from a backup`);
    }
  };

  /** Null for names and versions that no release can have. */
  const readOf = async <T>(name: string, version: string, key: string): Promise<T | null> =>
    isReleaseName(name) && isReleaseVersion(version) ? read<T>(key) : null;

  const maps = mapFiles(blobs, say);
  const readRevision = async (rev: number): Promise<ReleaseMap | null> =>
    Number.isInteger(rev) && rev > 0 ? maps.revision(rev) : null;

  return {
    blobs,
    /** The newest revision. Repairs the copy and reports the repair in one line. Throws StoreError if no revision can be read. */
    readMap: () => maps.newest(),
    /**
     * Writes `map` as the revision after `map.rev - 1`; throws ConflictError if that revision exists already. Returns warnings
     * about writes that failed after the revision.
     */
    async writeMap(map: ReleaseMap): Promise<string[]> {
      const warnings: string[] = [];
      if (!(await maps.add(map, (text) => warnings.push(text)))) {
        const winner = await readRevision(map.rev);
        throw new ConflictError(
          `the map was changed to revision ${map.rev} by ${winner?.changed.by ?? 'someone else'} first`,
          winner ?? undefined,
        );
      }
      return warnings;
    },
    /** Null if it does not exist, or if it cannot be read. */
    readRevision,
    readManifest: (name: string, version: string) =>
      readOf<ReleaseManifest>(name, version, `r/${name}/${version}/${MANIFEST_FILE}`),
    async readFile(name: string, version: string, file: string): Promise<Buffer | null> {
      if (!isReleaseName(name) || !isReleaseVersion(version)) return null;
      return blobs.get(`r/${name}/${version}/${file}`);
    },
    async names(): Promise<string[]> {
      return (await blobs.list('r/')).filter(isReleaseName).sort();
    },
    /** Newest publish first. */
    async publications(name: string): Promise<Publication[]> {
      if (!isReleaseName(name)) return [];
      const versions = (await blobs.list(`r/${name}/`)).filter(isReleaseVersion);
      const records = await Promise.all(
        versions.map(async (version) => {
          if ((await blobs.stamp(`r/${name}/${version}/${MANIFEST_FILE}`)) === null) return null;
          const publication = await read<Publication>(publicationKey(name, version));
          return publication ?? { name, version, at: new Date(0).toISOString(), by: 'unknown' };
        }),
      );
      return records.filter((record) => record !== null).sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
    },
    /** Null if it was never published, or if it has no record. */
    publication: (name: string, version: string) => readOf<Publication>(name, version, publicationKey(name, version)),
    recordPublication: (publication: Publication) =>
      blobs.put(publicationKey(publication.name, publication.version), toJson(publication)),
    readVerdict: (name: string, version: string) => readOf<GateRecord>(name, version, verdictKey(name, version)),
    recordVerdict: (verdict: GateRecord) => blobs.put(verdictKey(verdict.name, verdict.version), toJson(verdict)),
    async removeRelease(name: string, version: string): Promise<void> {
      if (!isReleaseName(name) || !isReleaseVersion(version))
        throw new StoreError(`${name}@${version} is not a release`);
      await blobs.removeAll(`r/${name}/${version}`);
      await blobs.remove(publicationKey(name, version));
      await blobs.remove(verdictKey(name, version));
    },
  };
}

/** `place`: a folder, or `s3://bucket/prefix`. In a data folder the store is `<dataDir>/store`. */
type StoreOptions = { place: string } | { dataDir: string };

export function openStore(options: StoreOptions): Store {
  const place = 'place' in options ? options.place : join(options.dataDir, 'store');
  if (place.startsWith('s3://')) {
    // Loaded on demand: the SDK is heavy, and a folder does not need it.
    const { s3Blobs } = require('./s3-blobs') as typeof import('./s3-blobs');
    return createStore(s3Blobs(place));
  }
  return createStore(folderBlobs(place));
}
