import { LRUCache } from 'lru-cache';

interface RenderCounts {
  name: string;
  version: string;
  pages: number;
  seconds: number;
  failures: Record<string, number>;
}

const MOST_RELEASES = 200;

export class RenderStatistics {
  private readonly releases = new LRUCache<string, RenderCounts>({ max: MOST_RELEASES });

  rendered(name: string, version: string, milliseconds: number): void {
    const counts = this.countsOf(name, version);
    counts.pages += 1;
    counts.seconds += milliseconds / 1000;
  }

  /** Returns whether it is the first failure of this release for this reason. */
  failed(name: string, version: string, reason: string): boolean {
    const counts = this.countsOf(name, version);
    const before = counts.failures[reason] ?? 0;
    counts.failures[reason] = before + 1;
    return before === 0;
  }

  all(): RenderCounts[] {
    return [...this.releases.values()];
  }

  /**
   * Returns lines for Prometheus, with names that begin with the prefix, for the `shown` releases (`name@version`): previews and
   * past releases would add series without end.
   */
  lines(prefix: string, processes: number, shown: ReadonlySet<string>): string[] {
    const releases = [...shown].flatMap((key) => this.releases.peek(key) ?? []);
    const label = ({ name, version }: RenderCounts) => `name="${name}",version="${version}"`;
    return [
      `# TYPE ${prefix}_render_processes gauge`,
      `${prefix}_render_processes ${processes}`,
      `# TYPE ${prefix}_rendered_pages_total counter`,
      ...releases.map((release) => `${prefix}_rendered_pages_total{${label(release)}} ${release.pages}`),
      `# TYPE ${prefix}_rendered_seconds_total counter`,
      ...releases.map((release) => `${prefix}_rendered_seconds_total{${label(release)}} ${release.seconds.toFixed(6)}`),
      `# TYPE ${prefix}_render_failures_total counter`,
      ...releases.flatMap((release) =>
        Object.entries(release.failures).map(
          ([reason, count]) => `${prefix}_render_failures_total{${label(release)},reason="${reason}"} ${count}`,
        ),
      ),
    ];
  }

  private countsOf(name: string, version: string): RenderCounts {
    const key = `${name}@${version}`;
    const existing = this.releases.get(key);
    if (existing) return existing;
    const counts: RenderCounts = { name, version, pages: 0, seconds: 0, failures: {} };
    this.releases.set(key, counts);
    return counts;
  }
}
