/** Switches of ops in a map: a freeze stops promotes, and pages of a remote can be left unrendered. */
import { type ReleaseMap, SHELL } from '../contract';
import { type Author, addFreeze, MapError, nextRevision } from './map-change';

export function freezeInMap(map: ReleaseMap, name: string, version: string | null, author: Author): ReleaseMap {
  const next = nextRevision(map, { action: 'freeze', name, from: null, to: version }, author);
  addFreeze(next, name, version, author);
  return next;
}

/** Throws MapError if there is no such freeze. */
export function unfreezeInMap(map: ReleaseMap, name: string, version: string | null, author: Author): ReleaseMap {
  const next = nextRevision(map, { action: 'unfreeze', name, from: version, to: null }, author);
  const frozen = next.ops.frozen[name] ?? [];
  const left = frozen.filter((freeze) => freeze.version !== version);
  if (left.length === frozen.length) {
    throw new MapError(`${name}${version ? `@${version}` : ''} is not frozen`);
  }
  next.ops.frozen[name] = left;
  return next;
}

/** Pages of this remote are sent as skeletons; with the shell's name, those of all remotes. Throws MapError. */
export function renderingOffInMap(map: ReleaseMap, name: string, author: Author): ReleaseMap {
  if (!map.microFrontends[name]) throw new MapError(`no release of ${name} is live`);
  const next = nextRevision(map, { action: 'render-off', name, from: null, to: null }, author);
  const off = { at: next.changed.at, by: author.by, why: author.why ?? '' };
  next.ops.renderingOff = { ...next.ops.renderingOff, [name]: off };
  return next;
}

/** Throws MapError if rendering is not off. */
export function renderingOnInMap(map: ReleaseMap, name: string, author: Author): ReleaseMap {
  if (!map.ops.renderingOff?.[name]) throw new MapError(`rendering of ${name} is not off`);
  const next = nextRevision(map, { action: 'render-on', name, from: null, to: null }, author);
  const { [name]: _, ...others } = next.ops.renderingOff ?? {};
  if (Object.keys(others).length > 0) next.ops.renderingOff = others;
  else delete next.ops.renderingOff;
  return next;
}

export const isRenderingOff = ({ ops: { renderingOff } }: ReleaseMap, name: string): boolean =>
  Boolean(renderingOff?.[SHELL] ?? renderingOff?.[name]);
