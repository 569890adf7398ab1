import type { ChannelSettings, ReleaseMap } from '../contract';
import { type Author, MapError, nextRevision } from './map-change';

const BY_DEFAULT: ChannelSettings = { provenance: 'off', overrides: 'on' };

export const settingsOf = ({ ops }: Pick<ReleaseMap, 'ops'>): ChannelSettings => ({ ...BY_DEFAULT, ...ops.settings });

/** Throws MapError `unchanged` when all is set so already. */
export function settingsInMap(map: ReleaseMap, wanted: Partial<ChannelSettings>, author: Author): ReleaseMap {
  const now = settingsOf(map);
  const then = { ...now, ...wanted };
  const names = (['provenance', 'overrides'] as const).filter((name) => wanted[name] !== undefined);
  const textOf = (settings: ChannelSettings) => names.map((name) => `${name} ${settings[name]}`).join(', ');
  const [from, to] = [textOf(now), textOf(then)];
  if (from === to)
    throw new MapError('unchanged', `${names.map((name) => `${name} is ${now[name]}`).join(', ')} already`);
  const next = nextRevision(map, { action: 'settings', name: '*', from, to }, author);
  next.ops.settings = { ...map.ops.settings, ...wanted };
  return next;
}
