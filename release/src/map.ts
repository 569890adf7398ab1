/**
 * The release map: which release of each is live. Its format follows the Frontend Discovery schema
 * (https://github.com/awslabs/frontend-discovery); what the shell needs besides stands under `extras`, what only
 * operators need under `ops`, which never leaves the server. Everything here is pure: a map goes in, a new map comes out.
 */
import type { FileGroup, ReleaseManifest, RemoteContract, Singletons } from './manifest';

export const MAP_SCHEMA = 'https://raw.githubusercontent.com/awslabs/frontend-discovery/main/schema/v1-pre.json';
export const SHELL = 'shell';
/** How many earlier releases of one name a rollback without a target can step through. */
const TRAIL_LENGTH = 20;

export type MapAction = 'create' | 'promote' | 'canary' | 'rollback' | 'abandon' | 'restore' | 'freeze' | 'unfreeze';

export interface MapChange {
  /** ISO 8601, UTC. */
  at: string;
  by: string;
  action: MapAction;
  /** The release's name, or '*' for the whole map. */
  name: string;
  from: string | null;
  to: string | null;
  why: string;
}

/** The release that a browser falls back to when the live one does not load. */
export interface FallbackRelease {
  version: string;
  base: string;
  entry: string;
  initial: FileGroup;
  exposes: Record<string, FileGroup>;
  /** File to hash, every script and style. */
  integrity: Record<string, string>;
  /** Set in a fallback when its routes differ from those of the live release; the same ones are not repeated. */
  remote?: RemoteContract;
}

export interface MapExtras extends Omit<FallbackRelease, 'version'> {
  previous: string | null;
  fallback: FallbackRelease | null;
  singletons: Singletons;
  runtime: string;
  remote?: RemoteContract;
}

export interface MapEntry {
  url: string;
  fallbackUrl?: string;
  metadata: { version: string; integrity: string };
  /** `traffic` in per cent; the shares of one name sum to 100. The default one serves who has no visitor number. */
  deployment: { traffic: number; default: boolean };
  extras: MapExtras;
}

export interface Freeze {
  /** One version, or null for every promote of the name. */
  version: string | null;
  at: string;
  by: string;
  why: string;
}

export interface MapOps {
  /** Per name, the versions that were live before the present one, oldest first. */
  trail: Record<string, string[]>;
  since: Record<string, { at: string; by: string; action: MapAction }>;
  frozen: Record<string, Freeze[]>;
}

export interface ReleaseMap {
  schema: string;
  channel: string;
  rev: number;
  changed: MapChange;
  microFrontends: Record<string, MapEntry[]>;
  ops: MapOps;
  /** Set only in a page that shows a release which is not live, in one tab. */
  preview?: { name: string; version: string };
}

/** What browsers get: no names of people, no reasons, nothing that the shell does not read. */
export interface PublicMap {
  schema: string;
  channel: string;
  rev: number;
  microFrontends: Record<string, Array<Omit<MapEntry, 'extras'> & { extras: Omit<MapExtras, 'singletons'> }>>;
  preview?: { name: string; version: string };
}

export interface Author {
  by: string;
  why?: string;
  /** ISO 8601; now when absent. */
  at?: string;
}

export class MapError extends Error {
  constructor(
    readonly code:
      | 'unknown-name'
      | 'nothing-live'
      | 'no-earlier'
      | 'frozen'
      | 'already-live'
      | 'bad-traffic'
      | 'no-canary',
    message: string,
  ) {
    super(message);
    this.name = 'MapError';
  }
}

export function emptyMap(channel: string): ReleaseMap {
  return {
    schema: MAP_SCHEMA,
    channel,
    rev: 0,
    changed: { at: new Date(0).toISOString(), by: '', action: 'create', name: '*', from: null, to: null, why: '' },
    microFrontends: {},
    ops: { trail: {}, since: {}, frozen: {} },
  };
}

export const releaseBase = (name: string, version: string): string => `/r/${name}/${version}/`;

/** Every script and style with its hash; pictures and fonts are not executed and stay out of the page. */
function integrityOf(manifest: ReleaseManifest): Record<string, string> {
  const files = Object.entries(manifest.files).filter(([file]) => /\.(js|css)$/.test(file));
  return Object.fromEntries(
    files.sort(([a], [b]) => (a < b ? -1 : 1)).map(([file, { integrity }]) => [file, integrity]),
  );
}

export function toFallback(manifest: ReleaseManifest): FallbackRelease {
  return {
    version: manifest.version,
    base: releaseBase(manifest.name, manifest.version),
    entry: manifest.entry,
    initial: manifest.initial,
    exposes: manifest.exposes,
    integrity: integrityOf(manifest),
  };
}

