/**
 * Functions that all changes of a map share. All functions of this folder are pure, except those that say that they change `map` in place.
 */
import type { Freeze, MapChange, MapEntry, ReleaseMap } from '../contract';
import { hasControlCharacters, terminalText } from '../plain-text';

export interface Author {
  by: string;
  /** Role of the author's key or account; absent for work on the store itself. */
  role?: string;
  why?: string;
  /** ISO 8601; default now. */
  at?: string;
}

/** The map does not permit the change. `code`: the reasons that callers distinguish. */
export class MapError extends Error {
  override name = 'MapError';

  constructor(
    message: string,
    readonly code?: 'frozen' | 'already-live',
  ) {
    super(message);
  }
}

/** A copy with the next revision number and the recorded change. Throws MapError for a reason or a name with control characters. */
export function nextRevision(
  map: ReleaseMap,
  change: Omit<MapChange, 'at' | 'by' | 'why'>,
  author: Author,
): ReleaseMap {
  for (const text of [author.by, author.why ?? ''])
    if (hasControlCharacters(text))
      throw new MapError(`${JSON.stringify(terminalText(text))} holds control characters; type it again`);
  const copy = structuredClone(map);
  copy.rev += 1;
  copy.changed = { at: author.at ?? new Date().toISOString(), by: author.by, ...change, why: author.why ?? '' };
  return copy;
}

const WITHDRAWN_LENGTH = 20;

export function withdraw(map: ReleaseMap, name: string, versions: readonly string[]): void {
  const others = (map.ops.withdrawn?.[name] ?? []).filter((version) => !versions.includes(version));
  map.ops.withdrawn = { ...map.ops.withdrawn, [name]: [...others, ...versions].slice(-WITHDRAWN_LENGTH) };
}

/** A version that is live again is no longer withdrawn. Changes `map` in place. */
export function reinstate(map: ReleaseMap, name: string, version: string): void {
  const withdrawn = map.ops.withdrawn?.[name];
  if (withdrawn?.includes(version)) withdrawn.splice(withdrawn.indexOf(version), 1);
}

/** Remembers the last rollback of a name, or forgets it. Changes `map` in place. */
export function setRolledBack(map: ReleaseMap, name: string, change?: { from: string; to: string | null }): void {
  const { [name]: _, ...others } = map.ops.rolledBack ?? {};
  map.ops.rolledBack = change ? { ...others, [name]: change } : others;
}

/** Changes `map` in place. */
export function addFreeze(map: ReleaseMap, name: string, version: string | null, author: Author): void {
  const others = (map.ops.frozen[name] ?? []).filter((freeze) => freeze.version !== version);
  map.ops.frozen[name] = [...others, { version, at: map.changed.at, by: author.by, why: author.why ?? '' }];
}

/** Changes `map` in place. */
export function makeLive(map: ReleaseMap, name: string, entry: MapEntry): void {
  setEntries(map, name, [entry]);
  map.ops.since[name] = { at: map.changed.at, by: map.changed.by, action: map.changed.action };
}

/** Also forgets the plan and the role of a canary, and the last rollback. Changes `map` in place. */
export function setEntries(map: ReleaseMap, name: string, entries: MapEntry[]): void {
  if (entries.length > 0) map.microFrontends[name] = entries;
  else delete map.microFrontends[name];
  for (const { metadata } of entries) reinstate(map, name, metadata.version);
  setRolledBack(map, name);
  for (const field of ['plans', 'canaryRoles'] as const) {
    delete map.ops[field]?.[name];
    if (Object.keys(map.ops[field] ?? {}).length === 0) delete map.ops[field];
  }
}

export function isFrozen(map: ReleaseMap, name: string, version: string): Freeze | undefined {
  return map.ops.frozen[name]?.find((freeze) => freeze.version === null || freeze.version === version);
}

/** Throws MapError `frozen`. */
export function refuseFrozen(map: ReleaseMap, name: string, version: string): void {
  const freeze = isFrozen(map, name, version);
  if (!freeze) return;
  const target = freeze.version === null ? name : `${name}@${freeze.version}`;
  throw new MapError(`${target} is frozen by ${freeze.by} since ${freeze.at}: ${terminalText(freeze.why)}`, 'frozen');
}
