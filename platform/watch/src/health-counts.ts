import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../../server/src/platform/db/database';
import type { Sql } from '../../../server/src/platform/db/sql';
import { budgetOf } from '../../../server/src/platform/http/networks';
import { type FailureKind, type HealthEvent, isFailure, REFUSED, type VisitContext } from './health-event';
import { ReleaseMetrics } from './release-metrics';
import { bucketOf } from './vitals';

/** Visits that one network adds to one release in a minute, failed or not. */
export const VISITS_A_MINUTE = 5;
/** What is counted but not stored yet; more is dropped while the database is away. */
const MOST_PENDING = 20_000;
const SLICE_MS = 10_000;

export interface Reporter {
  address: string;
  context: VisitContext;
  /** Per cent of the visitors who get this release now; 0 when it is not live any more. */
  traffic: number;
}

interface Visit {
  network: string;
  id: string;
  /** False when its network's budget was used up. */
  counted: boolean;
  failed: boolean;
  at: number;
  name: string;
  version: string;
  reporter: Reporter;
}

interface MinuteRow {
  slice: number;
  name: string;
  version: string;
  traffic: number;
  language: string;
  device: string;
  signed_in: boolean;
  visits: number;
  failures: number;
}
interface VoteRow extends Omit<MinuteRow, 'visits' | 'failures' | 'slice'> {
  at: number;
  network: string;
  visit: string;
  failed: boolean;
  /** What this visit has added to the minutes since the last flush. */
  added: Array<{ minute: string; visits: number; failures: number }>;
}
interface VitalRow {
  name: string;
  version: string;
  metric: string;
  bucket: number;
  samples: number;
}

const ADD_MINUTES = `
  insert into release_minutes as m (name, version, minute, traffic, language, device, signed_in, visits, failures)
  select name, version, date_trunc('minute', now() - age * interval '1 second'), traffic, language, device, signed_in, sum(visits), sum(failures)
    from jsonb_to_recordset($1::jsonb) as r (name text, version text, age double precision, traffic double precision, language text,
      device text, signed_in boolean, visits integer, failures integer)
   group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
  on conflict (name, version, minute, traffic, language, device, signed_in)
    do update set visits = m.visits + excluded.visits, failures = m.failures + excluded.failures`;

/** A vote stands for six hours, and no longer than the period for which its release is judged. */
const ADD_VOTES = `
  insert into release_votes as v (name, version, traffic, network, visit, at, language, device, signed_in, failed)
  select name, version, traffic, network, visit, now() - age * interval '1 second', language, device, signed_in, failed
    from jsonb_to_recordset($1::jsonb) as r (name text, version text, traffic double precision, network bigint, visit bigint,
      age double precision, language text, device text, signed_in boolean, failed boolean)
   order by name, version, traffic, network
  on conflict (name, version, traffic, network) do update set
    visit = excluded.visit, at = case when v.visit = excluded.visit then v.at else excluded.at end, language = excluded.language,
    device = excluded.device, signed_in = excluded.signed_in, failed = excluded.failed or (v.visit = excluded.visit and v.failed)
   where v.visit = excluded.visit or v.at < now() - interval '6 hours'
      or v.at < (select max(p.since) from release_periods p where p.name = excluded.name and p.version = excluded.version)`;

/** Visits that another server has counted already, because a load balancer gave it an earlier report of theirs. */
const KNOWN_VISITS = `
  select v.network::text as network, v.name, v.version, v.traffic, v.failed
    from release_votes v join jsonb_to_recordset($1::jsonb) as r (name text, version text, traffic double precision, network bigint, visit bigint)
      on v.name = r.name and v.version = r.version and v.traffic = r.traffic and v.network = r.network and v.visit = r.visit`;

const ADD_VITALS = `
  insert into release_vitals as m (name, version, hour, metric, bucket, samples)
  select name, version, date_trunc('hour', now()), metric, bucket, samples
    from jsonb_to_recordset($1::jsonb) as r (name text, version text, metric text, bucket smallint, samples integer)
   order by 1, 2, 3, 4, 5
  on conflict (name, version, hour, metric, bucket) do update set samples = m.samples + excluded.samples`;

/**
 * Counts what browsers report until `flush` adds it to the database, where all servers meet. Times are the database's: this process
 * only knows how long ago something was.
 */
