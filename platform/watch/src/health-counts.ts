import type { ReleaseMap } from '@platform/releases';
import { LRUCache } from 'lru-cache';
import {
  type FailureKind,
  fileOfPlace,
  type HealthEvent,
  isFailure,
  REFUSED,
  toContext,
  toEvent,
  type VisitContext,
} from './health-event';
import type { CountedError, CountedMinute, HealthStore, Samples, Segment, Vote } from './health-store';
import { NetworkBudget } from './network-budget';
import { ReleaseMetrics, trafficOf } from './release-metrics';
import { bucketOf } from './vitals';

/** The most counts that are not stored yet; further ones are dropped while the store is away. */
const MOST_PENDING = 20_000;
const SLICE_MS = 10_000;

interface Reporter {
  /** The IP prefix whose visits share a budget and a sample. */
  network: string;
  context: VisitContext;
  /** Per cent of the visitors who get this release now; 0 if it is no longer live. */
  traffic: number;
}

interface Visit {
  network: string;
  id: string;
  /** False if its network's budget was used up. */
  counted: boolean;
  failed: boolean;
  at: number;
  segment: Segment;
}

interface PendingMinute extends Omit<CountedMinute, 'age'> {
  slice: number;
}
interface PendingVote extends Omit<Vote, 'age'> {
  at: number;
}

class PendingCounts {
  readonly minutes = new Map<string, PendingMinute>();
  readonly votes = new Map<string, PendingVote>();
  readonly vitals = new Map<string, Samples>();
  readonly errors = new Map<string, CountedError>();

  get size(): number {
    return this.minutes.size + this.votes.size + this.vitals.size + this.errors.size;
  }

  addMinute(row: PendingMinute): string {
    const { visits, failures, ...rest } = row;
    const key = JSON.stringify(rest);
    addRow(this.minutes, key, { ...row }, (counted) => {
      counted.visits += visits;
      counted.failures += failures;
    });
    return key;
  }

  /** The first visit of a network; the store keeps the first of all. */
  addVote(row: PendingVote): void {
    addRow(this.votes, `${row.network} ${row.name}@${row.version} ${row.traffic}`, row, (vote) => {
      if (vote.visit !== row.visit) return;
      vote.failed ||= row.failed;
      vote.added.push(...row.added);
    });
  }

  addError(row: CountedError): void {
    addRow(this.errors, `${row.name}@${row.version} ${row.kind} ${row.at}`, { ...row }, (counted) => {
      counted.visits += row.visits;
    });
  }

  addSamples(row: Samples): void {
    addRow(this.vitals, `${row.name}@${row.version} ${row.metric} ${row.bucket}`, { ...row }, (histogram) => {
      histogram.samples += row.samples;
    });
  }
}

function addRow<Row>(rows: Map<string, Row>, key: string, row: Row, merge: (counted: Row) => void): void {
  const counted = rows.get(key);
  if (counted) merge(counted);
  else if (rows.size < MOST_PENDING) rows.set(key, row);
}

/**
 * Counts reports of browsers until `flush` adds them to the store, which all servers share. Times are by the store's clock: this
 * process only knows how long ago something was.
 */
export class HealthCounts {
  private readonly visits = new LRUCache<string, Visit>({ max: 50_000 });
  readonly metrics = new ReleaseMetrics();
  private readonly budget: NetworkBudget;
  private waiting = new PendingCounts();

  constructor(
    secret: string,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.budget = new NetworkBudget(secret, now);
  }

  get pending(): number {
    return this.waiting.size;
  }

  add(event: HealthEvent, reporter: Reporter): void {
    if (event.kind === 'vital') {
      this.addVital(event, reporter);
      return;
    }
    if (event.kind === REFUSED) {
      this.addRefused(event, reporter);
      return;
    }
    const failure = isFailure(event.kind) ? event.kind : null;
    if (!failure && event.kind !== 'visit') return;
    const key = `${event.visit} ${event.name}@${event.version} ${reporter.network}`;
    const visit = this.visits.get(key) ?? this.begin(key, event, reporter);
    if (failure) this.fail(visit, failure, event.at);
  }

