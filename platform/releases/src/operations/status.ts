import type { AttestationSummary } from '../attestation';
import { signingKeysOf, summaryOf } from '../attestation/judge';
import type { ChannelSettings, MapChange } from '../contract';
import { canaryEntry, liveEntry, rollbackTarget, settingsOf } from '../map';
import type { Store } from '../store/store';
import { DEFAULT_CHANNEL } from './change-map';

export interface StatusRow {
  name: string;
  version: string | null;
  since: string | null;
  by: string | null;
  /** What the publisher of the live release says of it; absent when it was published without. */
  attestation?: AttestationSummary;
  /** The fallback of browsers. */
  previous: string | null;
  /** The target of a rollback that names none. */
  target: string | null;
  canary: {
    version: string;
    traffic: number;
    /** The shares that it goes through by itself; absent for one that a person raises. */
    steps?: number[];
    attestation?: AttestationSummary;
  } | null;
  frozen: Array<{ version: string | null; by: string; why: string }>;
  /** Documents of its pages carry skeletons; absent while they are rendered. */
  renderingOff?: { by: string; why: string };
  /** The version published last, when it is not live. */
  waiting: string | null;
}

export interface Status extends ChannelSettings {
  channel: string;
  rev: number;
  changed: MapChange | null;
  releases: StatusRow[];
}

export async function status(store: Store, channel = DEFAULT_CHANNEL): Promise<Status> {
  const map = await store.readMap(channel);
  const keys = await signingKeysOf(store);
  const names = [...new Set([...Object.keys(map.microFrontends), ...(await store.names())])].sort();
  const releases = await Promise.all(
    names.map(async (name): Promise<StatusRow> => {
      const live = liveEntry(map, name);
      const canary = canaryEntry(map, name);
      const newest = (await store.publications(name))[0]?.version ?? null;
      const version = live?.metadata.version ?? null;
      return {
        name,
        version,
        since: map.ops.since[name]?.at ?? null,
        by: map.ops.since[name]?.by ?? null,
        attestation: version === null ? undefined : await summaryOf(store, name, version, keys),
        previous: live?.extras.previous ?? null,
        target: live ? rollbackTarget(map, name) : null,
        canary: canary
          ? {
              version: canary.metadata.version,
              traffic: canary.deployment.traffic,
              steps: map.ops.plans?.[name]?.steps,
              attestation: await summaryOf(store, name, canary.metadata.version, keys),
            }
          : null,
        frozen: (map.ops.frozen[name] ?? []).map(({ version, by, why }) => ({ version, by, why })),
        renderingOff: map.ops.renderingOff?.[name],
        waiting: newest !== version && newest !== canary?.metadata.version ? newest : null,
      };
    }),
  );
  const changed = map.rev > 0 ? map.changed : null;
  return { channel, rev: map.rev, changed, ...settingsOf(map), releases };
}