function toEntry(
  manifest: ReleaseManifest,
  previous: ReleaseManifest | null,
  deployment: MapEntry['deployment'],
): MapEntry {
  const { version, ...release } = toFallback(manifest);
  const fallback = previous && previous.version !== version ? toFallback(previous) : null;
  if (fallback && previous?.remote && JSON.stringify(previous.remote) !== JSON.stringify(manifest.remote)) {
    fallback.remote = previous.remote;
  }
  return {
    url: release.base + release.entry,
    ...(fallback && { fallbackUrl: fallback.base + fallback.entry }),
    metadata: { version, integrity: manifest.files[manifest.entry]?.integrity ?? '' },
    deployment,
    extras: {
      ...release,
      previous: fallback?.version ?? null,
      fallback,
      singletons: manifest.singletons,
      runtime: manifest.runtime,
      ...(manifest.remote && { remote: manifest.remote }),
    },
  };
}

export const liveEntry = (map: Pick<ReleaseMap, 'microFrontends'>, name: string): MapEntry | undefined =>
  map.microFrontends[name]?.find((entry) => entry.deployment.default);
export const canaryEntry = (map: Pick<ReleaseMap, 'microFrontends'>, name: string): MapEntry | undefined =>
  map.microFrontends[name]?.find((entry) => !entry.deployment.default);
export const liveVersion = (map: ReleaseMap, name: string): string | null =>
  liveEntry(map, name)?.metadata.version ?? null;

export function isFrozen(map: ReleaseMap, name: string, version: string): Freeze | undefined {
  return map.ops.frozen[name]?.find((freeze) => freeze.version === null || freeze.version === version);
}

function refuseFrozen(map: ReleaseMap, name: string, version: string): void {
  const freeze = isFrozen(map, name, version);
  if (!freeze) return;
  const target = freeze.version === null ? name : `${name}@${freeze.version}`;
  throw new MapError('frozen', `${target} is frozen by ${freeze.by} since ${freeze.at}: ${freeze.why}`);
}

function next(map: ReleaseMap, change: Omit<MapChange, 'at' | 'by' | 'why'>, author: Author): ReleaseMap {
  const copy = structuredClone(map);
  copy.rev += 1;
  copy.changed = { at: author.at ?? new Date().toISOString(), by: author.by, ...change, why: author.why ?? '' };
  return copy;
}

function makeLive(map: ReleaseMap, name: string, entry: MapEntry): void {
  map.microFrontends[name] = [entry];
  map.ops.since[name] = { at: map.changed.at, by: map.changed.by, action: map.changed.action };
}

/**
 * The map with `manifest` live. `current` is the manifest of what is live now; it becomes the fallback.
 * Promoting the canary finishes it. Throws MapError `already-live` and `frozen`.
 */
export function promoteInMap(
  map: ReleaseMap,
  manifest: ReleaseManifest,
  current: ReleaseManifest | null,
  author: Author,
): ReleaseMap {
  const { name, version } = manifest;
  const from = liveVersion(map, name);
  if (from === version) throw new MapError('already-live', `${name}@${version} is already live`);
  refuseFrozen(map, name, version);
  const copy = next(map, { action: 'promote', name, from, to: version }, author);
  if (from) {
    const trail = (copy.ops.trail[name] ?? []).filter((earlier) => earlier !== version && earlier !== from);
    copy.ops.trail[name] = [...trail, from].slice(-TRAIL_LENGTH);
  }
  makeLive(copy, name, toEntry(manifest, current, { traffic: 100, default: true }));
  return copy;
}

/**
 * The map in which all of these are live from one revision on: the way of a change that no release can go through alone, such
 * as a new major of a singleton. Their fallbacks are gone, because the releases of before do not run beside them.
 */
export function promoteTogetherInMap(
  map: ReleaseMap,
  manifests: readonly ReleaseManifest[],
  author: Author,
): ReleaseMap {
  const changing = manifests.filter(({ name, version }) => liveVersion(map, name) !== version);
  if (changing.length === 0) throw new MapError('already-live', 'all of these are already live');
  let copy = map;
  for (const manifest of changing) copy = promoteInMap(copy, manifest, null, author);
  const named = (versionOf: (manifest: ReleaseManifest) => string | null) =>
    changing.map((manifest) => `${manifest.name}@${versionOf(manifest) ?? 'none'}`).join(' ');
  const changed = {
    ...copy.changed,
    name: '*',
    from: named(({ name }) => liveVersion(map, name)),
    to: named(({ version }) => version),
  };
  return { ...copy, rev: map.rev + 1, changed };
}

