/** Who still uses what is to go: calls, and calls whose answers or inputs have fields that are to go, by the releases of the visit. */
import { type CallShape, type ReleaseManifest, type ReleaseMap, retiring, selectEntry } from '@platform/releases';
import { LRUCache } from 'lru-cache';
import { metricLines } from './metric-lines';
import type { Visit } from './visit-token';

export interface RetiringCallsOptions {
  calls: Readonly<Record<string, CallShape>>;
  /** The map of a revision; null for one that is lost. */
  mapAt(rev: number): Promise<ReleaseMap | null>;
  manifestOf(name: string, version: string): Promise<ReleaseManifest | null>;
}

interface Use {
  call: string;
  /** '' for the call itself. */
  field: string;
  /** Of which date on it may be gone. */
  on: string;
  /** `name@version`; 'unknown' for what came without a document of this server. */
  release: string;
}

/** Counts in this process, for Prometheus. */
export class RetiringCalls {
  private readonly counts = new LRUCache<string, Use & { calls: number }>({ max: 5_000 });
  private readonly manifests = new LRUCache<string, { manifest: ReleaseManifest | null }>({ max: 100 });

  constructor(private readonly options: RetiringCallsOptions) {}

  /** Whether anything of a call is to go; most calls stop here. */
  concerns(call: string): boolean {
    return this.options.calls[call]?.retires !== undefined;
  }

  /** `visit`: of the document that the call belongs to; null when nobody knows. */
  async note(call: string, visit: Pick<Visit, 'rev' | 'visitor'> | null): Promise<void> {
    const { calls, mapAt } = this.options;
    const server = { [call]: calls[call] as CallShape };
    const map = visit && (await mapAt(visit.rev));
    const uses = map ? await this.usesOf(map, visit.visitor, call, server) : [];
    const known = uses.length > 0 ? uses : retiring(server, server).map((one) => ({ ...one, release: 'unknown' }));
    for (const use of known) {
      const key = `${use.call} ${use.field} ${use.release}`;
      const { calls: before = 0 } = this.counts.get(key) ?? {};
      this.counts.set(key, { ...use, calls: before + 1 });
    }
  }

  private async usesOf(
    map: ReleaseMap,
    visitor: number | null,
    call: string,
    server: Record<string, CallShape>,
  ): Promise<Use[]> {
    const given = Object.entries(map.microFrontends).flatMap(([name, entries]) => {
      const version = selectEntry(entries, visitor)?.metadata.version;
      return version ? [{ name, version }] : [];
    });
    const found = given.map(async ({ name, version }) => {
      const release = `${name}@${version}`;
      const kept = this.manifests.get(release) ?? { manifest: await this.options.manifestOf(name, version) };
      this.manifests.set(release, kept);
      const used = kept.manifest?.uses?.calls[call];
      return used ? retiring({ [call]: used }, server).map((one) => ({ ...one, release })) : [];
    });
    return (await Promise.all(found)).flat();
  }

  lines(prefix: string): string[] {
    const help = 'Calls that use what is to go, by the release that made them.';
    const samples = [...this.counts.values()].map(({ calls: value, ...labels }) => ({ labels, value }));
    const order = ({ labels }: (typeof samples)[number]) => JSON.stringify(labels);
    samples.sort((left, right) => (order(left) < order(right) ? -1 : 1));
    return samples.length > 0
      ? metricLines({ name: `${prefix}_retiring_calls_total`, type: 'counter', help }, samples)
      : [];
  }
}
