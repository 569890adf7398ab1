import { createHash, createHmac } from 'node:crypto';
import { CHANNEL } from '@platform/releases';
import type { FailingTarget, HealthStore } from './health-store';
import { metricLines } from './metric-lines';
import { type RecordedEvent, type ReleaseEvent, WATCHER, type WatcherKind } from './release-event';

export interface Webhooks {
  urls: string[];
  secret: string;
  /** Prefix of the headers with time and signature. */
  headerPrefix?: string;
}

export interface FailingWebhook extends Omit<FailingTarget, 'target'> {
  /** Its position in the list, from 1, because the address may contain a secret. */
  place: number;
}

const TIMEOUT_MS = 5_000;
const BATCH = 10;
/** The number of the watcher's events that a page shows. */
const WATCHER_EVENTS = 30;
/** These tries take half a minute; a receiver that restarts is back by then. */
const TRIES_UNTIL_FAILING = 3;
/** About a day, with delays that double up to an hour. */
const ATTEMPTS = 30;

/** A hash, because the address may contain a secret. */
const targetOf = (url: string) => createHash('sha256').update(url).digest('hex').slice(0, 16);

/** Resolves to false if the event was recorded already. */
export const recordEvent = (health: HealthStore, event: ReleaseEvent, { urls }: Webhooks): Promise<boolean> =>
  health.recordEvent(event, urls.map(targetOf));

export const watcherEvents = (health: HealthStore) =>
  health.events(CHANNEL, WATCHER, WATCHER_EVENTS) as Promise<RecordedEvent<WatcherKind>[]>;

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

/** Metrics for Prometheus; names begin with the prefix. `failing` is null if the store does not answer. */
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

/**
 * Sends due messages: at least once, in any order. If a server dies, a later attempt sends its messages. Returns the number of
 * delivered messages.
 */
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

/** Signs and sends one message, without following redirects. Returns the reason of a failure, without the address, or null. */
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