/** The map in which `traffic` per cent of the visitors get `manifest` and the others what is live. Sets a new share too. */
export function canaryInMap(
  map: ReleaseMap,
  manifest: ReleaseManifest,
  current: ReleaseManifest,
  traffic: number,
  author: Author,
): ReleaseMap {
  const { name, version } = manifest;
  if (!Number.isFinite(traffic) || traffic <= 0 || traffic >= 100) {
    throw new MapError('bad-traffic', `a canary takes more than 0 and less than 100 per cent, not ${traffic}`);
  }
  const live = liveEntry(map, name);
  if (!live)
    throw new MapError('nothing-live', `nothing of ${name} is live, so there is nothing to compare a canary with`);
  if (live.metadata.version === version) throw new MapError('already-live', `${name}@${version} is already live`);
  refuseFrozen(map, name, version);
  const from = canaryEntry(map, name)?.metadata.version === version ? version : live.metadata.version;
  const copy = next(map, { action: 'canary', name, from, to: version }, author);
  copy.changed.why = [`${traffic} % of the visitors`, copy.changed.why].filter(Boolean).join(': ');
  copy.microFrontends[name] = [
    { ...structuredClone(live), deployment: { traffic: 100 - traffic, default: true } },
    toEntry(manifest, current, { traffic, default: false }),
  ];
  return copy;
}

/** The map without the canary of `name`. */
export function abandonInMap(map: ReleaseMap, name: string, author: Author): ReleaseMap {
  const canary = canaryEntry(map, name);
  const live = liveEntry(map, name);
  if (!canary || !live) throw new MapError('no-canary', `${name} has no canary`);
  const copy = next(map, { action: 'abandon', name, from: canary.metadata.version, to: live.metadata.version }, author);
  copy.microFrontends[name] = [{ ...structuredClone(live), deployment: { traffic: 100, default: true } }];
  return copy;
}

/** The version that a rollback without a target goes to: the last one that was live and is not frozen. */
export function rollbackTarget(map: ReleaseMap, name: string): string | null {
  const trail = map.ops.trail[name] ?? [];
  const live = liveVersion(map, name);
  const frozen = (map.ops.frozen[name] ?? []).map((freeze) => freeze.version);
  return trail.findLast((version) => version !== live && !frozen.includes(version)) ?? null;
}

/**
 * The map with the earlier release `manifest` live again. A second rollback goes further back, never forward to what
 * was just left. `before` is the manifest that becomes the fallback; see `fallbackAfterRollback`.
 */
export function rollbackInMap(
  map: ReleaseMap,
  manifest: ReleaseManifest,
  before: ReleaseManifest | null,
  author: Author,
): ReleaseMap {
  const { name, version } = manifest;
  const from = liveVersion(map, name);
  if (!from) throw new MapError('nothing-live', `nothing of ${name} is live`);
  if (from === version) throw new MapError('already-live', `${name}@${version} is already live`);
  // A freeze of the whole name stops squads, not a rollback.
  if (map.ops.frozen[name]?.some((freeze) => freeze.version === version)) refuseFrozen(map, name, version);
  const copy = next(map, { action: 'rollback', name, from, to: version }, author);
  copy.ops.trail[name] = trailBefore(map, name, version);
  makeLive(copy, name, toEntry(manifest, before, { traffic: 100, default: true }));
  return copy;
}

function trailBefore(map: ReleaseMap, name: string, version: string): string[] {
  const trail = map.ops.trail[name] ?? [];
  const index = trail.lastIndexOf(version);
  return index === -1 ? trail : trail.slice(0, index);
}

/** The version that becomes the fallback once `name` is rolled back to `version`, if there is an earlier one. */
export function fallbackAfterRollback(map: ReleaseMap, name: string, version: string): string | null {
  return trailBefore(map, name, version).findLast((earlier) => earlier !== version) ?? null;
}

/** The whole map as it was at an earlier revision, as a new revision. Freezes made since stay. */
export function restoreInMap(map: ReleaseMap, earlier: ReleaseMap, author: Author): ReleaseMap {
  const copy = next(map, { action: 'restore', name: '*', from: String(map.rev), to: String(earlier.rev) }, author);
  copy.microFrontends = structuredClone(earlier.microFrontends);
  copy.ops.trail = structuredClone(earlier.ops.trail);
  const now = { at: copy.changed.at, by: author.by, action: copy.changed.action };
  const stays = (name: string) => liveVersion(map, name) === liveVersion(earlier, name);
  copy.ops.since = Object.fromEntries(
    Object.keys(earlier.microFrontends).map((name) => [name, (stays(name) && map.ops.since[name]) || now]),
  );
  return copy;
}

