import {
  type GateQueue,
  history,
  type Identity,
  placeInSource,
  type ReleaseMap,
  refusalOf,
  type Store,
  status,
} from '@platform/releases';
import {
  type HealthView,
  LIMIT_WITHOUT_BASELINE,
  type ReleaseReport,
  readHealth,
  type Webhooks,
} from '@platform/watch';
import { healthStore } from '@shop/server/health/health-store';
import type { Database } from '@shop/server/platform/db/database';
import { LRUCache } from 'lru-cache';

const RELEASE_ACTIONS = ['promote', 'rollback', 'freeze', 'unfreeze', 'render-off', 'render-on'] as const;
export type OpsState = Awaited<ReturnType<StateReader['read']>>;
export type OpsRelease = OpsState['releases'][number];
export type OpsHealth = NonNullable<OpsRelease['health']>;

interface StateOptions {
  store: Store;
  shop: () => string;
  gateQueue: GateQueue;
  /** The database of the health counters. The rest of the state does not need it. */
  db?: Database;
  webhooks: Webhooks;
}

/** A database that hangs must not hide the live releases. */
const HEALTH_TIMEOUT_MS = 1_500;
const HEALTH_FRESH_MS = 1_000;

export class StateReader {
  /** Cached briefly, so that not every poll of every open page reads the bucket; failures are not cached. */
  private readonly facts: LRUCache<'facts', Facts>;
  /** One query at a time, so that queries do not pile up while the database does not answer. */
  private readonly health: LRUCache<'health', HealthView, Facts>;
  /** Source positions by release and place; '' if the source map has none. A release never changes. */
  private readonly sources: LRUCache<string, string>;

  constructor(private readonly options: StateOptions) {
    const { store, db } = options;
    const ttl = Math.max(1, 2 * store.blobs.readAgainMs);
    // A caller from before an action still gets its answer, which is not cached.
    this.facts = new LRUCache({ max: 1, ttl, ignoreFetchAbort: true, fetchMethod: () => readFacts(options) });
    this.sources = new LRUCache({
      max: 2_000,
      fetchMethod: async (key) => {
        const [release = '', at = ''] = key.split(' ');
        const [name = '', version = ''] = release.split('@');
        return (await placeInSource(store, { name, version }, at)) ?? '';
      },
    });
    this.health = new LRUCache({
      max: 1,
      ttl: HEALTH_FRESH_MS,
      fetchMethod: async (_key, _stale, { context: { map } }) => db && this.readHealth(db, map),
    });
  }

  private async readHealth(db: Database, map: ReleaseMap): Promise<HealthView> {
    const view = await readHealth(healthStore(db), map, this.options.webhooks);
    for (const { name, version, health } of view.releases)
      for (const error of health.errors) {
        const source = error.at && (await this.sources.fetch(`${name}@${version} ${error.at}`));
        if (source) error.source = source;
      }
    return view;
  }

  /** The health of all releases, or of these names; null without a database, and while it does not answer. */
  async report(names?: readonly string[]): Promise<ReleaseReport[] | null> {
    const facts = await this.facts.forceFetch('facts');
    // Only this part of the answer waits for the database.
    const view = await this.health.fetch('health', { context: facts }).catch(() => null);
    return view?.releases.filter(({ name }) => names?.includes(name) ?? true) ?? null;
  }

  forget = (): void => this.facts.clear();

  /** Null as in `report`. */
  private async healthOf(facts: Facts): Promise<HealthView | null> {
    const late = new Promise<null>((resolve) => setTimeout(resolve, HEALTH_TIMEOUT_MS, null).unref());
    const health = this.health.fetch('health', { context: facts }).catch(() => null);
    return (await Promise.race([health, late])) ?? null;
  }

  async read(identity: Identity) {
    const { gateQueue } = this.options;
    const facts = await this.facts.forceFetch('facts');
    const view = await this.healthOf(facts);
    const releases = facts.now.releases.map((row) => {
      const reported = view?.releases.filter(({ name }) => name === row.name) ?? [];
      return {
        ...row,
        health: shownHealth(reported.find(({ version }) => version === row.version)),
        healthCanary: shownHealth(reported.find(({ version }) => version === row.canary?.version)),
        watched: shownWatch(reported.find(({ watched }) => watched)),
        /** 1 while the gate of this server checks the release, more while the release waits for it, else 0. */
        placeAtGate: gateQueue.placeOf(row.name),
        may: mayDo(identity, row.name),
      };
    });
    return {
      ...facts.now,
      shop: this.options.shop(),
      mayRestore: !refusalOf(identity, { action: 'restore', rev: 1 }),
      /** The share of failures, 0 to 1, at which a release counts as failing if there is no data of the previous release. */
      bound: LIMIT_WITHOUT_BASELINE,
      /** Events of the watcher, newest first; null while the database does not answer. */
      events: view?.events ?? null,
      failingWebhooks: view?.failingWebhooks ?? [],
      releases,
    };
  }
}

type Facts = Awaited<ReturnType<typeof readFacts>>;

async function readFacts({ store }: StateOptions) {
  const [map, now] = [await store.readMap(), await status(store)];
  const releases = await Promise.all(
    now.releases.map(async (release) => {
      const publications = await store.publications(release.name);
      return { ...release, published: publications.slice(0, 8).map(({ version, at, by }) => ({ version, at, by })) };
    }),
  );
  return { map, now: { ...now, releases, history: await history(store, { limit: 30 }) } };
}

/** The part of a report that the page shows. */
function shownHealth(report: ReleaseReport | undefined) {
  if (!report) return null;
  const { visits, failures, share, refused, errors } = report.health;
  return { visits, failures, share, refused, errors };
}

function shownWatch(report: ReleaseReport | undefined) {
  if (!report?.watched) return null;
  const { verdict, why, next, undecided } = report.watched;
  return { verdict, why, next, undecided };
}

/** The actions that the identity may ever take on a release; the page offers only these. */
const mayDo = (identity: Identity, name: string) =>
  RELEASE_ACTIONS.filter(
    (action) => !refusalOf(identity, action === 'promote' ? { action, name, traffic: 0 } : { action, name }),
  );