export class HealthCounts {
  private readonly visits = new LRUCache<string, Visit>({ max: 50_000 });
  readonly metrics = new ReleaseMetrics();
  /** Counted visits by network and release in the present minute. */
  private budgets = new Map<string, number>();
  private minute = 0;
  private minutes = new Map<string, MinuteRow>();
  private votes = new Map<string, VoteRow>();
  private vitals = new Map<string, VitalRow>();

  constructor(
    private readonly secret: string,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** How many rows wait for the database. */
  get pending(): number {
    return this.minutes.size + this.votes.size + this.vitals.size;
  }

  add(event: HealthEvent, reporter: Reporter): void {
    const budget = budgetOf(reporter.address);
    if (event.kind === 'vital') {
      this.addVital(event, budget);
      return;
    }
    if (event.kind === REFUSED) {
      this.addRefused(event, budget);
      return;
    }
    const failure = isFailure(event.kind) ? event.kind : null;
    if (!failure && event.kind !== 'visit') return;
    const key = `${event.visit} ${event.name}@${event.version} ${budget}`;
    const visit = this.visits.get(key) ?? this.begin(key, event, reporter, budget);
    if (failure) this.fail(visit, failure);
  }

  private begin(key: string, { name, version, visit: id }: HealthEvent, reporter: Reporter, budget: string): Visit {
    const visit: Visit = {
      network: this.hash(budget),
      id: BigInt.asIntN(64, BigInt(`0x${id}`)).toString(),
      counted: this.take(`${budget} ${name}@${version}`),
      failed: false,
      at: this.now(),
      name,
      version,
      reporter,
    };
    this.visits.set(key, visit);
    if (!visit.counted) return visit;
    this.count(visit, 1, 0);
    this.metrics.visit(name, version);
    return visit;
  }

  private fail(visit: Visit, kind: FailureKind): void {
    if (visit.failed) return;
    visit.failed = true;
    if (!visit.counted) return;
    this.count(visit, 0, 1);
    this.metrics.failure(visit.name, visit.version, kind);
  }

  private count(visit: Visit, visits: number, failures: number): void {
    const minute = this.addMinute(visit, visits, failures);
    this.addVote(visit, { minute, visits, failures });
  }

  private take(key: string): boolean {
    const minute = Math.floor(this.now() / 60_000);
    if (minute !== this.minute || this.budgets.size > 50_000) {
      this.minute = minute;
      this.budgets = new Map();
    }
    const used = this.budgets.get(key) ?? 0;
    this.budgets.set(key, used + 1);
    return used < VISITS_A_MINUTE;
  }

  private hash(budget: string): string {
    return createHmac('sha256', this.secret).update(`network ${budget}`).digest().readBigInt64BE(0).toString();
  }

  private rowOf({ name, version, reporter: { traffic, context } }: Visit) {
    return { name, version, traffic, language: context.language, device: context.device, signed_in: context.signedIn };
  }

  private addMinute(visit: Visit, visits: number, failures: number): string {
    const row = { ...this.rowOf(visit), slice: Math.floor(visit.at / SLICE_MS) };
    const key = JSON.stringify(row);
    const known = this.minutes.get(key);
    if (known) {
      known.visits += visits;
      known.failures += failures;
    } else if (this.minutes.size < MOST_PENDING) this.minutes.set(key, { ...row, visits, failures });
    return key;
  }

  /** The first visit of a network since the last flush; the database keeps the first of all. */
  private addVote(visit: Visit, added: VoteRow['added'][number]): void {
    const key = voteKey({ ...visit, traffic: visit.reporter.traffic });
    const known = this.votes.get(key);
    if (known ? known.visit !== visit.id : this.votes.size >= MOST_PENDING) return;
    this.votes.set(key, {
      ...this.rowOf(visit),
      at: visit.at,
      network: visit.network,
      visit: visit.id,
      failed: visit.failed,
      added: [...(known?.added ?? []), added],
    });
  }

  private addVital({ name, version, metric, value }: HealthEvent, budget: string): void {
    if (!metric || value === undefined || !this.take(`${budget} ${name}@${version} ${metric}`)) return;
    this.metrics.vital(name, version, metric, value);
    this.addSample(name, version, metric, bucketOf(metric, value));
  }

  /** Each visit reports it once. Kept beside the vitals, whose samples are of visits too. */
  private addRefused({ name, version }: HealthEvent, budget: string): void {
    if (!this.take(`${budget} ${name}@${version} ${REFUSED}`)) return;
    this.metrics.refused(name, version);
    this.addSample(name, version, REFUSED, 0);
  }

  private addSample(name: string, version: string, metric: VitalRow['metric'], bucket: number): void {
    const key = `${name}@${version} ${metric} ${bucket}`;
    const known = this.vitals.get(key);
    if (known) known.samples += 1;
    else if (this.vitals.size < MOST_PENDING) this.vitals.set(key, { name, version, metric, bucket, samples: 1 });
  }

  /** Adds what was counted since the last time. When the database does not take it, it stays for the next time. */
  async flush(db: Pick<Database, 'withTransaction'>): Promise<void> {
    if (this.pending === 0) return;
    const { minutes, votes, vitals } = this;
    [this.minutes, this.votes, this.vitals] = [new Map(), new Map(), new Map()];
    const now = this.now();
    const aged = <T extends object>(rows: Iterable<T>, atOf: (row: T) => number) =>
      JSON.stringify(Array.from(rows, (row) => ({ ...row, age: Math.max(0, now - atOf(row)) / 1000 })));
    try {
      await db.withTransaction(async (sql) => {
        const rows = await withoutKnownVisits(sql, minutes, votes);
        if (rows.length > 0) await sql.run(ADD_MINUTES, [aged(rows, ({ slice }) => slice * SLICE_MS)]);
        const own = Array.from(votes.values(), ({ added: _, ...row }) => row);
        if (own.length > 0) await sql.run(ADD_VOTES, [aged(own, ({ at }) => at)]);
        if (vitals.size > 0) await sql.run(ADD_VITALS, [JSON.stringify([...vitals.values()])]);
      });
    } catch (error) {
      this.putBack(minutes, votes, vitals);
      throw error;
    }
  }

  private putBack(minutes: Map<string, MinuteRow>, votes: Map<string, VoteRow>, vitals: Map<string, VitalRow>): void {
    const newer = { minutes: this.minutes, votes: this.votes, vitals: this.vitals };
    [this.minutes, this.votes, this.vitals] = [minutes, votes, vitals];
    for (const [key, row] of newer.minutes) {
      const known = this.minutes.get(key);
      if (known) {
        known.visits += row.visits;
        known.failures += row.failures;
      } else if (this.minutes.size < MOST_PENDING) this.minutes.set(key, row);
    }
    for (const [key, row] of newer.votes) {
      const known = this.votes.get(key);
      if (known?.visit === row.visit) {
        known.failed ||= row.failed;
        known.added.push(...row.added);
      } else if (!known && this.votes.size < MOST_PENDING) this.votes.set(key, row);
    }
    for (const [key, row] of newer.vitals) {
      const known = this.vitals.get(key);
      if (known) known.samples += row.samples;
      else if (this.vitals.size < MOST_PENDING) this.vitals.set(key, row);
    }
  }
}

const voteKey = ({ network, name, version, traffic }: Pick<VoteRow, 'network' | 'name' | 'version' | 'traffic'>) =>
  `${network} ${name}@${version} ${traffic}`;

/** The minutes without what another server has counted of the same visits. */
async function withoutKnownVisits(
  sql: Sql,
  minutes: ReadonlyMap<string, MinuteRow>,
  votes: ReadonlyMap<string, VoteRow>,
): Promise<MinuteRow[]> {
  const rows = new Map([...minutes].map(([key, row]) => [key, { ...row }]));
  const asked = Array.from(votes.values(), ({ name, version, traffic, network, visit }) => ({
    name,
    version,
    traffic,
    network,
    visit,
  }));
  const known = asked.length > 0 ? await sql.rows<VoteRow>(KNOWN_VISITS, [JSON.stringify(asked)]) : [];
  for (const vote of known) {
    for (const { minute, visits, failures } of votes.get(voteKey(vote))?.added ?? []) {
      const row = rows.get(minute);
      if (!row) continue;
      row.visits -= visits;
      if (vote.failed) row.failures -= failures;
    }
  }
  return [...rows.values()].filter(({ visits, failures }) => visits > 0 || failures > 0);
}
