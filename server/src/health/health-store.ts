import { canaryEntry, liveEntry, type ReleaseMap } from '@platform/releases';
import { periods } from '../accounts/retention/periods';
import type { Database } from '../platform/db/database';
import type { Sql } from '../platform/db/sql';
import type { Tally } from '../../../platform/watch/src/confidence';
import { type Metric, REFUSED } from '../../../platform/watch/src/health-event';
import type { Histogram } from '../../../platform/watch/src/vitals';

/** Everybody, or one segment of the visitors. */
export const GROUPS = ['all', 'zh-CN', 'en', 'phone', 'desktop', 'guest', 'signed in'] as const;
export type Group = (typeof GROUPS)[number];
export type Tallies = Record<Group, Tally>;

export interface Period {
  name: string;
  kind: 'live' | 'canary';
  version: string;
  /** Per cent of the visitors. */
  traffic: number;
  /** By the database's clock, with its full precision. */
  since: string;
  seconds: number;
}

const PERIODS = `
  insert into release_periods as p (channel, name, kind, rev, version, mark, traffic)
  select $1, name, kind, $2, version, mark, traffic
    from jsonb_to_recordset($3::jsonb) as r (name text, kind text, version text, mark text, traffic double precision)
   order by name, kind
  on conflict (channel, name, kind) do update set rev = excluded.rev, version = excluded.version, mark = excluded.mark,
    traffic = excluded.traffic, since = now()
   where p.rev < excluded.rev and (p.version, p.mark) is distinct from (excluded.version, excluded.mark)`;

/**
 * Since when each release of the map has been live with its share. The first server that sees a change records it, with the
 * database's time: the promoter's clock is not asked.
 */
export async function recordPeriods(db: Database, map: ReleaseMap): Promise<Period[]> {
  const entries = Object.keys(map.microFrontends).flatMap((name) =>
    (['live', 'canary'] as const).flatMap((kind) => {
      const entry = (kind === 'live' ? liveEntry : canaryEntry)(map, name);
      if (!entry) return [];
      const mark = kind === 'live' ? (map.ops.since[name]?.at ?? '') : String(entry.deployment.traffic);
      return [{ name, kind, version: entry.metadata.version, mark, traffic: entry.deployment.traffic }];
    }),
  );
  await db.retrying((sql) => sql.run(PERIODS, [map.channel, map.rev, JSON.stringify(entries)]));
  // A canary that ended must count as new when it starts again.
  const canaries = entries.filter(({ kind }) => kind === 'canary').map(({ name }) => name);
  await db.run(
    "delete from release_periods where channel = $1 and kind = 'canary' and rev <= $2 and name <> all ($3)",
    [map.channel, map.rev, canaries],
  );
  return db.rows<Period>(
    `select name, kind, version, traffic, since::text as since, extract(epoch from now() - since)::double precision as seconds
       from release_periods where channel = $1`,
    [map.channel],
  );
}

/** Which visits to sum: of one version or of all, at one share or at any. */
export interface Selection {
  id: string;
  name: string;
  version: string | null;
  traffic: number | null;
  /** Times of the database. */
  from: string | null;
  to: string | null;
  /** Moves `from`, in seconds. */
  shift: number;
}

interface SegmentRow {
  id: string;
  language: string | null;
  device: string | null;
  signed_in: boolean | null;
  visits: number;
  failures: number;
}

const SELECTIONS = `from jsonb_to_recordset($1::jsonb) as r (id text, name text, version text, traffic double precision,
  "from" timestamptz, "to" timestamptz, shift double precision) cross join lateral`;
const SEGMENTS = 'grouping sets ((), (language), (device), (signed_in))';

const VOTES = `
  select r.id, t.* ${SELECTIONS} (
    select language, device, signed_in, count(*)::integer as visits, (count(*) filter (where failed))::integer as failures
      from release_votes v
     where v.name = r.name and (r.version is null or v.version = r.version) and (r.traffic is null or v.traffic = r.traffic)
       and v.at >= coalesce(r."from", now()) + r.shift * interval '1 second' and v.at < coalesce(r."to", 'infinity')
     group by ${SEGMENTS}) t`;

const MINUTES = `
  select r.id, t.* ${SELECTIONS} (
    select language, device, signed_in, coalesce(sum(visits), 0)::integer as visits, coalesce(sum(failures), 0)::integer as failures
      from release_minutes m
     where m.name = r.name and (r.version is null or m.version = r.version) and (r.traffic is null or m.traffic = r.traffic)
       and m.minute >= date_trunc('minute', coalesce(r."from", now()) + r.shift * interval '1 second')
       and m.minute < coalesce(r."to", 'infinity')
     group by ${SEGMENTS}) t`;

