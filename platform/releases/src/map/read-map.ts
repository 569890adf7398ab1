import { CHANNEL, type MapEntry, type ReleaseMap } from '../contract';

export function emptyMap(): ReleaseMap {
  return {
    channel: CHANNEL,
    rev: 0,
    changed: { at: new Date(0).toISOString(), by: '', action: 'create', name: '*', from: null, to: null, why: '' },
    microFrontends: {},
    ops: { trail: {}, since: {}, frozen: {} },
  };
}

type Entries = Pick<ReleaseMap, 'microFrontends'>;

export const liveEntry = (map: Entries, name: string): MapEntry | undefined =>
  map.microFrontends[name]?.find((entry) => entry.deployment.default);

export const canaryEntry = (map: Entries, name: string): MapEntry | undefined =>
  map.microFrontends[name]?.find((entry) => !entry.deployment.default);

export const liveVersion = (map: Entries, name: string): string | null =>
  liveEntry(map, name)?.metadata.version ?? null;

/** Every version that the map can send a browser to: live, canary and their fallbacks. */
export function versionsInMap(map: Entries, name: string): Set<string> {
  const versions = (map.microFrontends[name] ?? []).flatMap((entry) => [
    entry.metadata.version,
    entry.extras.fallback?.version,
  ]);
  return new Set(versions.filter((version) => version !== undefined));
}
