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
}

/** The row to count up, which begins as `first`; undefined if there are too many rows. */
function rowOf<Row>(rows: Map<string, Row>, key: string, first: Row): Row | undefined {
  const row = rows.get(key) ?? (rows.size < MOST_PENDING ? first : undefined);
  if (row) rows.set(key, row);
  return row;
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
  /** The counts that the store did not take at the last flush. */
  private unsent = new PendingCounts();

  constructor(
    secret: string,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.budget = new NetworkBudget(secret, now);
  }

  get pending(): number {
    return this.unsent.size + this.waiting.size;
  }

  add(event: HealthEvent, reporter: Reporter): void {
    if (event.kind === 'vital' || event.kind === REFUSED) {
      this.addSample(event, reporter);
      return;
    }
    const key = `${event.visit} ${event.name}@${event.version} ${reporter.network}`;
    const visit = this.visits.get(key) ?? this.begin(key, event, reporter);
    if (isFailure(event.kind)) this.fail(visit, event.kind, event.at);
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
    const key = `${name}@${version} ${kind} ${at}`;
    const error = rowOf(this.waiting.errors, key, { name, version, kind, at, visits: 0 });
    if (error) error.visits += 1;
  }

  private count({ segment, at, network, id: visit, failed }: Visit, visits: number, failures: number): void {
    const slice = Math.floor(at / SLICE_MS);
    const minute = JSON.stringify({ ...segment, slice });
    const counted = rowOf(this.waiting.minutes, minute, { ...segment, slice, visits: 0, failures: 0 });
    if (counted) {
      counted.visits += visits;
      counted.failures += failures;
    }
    const { name, version, traffic } = segment;
    const first: PendingVote = { ...segment, at, network, visit, failed, added: [] };
    const vote = rowOf(this.waiting.votes, `${network} ${name}@${version} ${traffic}`, first);
    // The first visit of a network; the store keeps the first of all.
    if (vote?.visit !== visit) return;
    vote.failed ||= failed;
    vote.added.push({ minute, visits, failures });
  }

  /** One for each visit. Refused requests are stored with the vitals, whose samples are of visits too. */
  private addSample({ kind, name, version, value = 0, ...event }: HealthEvent, { network }: Reporter): void {
    const metric = kind === REFUSED ? REFUSED : event.metric;
    if (!metric || !this.budget.take(`${network} ${name}@${version} ${metric}`)) return;
    const tally = this.metrics.of(name, version);
    if (metric === REFUSED) tally.refused += 1;
    else tally.vitals[metric].add(value);
    const bucket = metric === REFUSED ? 0 : bucketOf(metric, value);
    const key = `${name}@${version} ${metric} ${bucket}`;
    const row = rowOf(this.waiting.vitals, key, { name, version, metric, bucket, samples: 0 });
    if (row) row.samples += 1;
  }

  /** Adds the counts since the last flush. If the store fails, they stay for the next flush. */
  async flush(store: Pick<HealthStore, 'add'>): Promise<void> {
    await this.send(store);
    [this.unsent, this.waiting] = [this.waiting, this.unsent];
    await this.send(store);
  }

  private async send(store: Pick<HealthStore, 'add'>): Promise<void> {
    const { minutes, votes, vitals, errors, size } = this.unsent;
    if (size === 0) return;
    const now = this.now();
    const ageOf = (at: number) => Math.max(0, now - at) / 1000;
    await store.add({
      minutes: new Map(
        Array.from(minutes, ([key, { slice, ...row }]) => [key, { ...row, age: ageOf(slice * SLICE_MS) }]),
      ),
      votes: Array.from(votes.values(), ({ at, ...row }) => ({ ...row, age: ageOf(at) })),
      vitals: [...vitals.values()],
      errors: [...errors.values()],
    });
    this.unsent = new PendingCounts();
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
