import type { ReleaseMap } from '../contract';
import { type Author, addFreeze, MapError, nextRevision } from './map-change';

export function freezeInMap(map: ReleaseMap, name: string, version: string | null, author: Author): ReleaseMap {
  const next = nextRevision(map, { action: 'freeze', name, from: null, to: version }, author);
  addFreeze(next, name, version, author);
  return next;
}

/** Throws MapError `unknown-name` if there is no such freeze. */
export function unfreezeInMap(map: ReleaseMap, name: string, version: string | null, author: Author): ReleaseMap {
  const next = nextRevision(map, { action: 'unfreeze', name, from: version, to: null }, author);
  const frozen = next.ops.frozen[name] ?? [];
  const left = frozen.filter((freeze) => freeze.version !== version);
  if (left.length === frozen.length) {
    throw new MapError('unknown-name', `${name}${version ? `@${version}` : ''} is not frozen`);
  }
  next.ops.frozen[name] = left;
  return next;
}