  private begin(
    key: string,
    { name, version, visit: id }: HealthEvent,
    { network, context, traffic }: Reporter,
  ): Visit {
    const { language, device, signedIn } = context;
    const visit: Visit = {
      network: this.budget.hash(network),
      id: BigInt.asIntN(64, BigInt(`0x${id}`)).toString(),
      counted: this.budget.take(`${network} ${name}@${version}`),
      failed: false,
      at: this.now(),
      segment: { name, version, traffic, language, device, signed_in: signedIn },
    };
    this.visits.set(key, visit);
    if (!visit.counted) return visit;
    this.count(visit, 1, 0);
    this.metrics.of(name, version).visits += 1;
    return visit;
  }

  private fail(visit: Visit, kind: FailureKind, at = ''): void {
    if (visit.failed) return;
    visit.failed = true;
    if (!visit.counted) return;
    this.count(visit, 0, 1);
    const { name, version } = visit.segment;
    this.metrics.of(name, version).failures[kind] += 1;
    this.waiting.addError({ name, version, kind, at, visits: 1 });
  }

  private count({ segment, at, network, id: visit, failed }: Visit, visits: number, failures: number): void {
    const minute = this.waiting.addMinute({ ...segment, slice: Math.floor(at / SLICE_MS), visits, failures });
    this.waiting.addVote({ ...segment, at, network, visit, failed, added: [{ minute, visits, failures }] });
  }

  private addVital({ name, version, metric, value }: HealthEvent, { network }: Reporter): void {
    if (!metric || value === undefined || !this.budget.take(`${network} ${name}@${version} ${metric}`)) return;
    this.metrics.of(name, version).vitals[metric].add(value);
    this.waiting.addSamples({ name, version, metric, bucket: bucketOf(metric, value), samples: 1 });
  }

  /** Counted once for each visit. Stored with the vitals, whose samples are of visits too. */
  private addRefused({ name, version }: HealthEvent, { network }: Reporter): void {
    if (!this.budget.take(`${network} ${name}@${version} ${REFUSED}`)) return;
    this.metrics.of(name, version).refused += 1;
    this.waiting.addSamples({ name, version, metric: REFUSED, bucket: 0, samples: 1 });
  }

  /** Adds the counts since the last flush. If the store fails, they stay for the next flush. */
  async flush(store: Pick<HealthStore, 'add'>): Promise<void> {
    if (this.pending === 0) return;
    const { waiting } = this;
    this.waiting = new PendingCounts();
    const now = this.now();
    const ageOf = (at: number) => Math.max(0, now - at) / 1000;
    try {
      await store.add({
        minutes: new Map(
          Array.from(waiting.minutes, ([key, { slice, ...row }]) => [key, { ...row, age: ageOf(slice * SLICE_MS) }]),
        ),
        votes: Array.from(waiting.votes.values(), ({ at, ...row }) => ({ ...row, age: ageOf(at) })),
        vitals: [...waiting.vitals.values()],
        errors: [...waiting.errors.values()],
      });
    } catch (error) {
      const newer = this.waiting;
      this.waiting = waiting;
      for (const row of newer.minutes.values()) waiting.addMinute(row);
      for (const row of newer.votes.values()) waiting.addVote(row);
      for (const row of newer.vitals.values()) waiting.addSamples(row);
      for (const row of newer.errors.values()) waiting.addError(row);
      throw error;
    }
  }
}

export function countReport(
  counts: HealthCounts,
  map: ReleaseMap,
  { context, events }: { context?: unknown; events: readonly unknown[] },
  network: string,
): void {
  for (const value of events) {
    const event = toEvent(value);
    const traffic = event && trafficOf(map, event.name, event.version);
    if (!event || traffic === null) continue;
    // Accepts positions in scripts of the release only, so that invented positions do not fill the store.
    const isPlace = event.at && scriptsOf(map, event).has(fileOfPlace(event.at));
    counts.add(isPlace ? event : { ...event, at: undefined }, { network, context: toContext(context), traffic });
  }
}

function scriptsOf(map: ReleaseMap, { name, version }: { name: string; version: string }): Set<string> {
  const releases = (map.microFrontends[name] ?? []).flatMap(({ metadata, extras }) => [
    { version: metadata.version, integrity: extras.integrity },
    ...(extras.fallback ? [extras.fallback] : []),
  ]);
  return new Set(Object.keys(releases.find((one) => one.version === version)?.integrity ?? {}));
}