export function freezeInMap(map: ReleaseMap, name: string, version: string | null, author: Author): ReleaseMap {
  const copy = next(map, { action: 'freeze', name, from: null, to: version }, author);
  const others = (copy.ops.frozen[name] ?? []).filter((freeze) => freeze.version !== version);
  copy.ops.frozen[name] = [...others, { version, at: copy.changed.at, by: author.by, why: author.why ?? '' }];
  return copy;
}

export function unfreezeInMap(map: ReleaseMap, name: string, version: string | null, author: Author): ReleaseMap {
  const copy = next(map, { action: 'unfreeze', name, from: version, to: null }, author);
  const left = (copy.ops.frozen[name] ?? []).filter((freeze) => freeze.version !== version);
  if (left.length === (copy.ops.frozen[name] ?? []).length) {
    throw new MapError('unknown-name', `${name}${version ? `@${version}` : ''} is not frozen`);
  }
  copy.ops.frozen[name] = left;
  return copy;
}

/** The map with a published release in place of the live one, for one page view. Never written to a store. */
export function previewInMap(map: ReleaseMap, manifest: ReleaseManifest, current: ReleaseManifest | null): ReleaseMap {
  const copy = structuredClone(map);
  copy.microFrontends[manifest.name] = [toEntry(manifest, current, { traffic: 100, default: true })];
  copy.preview = { name: manifest.name, version: manifest.version };
  // An open tab takes a newer revision over; a preview must not be taken over by what is live.
  copy.rev = Number.MAX_SAFE_INTEGER;
  return copy;
}

export function toPublicMap(map: ReleaseMap): PublicMap {
  const { schema, channel, rev, microFrontends, preview } = map;
  return {
    schema,
    channel,
    rev,
    microFrontends: Object.fromEntries(
      Object.entries(microFrontends).map(([name, entries]) => [
        name,
        entries.map(({ extras: { singletons: _, ...extras }, ...entry }) => ({ ...entry, extras })),
      ]),
    ),
    ...(preview && { preview }),
  };
}

/** What the shell reads of a release to run it. */
export interface PageRelease {
  base: string;
  entry: string;
  /** Of the entry. */
  integrity?: Record<string, string>;
  remote?: RemoteContract;
}

export interface PageMap {
  schema: string;
  channel: string;
  rev: number;
  microFrontends: Record<
    string,
    Array<
      Pick<MapEntry, 'url' | 'metadata' | 'deployment'> & {
        extras: PageRelease & { previous: string | null; fallback?: PageRelease & { version: string } };
      }
    >
  >;
  preview?: { name: string; version: string };
}

const entryIntegrity = ({ entry, integrity }: Pick<FallbackRelease, 'entry' | 'integrity'>) =>
  integrity[entry] ? { [entry]: integrity[entry] } : {};

/** A contract without what only a build reads. */
function toPageContract(remote: RemoteContract): RemoteContract {
  const { $schema: _, ...contract } = remote;
  return {
    ...contract,
    routes: remote.routes.map(({ firstCalls: _, ...route }) => ({ ...route, module: '' })),
  };
}

/**
 * What a page carries of the map: what the shell reads to route and to run an entry, because every byte of it stands before the
 * first script. Files of pages and their hashes are left out: the document names those of its own route, and an entry knows
 * the hashes of its chunks. The whole is at /releases/<channel>.json.
 */
export function toPageMap(map: ReleaseMap): PageMap {
  const { schema, channel, rev, preview } = map;
  const microFrontends = Object.entries(map.microFrontends).map(([name, entries]) => [
    name,
    entries.map(({ url, metadata, deployment, extras: { base, entry, integrity, previous, fallback, remote } }) => ({
      url,
      metadata,
      deployment,
      extras: {
        base,
        entry,
        ...(name !== SHELL && { integrity: entryIntegrity({ entry, integrity }) }),
        previous,
        ...(name !== SHELL &&
          fallback && {
            fallback: {
              version: fallback.version,
              base: fallback.base,
              entry: fallback.entry,
              integrity: entryIntegrity(fallback),
              ...(fallback.remote && { remote: toPageContract(fallback.remote) }),
            },
          }),
        ...(remote && { remote: toPageContract(remote) }),
      },
    })),
  ]);
  return { schema, channel, rev, microFrontends: Object.fromEntries(microFrontends), ...(preview && { preview }) };
}

/** Every version that the map can send a browser to: live, canary and their fallbacks. */
export function versionsInMap(map: ReleaseMap, name: string): Set<string> {
  const versions = (map.microFrontends[name] ?? []).flatMap((entry) => [entry.metadata.version, entry.extras.previous]);
  return new Set(versions.filter((version) => version !== null));
}
