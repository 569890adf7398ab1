/**
 * What browsers report of each release, counted per minute in memory. Nothing of it names a person. Each server process counts
 * what it is sent; a restart begins again, and then the watcher waits for enough visits before it judges.
 */
export type HealthKind = 'visit' | 'load' | 'render' | 'vital';
export type Metric = 'LCP' | 'INP' | 'CLS';

export interface HealthEvent {
  name: string;
  version: string;
  kind: HealthKind;
  /** The exposed module, './home'. */
  page: string;
  /** A load failure after which the fallback release worked. */
  recovered?: boolean;
  metric?: Metric;
  /** Milliseconds; for CLS the score. */
  value?: number;
}

export interface Totals {
  visits: number;
  /** Load failures, recovered or not, and render errors. */
  failures: number;
  /** Failures for each visit, 0 to 1; 0 without visits. */
  share: number;
}

interface Minute {
  visits: number;
  load: number;
  render: number;
}

interface Counted {
  minutes: Map<number, Minute>;
  vitals: Record<Metric, number[]>;
}

const MINUTE = 60_000;
const KEPT_MINUTES = 360;
const KEPT_RELEASES = 200;
const KEPT_SAMPLES = 500;

export class HealthCounts {
  private readonly releases = new Map<string, Counted>();

  constructor(private readonly now: () => number = Date.now) {}

  add(event: HealthEvent): void {
    const counted = this.of(event.name, event.version);
    if (event.kind === 'vital') {
      if (!event.metric || event.value === undefined) return;
      const samples = counted.vitals[event.metric];
      samples.push(event.value);
      if (samples.length > KEPT_SAMPLES) samples.shift();
      return;
    }
    const minute = Math.floor(this.now() / MINUTE);
    const cell = counted.minutes.get(minute) ?? { visits: 0, load: 0, render: 0 };
    cell[event.kind === 'visit' ? 'visits' : event.kind] += 1;
    counted.minutes.set(minute, cell);
    for (const old of counted.minutes.keys()) {
      if (old >= minute - KEPT_MINUTES) break;
      counted.minutes.delete(old);
    }
  }

  private of(name: string, version: string): Counted {
    const key = `${name}@${version}`;
    const known = this.releases.get(key) ?? { minutes: new Map(), vitals: { LCP: [], INP: [], CLS: [] } };
    // Moved to the end, so that the least recently reported is evicted first.
    this.releases.delete(key);
    this.releases.set(key, known);
    const oldest = this.releases.keys().next().value;
    if (this.releases.size > KEPT_RELEASES && oldest) this.releases.delete(oldest);
    return known;
  }

  /** Between two times, whole minutes. */
  totals(name: string, version: string, from = 0, to = Number.POSITIVE_INFINITY): Totals {
    let visits = 0;
    let failures = 0;
    for (const [minute, cell] of this.releases.get(`${name}@${version}`)?.minutes ?? []) {
      if (minute < Math.floor(from / MINUTE) || minute * MINUTE >= to) continue;
      visits += cell.visits;
      failures += cell.load + cell.render;
    }
    return { visits, failures, share: visits > 0 ? Math.min(1, failures / visits) : 0 };
  }

  /** Share of failures per minute, oldest first; null without visits. */
  series(name: string, version: string, minutes = 30): Array<number | null> {
    const end = Math.floor(this.now() / MINUTE);
    const cells = this.releases.get(`${name}@${version}`)?.minutes;
    return Array.from({ length: minutes }, (_, index) => {
      const cell = cells?.get(end - minutes + 1 + index);
      return cell && cell.visits > 0 ? Math.min(1, (cell.load + cell.render) / cell.visits) : null;
    });
  }

  /** The 75th percentile of the latest samples, as Core Web Vitals take it. */
  vitals(name: string, version: string): Partial<Record<Metric, number>> {
    const result: Partial<Record<Metric, number>> = {};
    for (const [metric, samples] of Object.entries(this.releases.get(`${name}@${version}`)?.vitals ?? {})) {
      const sorted = [...samples].sort((left, right) => left - right);
      const value = sorted[Math.ceil(sorted.length * 0.75) - 1];
      if (value !== undefined) result[metric as Metric] = value;
    }
    return result;
  }
}
