import { CHANNEL } from '@platform/releases';
import {
  type CountedMinute,
  type Counts,
  countSteps,
  type HealthStore,
  type KnownVisit,
  type Vote,
  WATCHER,
} from '@platform/watch';
import { periods } from '../accounts/retention/periods';
import type { Database } from '../platform/db/database';
import type { Sql } from '../platform/db/sql';

const ADD_MINUTES = `
  insert into release_minutes as m (name, version, minute, traffic, language, device, signed_in, visits, failures)
  select name, version, date_trunc('minute', now() - age * interval '1 second'), traffic, language, device, signed_in, sum(visits), sum(failures)
    from jsonb_to_recordset($1::jsonb) as r (name text, version text, age double precision, traffic double precision, language text,
      device text, signed_in boolean, visits integer, failures integer)
   group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 3, 4, 5, 6, 7
  on conflict (name, version, minute, traffic, language, device, signed_in)
    do update set visits = m.visits + excluded.visits, failures = m.failures + excluded.failures`;

/** A sample counts for six hours, but no longer than the period for which its release is watched. */
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

/** Visits that another server has already counted, because a load balancer sent it an earlier report of the same visit. */
const KNOWN_VISITS = `
  select v.network::text as network, v.name, v.version, v.traffic, v.failed
    from release_votes v join jsonb_to_recordset($1::jsonb) as r (name text, version text, traffic double precision, network bigint, visit bigint)
      on v.name = r.name and v.version = r.version and v.traffic = r.traffic and v.network = r.network and v.visit = r.visit`;

/** Adds the column `count` to the rows of this hour. */
const addHourly = (table: string, key: string, count: string) => `
  insert into ${table} as t (name, version, hour, ${key}, ${count})
  select name, version, date_trunc('hour', now()), ${key}, ${count}
    from jsonb_populate_recordset(null::${table}, $1::jsonb) order by 1, 2, 3, 4, 5
  on conflict (name, version, hour, ${key}) do update set ${count} = t.${count} + excluded.${count}`;
const ADD_VITALS = addHourly('release_vitals', 'metric, bucket', 'samples');
const ADD_ERRORS = addHourly('release_errors', 'kind, at', 'visits');

const PERIODS = `
  insert into release_periods as p (channel, name, kind, rev, version, mark, traffic)
  select $1, name, kind, $2, version, mark, traffic
    from jsonb_to_recordset($3::jsonb) as r (name text, kind text, version text, mark text, traffic double precision)
   order by name, kind
  on conflict (channel, name, kind) do update set rev = excluded.rev, version = excluded.version, mark = excluded.mark,
    traffic = excluded.traffic, since = now()
   where p.rev < excluded.rev and (p.version, p.mark) is distinct from (excluded.version, excluded.mark)`;

const SELECTIONS = `from jsonb_to_recordset($1::jsonb) as r (id text, name text, version text, traffic double precision, control boolean,
  "from" timestamptz, "to" timestamptz, shift double precision) cross join lateral`;
const FROM = `coalesce(r."from", now()) + r.shift * interval '1 second'`;
const FROM_MINUTE = `date_trunc('minute', ${FROM})`;
/** Whether the selection `r` has the row `v`, whose time is in the column `at`. */
const isSelected = (at: string, first: string) => `v.name = r.name
  and (r.version is null or v.version = r.version) and (r.traffic is null or v.traffic = r.traffic)
  and v.${at} >= ${first} and v.${at} < coalesce(r."to", 'infinity')`;

const totals = (table: string, visits: string, failures: string, at: string, first: string) => `
  select r.id, t.* ${SELECTIONS} (
    select coalesce(language, device, case when signed_in then 'signed in' when not signed_in then 'guest' end, 'all') as visitors,
           coalesce(${visits}, 0)::integer as visits, coalesce(${failures}, 0)::integer as failures
      from ${table} v
     where ${isSelected(at, first)}
     group by grouping sets ((), (language), (device), (signed_in))) t`;
const VOTES = totals('release_votes', 'count(*)', 'count(*) filter (where failed)', 'at', FROM);
const MINUTES = totals('release_minutes', 'sum(visits)', 'sum(failures)', 'minute', FROM_MINUTE);

/** Servers add funnel steps one after the other, so that two of them do not count the same visit. */
const STEPS_LOCK = 7_204_116;
const ADD_VISITS = `
  insert into release_visits as v (visit, network, rev, at, stands, steps)
  select visit, network, rev, now(), stands, steps
    from jsonb_to_recordset($1::jsonb) as r (visit text, network bigint, rev integer, stands boolean, steps text[])
  on conflict (visit) do update set steps = excluded.steps`;
