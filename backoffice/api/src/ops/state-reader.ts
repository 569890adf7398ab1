import type { RenderCounts } from '@platform/pages/rendering';
import type { GateQueue } from '@platform/releases';
import { authorOf, history, type Identity, refusalOf, type Store, status } from '@platform/releases';
import { type HealthView, LIMIT_WITHOUT_BASELINE, readHealth } from '@platform/watch';
import { healthStore } from '@shop/server/health/health-store';
import type { Database } from '@shop/server/platform/db/database';
import type { Webhooks } from '@shop/server/providers/webhook-settings';
import type { Caller } from './api/callers';
import { type OpsState, RELEASE_ACTS, type ReleaseAct } from './ops-state';
import { describeAct, hashOf, type Proposals } from './proposals';

export interface StateOptions {
  store: Store;
  channel: string;
  proposals: Proposals;
  gateQueue: GateQueue;
  /** Where health is counted; without it, or while it is away, the rest is known. */
  db?: Database;
  webhooks?: Webhooks;
  /** What this server has rendered, by release. */
  rendering?: () => RenderCounts[];
}

/** A database that hangs must not hide what is live. */
const HEALTH_TIMEOUT_MS = 1_500;
const HEALTH_FRESH_MS = 1_000;

type Shown = Parameters<typeof readHealth>[2];

/** Null without a database, and while it does not answer; one question at a time, so that none pile up then. */
class HealthReader {
  private asked: { at: number; health: Promise<HealthView | null>; isSettled: boolean } | null = null;

  constructor(private readonly options: StateOptions) {}

  async read(shown: Shown): Promise<HealthView | null> {
    const { db } = this.options;
    if (!db) return null;
    if (!this.asked || (this.asked.isSettled && Date.now() - this.asked.at >= HEALTH_FRESH_MS))
      this.asked = this.ask(db, shown);
    return this.asked.health;
  }

  private ask(db: Database, shown: Shown) {
    const { store, channel, webhooks = { urls: [], secret: '' } } = this.options;
    const late = new Promise<null>((resolve) => setTimeout(resolve, HEALTH_TIMEOUT_MS, null).unref());
    const health = store.readMap(channel).then((map) => readHealth(healthStore(db), map, shown, webhooks));
    const question = { at: Date.now(), health: Promise.race([health.catch(() => null), late]), isSettled: false };
    const settle = () => {
      question.isSettled = true;
    };
    health.then(settle, settle);
    return question;
  }
}

/** What the store knows, for a moment, so that not every poll of every open page reads the bucket. */
class FactsReader {
  private latest: { at: number; facts: ReturnType<FactsReader['ask']> } | null = null;

  constructor(private readonly options: StateOptions) {}

  forget(): void {
    this.latest = null;
  }

  read() {
    const { store } = this.options;
    if (this.latest && Date.now() - this.latest.at < 2 * store.blobs.readAgainMs) return this.latest.facts;
    const latest = { at: Date.now(), facts: this.ask() };
    this.latest = latest;
    // A failure is not kept.
    latest.facts.catch(() => {
      if (this.latest === latest) this.latest = null;
    });
    return latest.facts;
  }

  private async ask() {
    const { store, channel, proposals } = this.options;
    const now = await status(store, channel);
    const published = await Promise.all(
      now.releases.map(async ({ name }) =>
        (await store.publications(name)).slice(0, 8).map(({ version, at, by }) => ({ version, at, by })),
      ),
    );
    const shown = now.releases.flatMap(({ name, version, previous, canary }) =>
      [version, previous, canary?.version].flatMap((one) => (one ? [{ name, version: one }] : [])),
    );
    const rows = await history(store, { channel, limit: 30 });
    return { now, published, history: rows, shown, proposals: await proposals.list(channel) };
  }
}

/** What the page of releases shows. */
export class StateReader {
  private readonly facts: FactsReader;
  private readonly health: HealthReader;

  constructor(private readonly options: StateOptions) {
    this.facts = new FactsReader(options);
    this.health = new HealthReader(options);
  }

  /** After an act. */
  forget = (): void => this.facts.forget();

  async read({ identity, agreesAs }: Caller): Promise<OpsState> {
    const { channel, gateQueue, rendering = () => [] } = this.options;
    const { now, published, history: rows, shown, proposals } = await this.facts.read();
    const view = await this.health.read(shown);
    const healthOf = (name: string, version: string | null | undefined) =>
      view?.releases.get(`${name}@${version}`) ?? null;
    const releases = now.releases.map((row, index) => ({
      ...row,
      health: healthOf(row.name, row.version),
      healthBefore: healthOf(row.name, row.previous),
      healthCanary: healthOf(row.name, row.canary?.version),
      rendering: rendering().filter(
        (one) => one.name === row.name && (one.version === row.version || one.version === row.canary?.version),
      ),
      watched: view?.watched.get(row.name) ?? null,
      published: published[index] ?? [],
      checking: gateQueue.checkOf(row.name),
      may: mayDo(identity, row.name, channel),
    }));
    return {
      ...now,
      you: authorOf(identity),
      proposals: proposals.map(({ id, act, why = '', by, at, agreed, subjects }) => {
        const mayDecide = !refusalOf(identity, act, channel);
        const mayConfirm = mayDecide && agreesAs !== null && !subjects.includes(hashOf(agreesAs));
        return { id, what: describeAct(act), why, by, at, agreed, mayDecide, mayConfirm };
      }),
      mayRestore: !refusalOf(identity, { act: 'restore', rev: 1 }, channel),
      bound: LIMIT_WITHOUT_BASELINE,
      events: view?.events ?? null,
      failingWebhooks: view?.failingWebhooks ?? [],
      releases,
      history: rows,
    };
  }
}

/** What somebody may do with a release at all, so that the page offers nothing else. */
const mayDo = (identity: Identity, name: string, channel: string): ReleaseAct[] =>
  RELEASE_ACTS.filter(
    (act) => !refusalOf(identity, act === 'promote' ? { act, name, traffic: 0 } : { act, name }, channel),
  );
