import type { ChannelSettings, ReleaseMap } from '../contract';
import { type Author, MapError, nextRevision } from './map-change';

const BY_DEFAULT: ChannelSettings = { provenance: 'off' };

export const settingsOf = ({ ops }: Pick<ReleaseMap, 'ops'>): ChannelSettings => ({ ...BY_DEFAULT, ...ops.settings });

const textOf = ({ provenance }: Partial<ChannelSettings>): string => `provenance ${provenance}`;

/** Leaves absent settings as they are. Throws MapError `unchanged` when all of them have these values. */
export function settingsInMap(map: ReleaseMap, wanted: Partial<ChannelSettings>, author: Author): ReleaseMap {
  const now = settingsOf(map);
  const names = Object.keys(wanted) as Array<keyof ChannelSettings>;
  const before = Object.fromEntries(names.map((name) => [name, now[name]]));
  if (JSON.stringify(before) === JSON.stringify(wanted)) throw new MapError('unchanged', `${textOf(before)} already`);
  const change = { action: 'settings', name: '*', from: textOf(before), to: textOf(wanted) } as const;
  const next = nextRevision(map, change, author);
  next.ops.settings = { ...map.ops.settings, ...wanted };
  return next;
}