const ADD_STEPS = `
  insert into release_steps as s (at, name, version, traffic, control, stands, path, segment, visits, reached)
  select date_trunc('minute', now() - age * interval '1 second'), name, version, traffic, control, stands, path, segment, sum(visits), sum(reached)
    from jsonb_to_recordset($1::jsonb) as r (name text, version text, age double precision, traffic double precision, control boolean,
      stands boolean, path text, segment text[], visits integer, reached integer)
   group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6, 7, 8
  on conflict (length, at, name, version, traffic, control, stands, path, segment)
    do update set visits = s.visits + excluded.visits, reached = s.reached + excluded.reached`;
const STEPS = `
  select r.id, t.* ${SELECTIONS} (
    select path, word, sum(visits)::integer as visits, sum(reached)::integer as reached
      from release_steps v cross join lateral unnest(array_prepend('all', v.segment)) as word
     where v.length = 'minute' and v.stands and (r.control is null or v.control = r.control) and ${isSelected('at', FROM_MINUTE)}
     group by path, word) t`;
const FUNNELS = `
  select name, version, path, sum(visits)::integer as visits, sum(reached)::integer as reached
    from release_steps where length = 'minute' and stands and at > now() - $1 * interval '1 minute'
   group by name, version, path order by name, version, path`;

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS"Z"'`;
const EVENT = `e.id, to_char(e.at at time zone 'UTC', ${ISO}) as at, e.who, e.channel, e.kind, e.name, e.version, e.why, e.evidence`;

export const healthStore = (db: Database): HealthStore => ({
  add: (counts) =>
    db.withTransaction(async (sql) => {
      for (const [text, rows] of [
        [ADD_MINUTES, await withoutKnownVisits(sql, counts)],
        [ADD_VOTES, counts.votes.map(({ added: _, ...row }) => row)],
        [ADD_VITALS, counts.vitals],
        [ADD_ERRORS, counts.errors],
      ] as const)
        if (rows.length > 0) await sql.run(text, [JSON.stringify(rows)]);
    }),

  async recordPeriods(rev, served) {
    await db.retrying((sql) => sql.run(PERIODS, [CHANNEL, rev, JSON.stringify(served)]));
    // A canary that ended must count as new when it starts again.
    const canaries = served.filter(({ kind }) => kind === 'canary').map(({ name }) => name);
    await db.run(
      "delete from release_periods where channel = $1 and kind = 'canary' and rev <= $2 and name <> all ($3)",
      [CHANNEL, rev, canaries],
    );
    return db.rows(
      `select name, kind, version, traffic, since::text as since, extract(epoch from now() - since)::double precision as seconds
         from release_periods where channel = $1`,
      [CHANNEL],
    );
  },

  votes: (selections) => db.rows(VOTES, [JSON.stringify(selections)]),
  counted: (selections) => db.rows(MINUTES, [JSON.stringify(selections)]),

  vitals: (releases) =>
    db.rows(
      `select m.name, m.version, metric, bucket, sum(samples)::integer as samples
         from release_vitals m join jsonb_to_recordset($1::jsonb) as r (name text, version text) on r.name = m.name and r.version = m.version
        where hour > now() - interval '6 hours' group by 1, 2, 3, 4`,
      [JSON.stringify(releases)],
    ),

  errors: (releases, most) =>
    db.rows(
      `select name, version, kind, at, visits from (
         select e.name, e.version, kind, at, sum(visits)::integer as visits,
             row_number() over (partition by e.name, e.version order by sum(visits) desc, kind, at) as place
           from release_errors e join jsonb_to_recordset($1::jsonb) as r (name text, version text) on r.name = e.name and r.version = e.version
          where hour > now() - interval '6 hours' group by 1, 2, 3, 4) ranked
        where place <= $2 order by name, version, place`,
      [JSON.stringify(releases), most],
    ),

  addSteps: (noted) =>
    db.withTransaction(async (sql) => {
      await sql.run(`select pg_advisory_xact_lock(${STEPS_LOCK})`);
      const countedVisits = await sql.rows<KnownVisit & { visit: string }>(
        'select visit, stands, steps from release_visits where visit = any ($1)',
        [noted.map(({ visit }) => visit)],
      );
      const standing = await sql.rows<{ network: string; rev: number }>(
        `select distinct v.network::text as network, v.rev from release_visits v
           join jsonb_to_recordset($1::jsonb) as r (network bigint, rev integer) on v.network = r.network and v.rev = r.rev where v.stands`,
        [JSON.stringify(noted.map(({ network, rev }) => ({ network, rev })))],
      );
      const places = new Set(standing.map(({ network, rev }) => `${network} ${rev}`));
      const { visits, counts } = countSteps(
        noted,
        new Map(countedVisits.map(({ visit, ...rest }) => [visit, rest])),
        (network, rev) => places.has(`${network} ${rev}`),
      );
      await sql.run(ADD_VISITS, [JSON.stringify(Array.from(visits, ([visit, rest]) => ({ visit, ...rest })))]);
      if (counts.length > 0) await sql.run(ADD_STEPS, [JSON.stringify(counts)]);
    }),

  steps: (selections) => db.rows(STEPS, [JSON.stringify(selections)]),

  funnels: (minutes) => db.rows(FUNNELS, [minutes]),

  recordEvent: ({ id, who, channel, kind, name, version, why, evidence }, targets) =>
    db.withTransaction(async (sql) => {
      const added = await sql.run(
        `insert into release_events (id, who, channel, kind, name, version, why, evidence) values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (id) do nothing`,
        [id, who, channel, kind, name, version, why, JSON.stringify(evidence)],
      );
      if (added === 0) return false;
      await sql.run('insert into release_webhooks (event_id, target) select $1, unnest($2::text[])', [id, targets]);
      return true;
    }),

  watcherEvents: (limit) =>
    db.rows(
      `select ${EVENT} from release_events e where channel = $1 and who = $2 order by e.at desc, id desc limit $3`,
      [CHANNEL, WATCHER, limit],
    ),

  claimMessages: (targets, attempts, most) =>
    db.rows(
      `with due as (
         select event_id, target from release_webhooks
          where delivered_at is null and next_at <= now() and attempts < $1 and target = any ($2)
          order by next_at limit $3 for update skip locked
       ), claimed as (
         update release_webhooks w set attempts = w.attempts + 1,
           next_at = now() + least(3600, 10 * power(2, w.attempts)) * interval '1 second'
          from due d where w.event_id = d.event_id and w.target = d.target returning w.event_id, w.target)
       select ${EVENT}, c.target from claimed c join release_events e on e.id = c.event_id order by e.at`,
      [attempts, targets, most],
    ),

  async messageSent({ id, target }, error) {
    await db.run(
      `update release_webhooks set delivered_at = case when $3::text is null then now() end, last_error = $3
        where event_id = $1 and target = $2`,
      [id, target, error],
    );
  },

  failingTargets: (targets, tries) =>
    db.rows(
      `select w.target, count(*)::integer as messages, to_char(min(e.at) at time zone 'UTC', ${ISO}) as since,
         (array_agg(w.last_error order by w.next_at desc))[1] as error
         from release_webhooks w join release_events e on e.id = w.event_id
        where w.delivered_at is null and w.attempts >= $1 and w.last_error is not null and w.target = any ($2)
        group by w.target`,
      [tries, targets],
    ),

  async reportedUntil(rev) {
    // The lower revision counts, because a new release store after a loss starts from 1 again.
    return db.value<number>(
      `insert into release_changes_told as told (channel, rev) values ($1, $2)
       on conflict (channel) do update set rev = least(told.rev, excluded.rev) returning told.rev`,
      [CHANNEL, rev],
    );
  },

  async setReportedUntil(rev) {
    await db.run('update release_changes_told set rev = greatest(rev, $2) where channel = $1', [CHANNEL, rev]);
  },
});

