import { createHash, createHmac } from 'node:crypto';
import type { HealthStore } from './health-store';
import { metricLines } from './metric-lines';
import { type RecordedEvent, type ReleaseEvent, WATCHER, type WatcherKind } from './release-event';

/** Who is told of releases. */
export interface Webhooks {
  urls: string[];
  /** Signs what is sent. */
  secret: string;
  /** Of the headers with time and signature. */
  headerPrefix?: string;
}

/** A receiver to which messages cannot be delivered. */
export interface FailingWebhook {
  /** Its place in the list, from 1: the address may hold a secret. */
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

/** False when it was known already. */
export const recordEvent = (health: HealthStore, event: ReleaseEvent, { urls }: Webhooks): Promise<boolean> =>
  health.recordEvent(event, urls.map(targetOf));

/** What the watcher saw and did, newest first; the rest is in the history. */
export const watcherEvents = (health: HealthStore, channel: string, limit = 30) =>
  health.events(channel, WATCHER, limit) as Promise<RecordedEvent<WatcherKind>[]>;

/** Receivers that do not take what is sent to them. */
export async function failingWebhooks(
  health: HealthStore,
  { urls }: Pick<Webhooks, 'urls'>,
): Promise<FailingWebhook[]> {
  if (urls.length === 0) return [];
  const targets = urls.map(targetOf);
  const failing = await health.failingTargets(targets, TRIES_UNTIL_FAILING);
  return failing
    .map(({ target, ...rest }) => ({ place: targets.indexOf(target) + 1, ...rest }))
    .sort((left, right) => left.place - right.place);
}

/** For Prometheus, under names that begin with the prefix; null: the store does not tell. */
export const webhookLines = (prefix: string, { urls }: Webhooks, failing: FailingWebhook[] | null): string[] =>
  metricLines(
    {
      name: `${prefix}_webhook_failing_messages`,
      help: 'Messages that a receiver has not taken at three tries or more.',
    },
    urls.flatMap((_url, index) => {
      const messages = failing?.find(({ place }) => place === index + 1)?.messages ?? 0;
      return failing ? [{ labels: { webhook: index + 1 }, value: messages }] : [];
    }),
  );

/** Sends what is due: at least once, in any order. What a server leaves that dies is sent by a later attempt. Returns how many were delivered. */
export async function sendWebhooks(
  health: HealthStore,
  webhooks: Webhooks,
  timeoutMs: number = TIMEOUT_MS,
): Promise<number> {
  const { urls } = webhooks;
  if (urls.length === 0) return 0;
  const addresses = new Map(urls.map((url) => [targetOf(url), url]));
  const due = await health.claimMessages([...addresses.keys()], ATTEMPTS, BATCH);
  const sent = await Promise.all(
    due.map(async ({ target, ...event }) => {
      const error = await postWebhook(addresses.get(target) ?? '', webhooks, event, timeoutMs);
      await health.messageSent({ id: event.id, target }, error);
      return error === null;
    }),
  );
  return sent.filter(Boolean).length;
}

/** Signs and sends one message, without following a redirect. The reason of a failure, without the address; null when it was taken. */
export async function postWebhook(
  url: string,
  { secret, headerPrefix = 'x-release' }: Pick<Webhooks, 'secret' | 'headerPrefix'>,
  content: object,
  timeoutMs: number,
): Promise<string | null> {
  try {
    const body = JSON.stringify(content);
    const timestamp = String(Math.floor(Date.now() / 1000));
    const { pathname } = new URL(url);
    const signature = createHmac('sha256', secret).update(`${timestamp}\n${pathname}\n${body}`).digest('hex');
    const headers = {
      'content-type': 'application/json',
      [`${headerPrefix}-timestamp`]: timestamp,
      [`${headerPrefix}-signature`]: signature,
    };
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    await response.body?.cancel();
    return response.ok ? null : `HTTP ${response.status}`;
  } catch (error) {
    const { name, cause } = error as { name: string; cause?: { code?: string } };
    return cause?.code ?? name;
  }
}
