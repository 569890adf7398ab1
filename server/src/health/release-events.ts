import { createHash, createHmac } from 'node:crypto';
import type { Database } from '../db/database';
import type { Webhooks } from '../providers/webhook-settings';

export type EventKind = 'rollback' | 'canary-back' | 'canary-step' | 'alert';

export interface ReleaseEvent {
  /** The same for every server that sees the same. */
  id: string;
  channel: string;
  kind: EventKind;
  name: string;
  version: string;
  why: string;
  evidence: object;
}
export interface RecordedEvent extends ReleaseEvent {
  /** ISO 8601, by the database's clock. */
  at: string;
}

const TIMEOUT_MS = 5_000;
const BATCH = 10;
/** With the delays doubling up to an hour, about a day. */
const ATTEMPTS = 30;

/** Not the address: it may hold a secret. */
const targetOf = (url: string) => createHash('sha256').update(url).digest('hex').slice(0, 16);

/** Records what happened and for whom, in one transaction. False when it was known already. */
export async function recordEvent(db: Database, event: ReleaseEvent, { urls }: Webhooks): Promise<boolean> {
  return db.withTransaction(async (sql) => {
    const { id, channel, kind, name, version, why, evidence } = event;
    const added = await sql.run(
      `insert into release_events (id, channel, kind, name, version, why, evidence) values ($1, $2, $3, $4, $5, $6, $7)
       on conflict (id) do nothing`,
      [id, channel, kind, name, version, why, JSON.stringify(evidence)],
    );
    if (added === 0) return false;
    await sql.run('insert into release_webhooks (event_id, target) select $1, unnest($2::text[])', [
      id,
      urls.map(targetOf),
    ]);
    return true;
  });
}

export const recentEvents = (db: Pick<Database, 'rows'>, channel: string, limit = 30): Promise<RecordedEvent[]> =>
  db.rows<RecordedEvent>(
    `select id, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, channel, kind, name, version, why, evidence
       from release_events where channel = $1 order by release_events.at desc, id desc limit $2`,
    [channel, limit],
  );

interface Due extends RecordedEvent {
  target: string;
}

/**
 * Sends what is due: at least once, in any order. A claim moves the next attempt into the future, so several servers do not send the same at
 * once, and a server that dies leaves it to the next attempt. Returns how many were delivered.
 */
export async function sendWebhooks(db: Database, { urls, secret }: Webhooks): Promise<number> {
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
     select e.id, to_char(e.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, e.channel, e.kind, e.name, e.version, e.why,
       e.evidence, c.target from claimed c join release_events e on e.id = c.event_id order by e.at`,
    [ATTEMPTS, [...addresses.keys()], BATCH],
  );
  const sent = await Promise.all(
    due.map(async ({ target, ...event }) => {
      const error = await post(addresses.get(target) ?? '', secret, { who: 'watcher', ...event });
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
async function post(url: string, secret: string, content: object): Promise<string | null> {
  const body = JSON.stringify(content);
  const timestamp = String(Math.floor(Date.now() / 1000));
  const { pathname } = new URL(url);
  const signature = createHmac('sha256', secret).update(`${timestamp}\n${pathname}\n${body}`).digest('hex');
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-shop-timestamp': timestamp, 'x-shop-signature': signature },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    await response.body?.cancel();
    return response.ok ? null : `HTTP ${response.status}`;
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    return cause?.code ?? name;
  }
}
