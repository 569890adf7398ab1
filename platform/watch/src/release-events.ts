import { createHash, createHmac } from 'node:crypto';
import { CHANNEL, type MapChange, type Store } from '@platform/releases';
import type { FailingTarget, HealthStore } from './health-store';
import { type EventKind, type ReleaseEvent, WATCHER } from './release-event';
import { metricLines } from './release-metrics';

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
/** These tries take half a minute; a receiver that restarts is back by then. */
const TRIES_UNTIL_FAILING = 3;
/** About a day, with delays that double up to an hour. */
const ATTEMPTS = 30;

/** A hash, because the address may contain a secret. */
const targetOf = (url: string) => createHash('sha256').update(url).digest('hex').slice(0, 16);

/** Resolves to false if the event was recorded already. */
export const recordEvent = (health: HealthStore, event: ReleaseEvent, { urls }: Webhooks): Promise<boolean> =>
  health.recordEvent(event, urls.map(targetOf));

/**
 * Records the changes of a map as events, from its history. This is independent of their author and tool, and of whether the
 * health store was available at the time. No change waits for a receiver or fails with it.
 */
export class ChangeRecorder {
  private recordedUntil: number | null = null;

  constructor(private readonly options: { store: Store; health: HealthStore; webhooks: Webhooks }) {}

  /** Records all changes up to this revision that are not recorded yet. Without records it begins with the next revision. */
  async recordUntil(until: number): Promise<void> {
    if (this.recordedUntil !== null && this.recordedUntil >= until) return;
    const { store, health } = this.options;
    const recordedUntil = this.recordedUntil ?? (await health.reportedUntil(until));
    for (let rev = recordedUntil + 1; rev <= until; rev += 1) {
      const revision = await store.readRevision(rev);
      if (revision) await this.record(rev, revision.changed);
    }
    if (until > recordedUntil) await health.setReportedUntil(until);
    this.recordedUntil = until;
  }

  private async record(rev: number, { at, by, action, name, from, to, why }: MapChange): Promise<void> {
    const { health, webhooks } = this.options;
    const kind = by === WATCHER ? watcherKind[action] : action;
    if (!kind) return;
    const isRollback = action === 'rollback' || action === 'abandon';
    // For the whole map, `from` and `to` are revisions.
    const version = (name !== '*' && (isRollback ? from : (to ?? from))) || '';
    const evidence = by === WATCHER ? {} : { rev, from, to, changed: at };
    const event = { id: `${CHANNEL}:${rev}`, who: by, channel: CHANNEL, kind, name, version, why, evidence };
    await recordEvent(health, event, webhooks);
  }
}

/** A rollback of the watcher freezes as well; that change has no event. */
const watcherKind: Partial<Record<MapChange['action'], EventKind>> = {
  rollback: 'rollback',
  abandon: 'canary-back',
  canary: 'canary-step',
  promote: 'canary-step',
};

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
    `${prefix}_webhook_failing_messages`,
    'Messages that a receiver has not taken at three tries or more.',
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
