import { createHash, createHmac } from 'node:crypto';
import type { MapAction } from '@platform/releases';
import type { Database } from '../../../server/src/platform/db/database';
import type { Webhooks } from '../../../server/src/providers/webhook-settings';

export const WATCHER = 'watcher';
export const WATCHER_KINDS = ['rollback', 'canary-back', 'canary-step', 'alert'] as const;
export type WatcherKind = (typeof WATCHER_KINDS)[number];
/** What the watcher did; what others did, by the history's word; a use of the break-glass token. */
export type EventKind = WatcherKind | MapAction | 'break-glass';

export interface ReleaseEvent<Kind extends EventKind = EventKind> {
  /** The same for every server that sees the same. */
  id: string;
  who: string;
  channel: string;
  kind: Kind;
  /** '*' for the whole map. */
  name: string;
  /** '' where none is meant. */
  version: string;
  why: string;
  evidence: object;
}
export interface RecordedEvent<Kind extends EventKind = EventKind> extends ReleaseEvent<Kind> {
  /** ISO 8601, by the database's clock. */
  at: string;
}

/** A receiver to which messages cannot be delivered. */
export interface FailingWebhook {
  /** Its place in RELEASE_WEBHOOK_URL, from 1: the address may hold a secret. */
  place: number;
  /** Messages that were tried three times at least. */
  messages: number;
  /** When the oldest of them happened, ISO 8601. */
  since: string;
  error: string;
}

const TIMEOUT_MS = 5_000;
const BATCH = 10;
/** So many tries take half a minute; a receiver that restarts is back by then. */
const TRIES_UNTIL_FAILING = 3;
/** With the delays doubling up to an hour, about a day. */
const ATTEMPTS = 30;

/** Not the address: it may hold a secret. */
const targetOf = (url: string) => createHash('sha256').update(url).digest('hex').slice(0, 16);

/** Records what happened and for whom, in one transaction. False when it was known already. */
export async function recordEvent(db: Database, event: ReleaseEvent, { urls }: Webhooks): Promise<boolean> {
  return db.withTransaction(async (sql) => {
    const { id, who, channel, kind, name, version, why, evidence } = event;
    const added = await sql.run(
      `insert into release_events (id, who, channel, kind, name, version, why, evidence) values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (id) do nothing`,
      [id, who, channel, kind, name, version, why, JSON.stringify(evidence)],
    );
    if (added === 0) return false;
    await sql.run('insert into release_webhooks (event_id, target) select $1, unnest($2::text[])', [
      id,
      urls.map(targetOf),
    ]);
    return true;
  });
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS"Z"'`;

/** What the watcher saw and did, newest first; the rest is in the history. */
export const watcherEvents = (
  db: Pick<Database, 'rows'>,
  channel: string,
  limit = 30,
): Promise<RecordedEvent<WatcherKind>[]> =>
  db.rows<RecordedEvent<WatcherKind>>(
    `select id, to_char(at at time zone 'UTC', ${ISO}) as at, who, channel, kind, name, version, why, evidence
       from release_events where channel = $1 and who = $2 order by release_events.at desc, id desc limit $3`,
    [channel, WATCHER, limit],
  );

/** Receivers that do not take what is sent to them. */
export async function failingWebhooks(
  db: Pick<Database, 'rows'>,
  { urls }: Pick<Webhooks, 'urls'>,
): Promise<FailingWebhook[]> {
  if (urls.length === 0) return [];
  const targets = urls.map(targetOf);
  const rows = await db.rows<Omit<FailingWebhook, 'place'> & { target: string }>(
    `select w.target, count(*)::integer as messages, to_char(min(e.at) at time zone 'UTC', ${ISO}) as since,
       (array_agg(w.last_error order by w.next_at desc))[1] as error
       from release_webhooks w join release_events e on e.id = w.event_id
      where w.delivered_at is null and w.attempts >= $1 and w.last_error is not null and w.target = any ($2)
      group by w.target`,
    [TRIES_UNTIL_FAILING, targets],
  );
  return rows
    .map(({ target, ...rest }) => ({ place: targets.indexOf(target) + 1, ...rest }))
    .sort((left, right) => left.place - right.place);
}

/** For /metrics; null: the database does not tell. */
export const webhookLines = ({ urls }: Webhooks, failing: FailingWebhook[] | null): string[] => [
  '# HELP shop_webhook_failing_messages Messages that a receiver has not taken at three tries or more.',
  '# TYPE shop_webhook_failing_messages gauge',
  ...urls.flatMap((_url, index) => {
    const messages = failing?.find(({ place }) => place === index + 1)?.messages ?? 0;
    return failing ? [`shop_webhook_failing_messages{webhook="${index + 1}"} ${messages}`] : [];
  }),
];

interface Due extends RecordedEvent {
  target: string;
}

/**
 * Sends what is due: at least once, in any order. A claim moves the next attempt into the future, so several servers do not send the same at
 * once, and a server that dies leaves it to the next attempt. Returns how many were delivered.
 */
export async function sendWebhooks(
  db: Database,
  { urls, secret }: Webhooks,
  timeoutMs: number = TIMEOUT_MS,
): Promise<number> {
  if (urls.length === 0) return 0;
  const addresses = new Map(urls.map((url) => [targetOf(url), url]));
  const due = await db.rows<Due>(
    `with claimed as (
       update release_webhooks w set attempts = w.attempts + 1,
         next_at = now() + least(3600, 10 * power(2, w.attempts)) * interval '1 second'
        from (select event_id, target from release_webhooks
               where delivered_at is null and next_at <= now() and attempts < $1 and target = any ($2)
               order by next_at limit $3 for update skip locked) d
       where w.event_id = d.event_id and w.target = d.target returning w.event_id, w.target)
     select e.id, to_char(e.at at time zone 'UTC', ${ISO}) as at, e.who, e.channel, e.kind, e.name, e.version, e.why,
       e.evidence, c.target from claimed c join release_events e on e.id = c.event_id order by e.at`,
    [ATTEMPTS, [...addresses.keys()], BATCH],
  );
  const sent = await Promise.all(
    due.map(async ({ target, ...event }) => {
      const error = await post(addresses.get(target) ?? '', secret, event, timeoutMs);
      await db.run(
        `update release_webhooks set delivered_at = case when $3::text is null then now() end, last_error = $3
          where event_id = $1 and target = $2`,
        [event.id, target, error],
      );
      return error === null;
    }),
  );
  return sent.filter(Boolean).length;
}

/** The reason of a failure, without the address; null when it was taken. */
async function post(url: string, secret: string, content: object, timeoutMs: number): Promise<string | null> {
  const body = JSON.stringify(content);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const { pathname } = new URL(url);
  const signature = createHmac('sha256', secret).update(`${timestamp}\n${pathname}\n${body}`).digest('hex');
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-shop-timestamp': timestamp, 'x-shop-signature': signature },
      body,
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'manual',
    });
    await response.body?.cancel();
    return response.ok ? null : `HTTP ${response.status}`;
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    return cause?.code ?? name;
  }
}

/** To every receiver at once, without another try: for when the database does not take the event. */
export async function sendOnce(event: RecordedEvent, { urls, secret }: Webhooks): Promise<void> {
  await Promise.all(urls.map((url) => post(url, secret, event, TIMEOUT_MS)));
}
