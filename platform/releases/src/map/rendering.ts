import { type ReleaseMap, SHELL } from '../contract';
import { type Author, MapError, nextRevision } from './map-change';

/** Pages of this remote are sent as skeletons; with the shell's name, those of all remotes. */
export function renderingOffInMap(map: ReleaseMap, name: string, author: Author): ReleaseMap {
  const next = nextRevision(map, { action: 'render-off', name, from: null, to: null }, author);
  const off = { at: next.changed.at, by: author.by, why: author.why ?? '' };
  next.ops.renderingOff = { ...next.ops.renderingOff, [name]: off };
  return next;
}

/** Throws MapError `unknown-name` if rendering is not off. */
export function renderingOnInMap(map: ReleaseMap, name: string, author: Author): ReleaseMap {
  if (!map.ops.renderingOff?.[name]) throw new MapError('unknown-name', `rendering of ${name} is not off`);
  const next = nextRevision(map, { action: 'render-on', name, from: null, to: null }, author);
  const { [name]: _, ...others } = next.ops.renderingOff ?? {};
  if (Object.keys(others).length > 0) next.ops.renderingOff = others;
  else delete next.ops.renderingOff;
  return next;
}

export const isRenderingOff = ({ ops: { renderingOff } }: ReleaseMap, name: string): boolean =>
  Boolean(renderingOff?.[SHELL] ?? renderingOff?.[name]);