export const noVisits = (): Tallies =>
  Object.fromEntries(GROUPS.map((group) => [group, { visits: 0, failures: 0 }])) as Tallies;

function groupOf({ language, device, signed_in }: SegmentRow): Group {
  if (signed_in !== null) return signed_in ? 'signed in' : 'guest';
  return ((language ?? device) as Group | null) ?? 'all';
}

async function sums(sql: Sql, text: string, selections: Selection[]): Promise<Map<string, Tallies>> {
  const result = new Map(selections.map(({ id }) => [id, noVisits()]));
  const rows = await sql.rows<SegmentRow>(text, [JSON.stringify(selections)]);
  for (const row of rows) {
    const tallies = result.get(row.id);
    if (tallies) tallies[groupOf(row)] = { visits: row.visits, failures: row.failures };
  }
  return result;
}

/** One visit for each network. */
export const votes = (sql: Sql, selections: Selection[]) => sums(sql, VOTES, selections);
/** All visits within the budgets of their networks. */
export const counted = (sql: Sql, selections: Selection[]) => sums(sql, MINUTES, selections);

/** Shares of failures by minute for the last `length` minutes, oldest first; null without a visit. */
export async function series(sql: Sql, releases: Array<{ name: string; version: string }>, length = 30) {
  const rows = await sql.rows<{ name: string; version: string; ago: number; visits: number; failures: number }>(
    `select m.name, m.version, (extract(epoch from date_trunc('minute', now()) - minute) / 60)::integer as ago,
       sum(visits)::integer as visits, sum(failures)::integer as failures
       from release_minutes m join jsonb_to_recordset($1::jsonb) as r (name text, version text) on r.name = m.name and r.version = m.version
      where minute > now() - $2 * interval '1 minute' group by 1, 2, 3`,
    [JSON.stringify(releases), length],
  );
  const result = new Map<string, Array<number | null>>();
  for (const { name, version, ago, visits, failures } of rows) {
    const key = `${name}@${version}`;
    const minutes = result.get(key) ?? new Array<number | null>(length).fill(null);
    const index = length - 1 - ago;
    if (index >= 0 && index < length && visits > 0) minutes[index] = Math.min(1, failures / visits);
    result.set(key, minutes);
  }
  return result;
}

/** Samples of the last six hours by release and metric, and visits with a refused request. */
export async function vitals(sql: Sql, releases: Array<{ name: string; version: string }>) {
  const rows = await sql.rows<{
    name: string;
    version: string;
    metric: Metric | typeof REFUSED;
    bucket: number;
    samples: number;
  }>(
    `select m.name, m.version, metric, bucket, sum(samples)::integer as samples
       from release_vitals m join jsonb_to_recordset($1::jsonb) as r (name text, version text) on r.name = m.name and r.version = m.version
      where hour > now() - interval '6 hours' group by 1, 2, 3, 4`,
    [JSON.stringify(releases)],
  );
  const result = new Map<string, { refused: number; metrics: Partial<Record<Metric, Histogram>> }>();
  for (const { name, version, metric, bucket, samples } of rows) {
    const key = `${name}@${version}`;
    const found = result.get(key) ?? { refused: 0, metrics: {} };
    result.set(key, found);
    if (metric === REFUSED) found.refused += samples;
    else found.metrics[metric] = (found.metrics[metric] ?? new Map<number, number>()).set(bucket, samples);
  }
  return result;
}

/** Later than anything compares them. */
export async function forgetHealth(sql: Sql, now: Date | null = null): Promise<number> {
  const forget = (from: string, period: string) =>
    sql.run(`delete from ${from} < coalesce($1, now()) - $2::interval`, [now, period]);
  const minutes = await forget('release_minutes where minute', periods.healthCounts);
  const networks = await forget('release_votes where at', periods.healthVotes);
  const samples = await forget('release_vitals where hour', periods.healthCounts);
  const { events } = await sql.one<{ events: number }>(
    'select forget_release_events(coalesce($1, now()) - $2::interval) as events',
    [now, periods.releaseEvents],
  );
  // Whatever floods the reports, the votes stay few enough to count them often.
  const surplus = await sql.run(
    'delete from release_votes where at < (select at from release_votes order by at desc offset 500000 limit 1)',
  );
  return minutes + networks + samples + events + surplus;
}