async function withoutKnownVisits(sql: Sql, { minutes, votes }: Counts): Promise<CountedMinute[]> {
  const rows = new Map(Array.from(minutes, ([key, row]) => [key, { ...row }]));
  const keys = votes.map(({ name, version, traffic, network, visit }) => ({ name, version, traffic, network, visit }));
  const counted = keys.length > 0 ? await sql.rows<Vote>(KNOWN_VISITS, [JSON.stringify(keys)]) : [];
  const keyOf = ({ network, name, version, traffic }: Vote) => `${network} ${name}@${version} ${traffic}`;
  const votesByKey = new Map(votes.map((vote) => [keyOf(vote), vote]));
  for (const vote of counted) {
    for (const { minute, visits, failures } of votesByKey.get(keyOf(vote))?.added ?? []) {
      const row = rows.get(minute);
      if (!row) continue;
      row.visits -= visits;
      if (vote.failed) row.failures -= failures;
    }
  }
  return [...rows.values()].filter(({ visits, failures }) => visits > 0 || failures > 0);
}

/** The retention is longer than any comparison period. */
export async function forgetHealth(sql: Sql, now: Date | null = null): Promise<number> {
  let forgotten = 0;
  for (const [from, period] of [
    ['release_minutes where minute', periods.healthCounts],
    ['release_votes where at', periods.healthVotes],
    ['release_vitals where hour', periods.healthCounts],
    ['release_errors where hour', periods.healthCounts],
    ['release_visits where at', periods.visitSteps],
    ['release_steps where at', periods.healthCounts],
  ] as const)
    forgotten += await sql.run(`delete from ${from} < coalesce($1, now()) - $2::interval`, [now, period]);
  const events = await sql.value<number>('select forget_release_events(coalesce($1, now()) - $2::interval)', [
    now,
    periods.releaseEvents,
  ]);
  // The cap keeps counting fast even if reports are flooded.
  const surplus = await sql.run(
    'delete from release_votes where at < (select at from release_votes order by at desc offset 500000 limit 1)',
  );
  return forgotten + events + surplus;
}
