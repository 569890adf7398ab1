/** The documents of the live releases, and the counts by which the watcher judges them. */
import { PageRendering } from '@platform/pages/rendering';
import { documentPlugin, searchEngines } from '@platform/pages/serving';
import { mapSource, type ReleaseMap, type Store } from '@platform/releases';
import {
  failingWebhooks,
  HealthCounts,
  releasesOf,
  VisitSteps,
  VisitTokens,
  Watcher,
  webhookLines,
} from '@platform/watch';
import { SITE } from '@shop/shared/site';
import { LRUCache } from 'lru-cache';
import type { ServerPlugin } from './context';
import { DatabaseWait } from './document/database-wait';
import { shopPageKinds } from './document/kinds/shop-page-kinds';
import { documentGuests, documentUsers } from './document/page-answers';
import { pageDescriber } from './document/page-describer';
import { faultReporter, healthPlugin, visitCounter } from './health/health.plugin';
import { healthStore } from './health/health-store';
import { every } from './platform/every';
import { serverContract } from './server-contract';

export interface ReleasesOptions {
  store: Store;
  /** Milliseconds between two checks of the watcher; 0 turns it off. */
  watchEvery?: number;
  /** How long a page waits for its metadata from the database; 3 s by default. */
  describeWithinMs?: number;
  now?: () => number;
}

const FLUSH_MS = 2_000;
/** How soon the server starts rendering processes for a promoted or rolled-back release, before any visitor needs them. */
const PREPARE_MS = 1_000;

/** Without a database the server has pages, but no health and no watcher. */
export function liveReleases(options: ReleasesOptions): ServerPlugin {
  const { store, watchEvery = 5_000, describeWithinMs, now } = options;
  return async (app, { context, pages }) => {
    const source = mapSource(store);
    const tokens = context && new VisitTokens(context.config.secret, now);
    const steps = context && new VisitSteps(context.config.secret);
    const visits = tokens && steps && visitCounter(tokens, steps);
    const log = (line: string) => app.log.warn(line);
    const rendering = context?.config.render ? new PageRendering({ store, log }) : undefined;
    const counts = context && new HealthCounts(context.config.secret);
    const pictureOrigins = pages?.config.pictureOrigins;
    const publicUrl = pages?.config.providers.publicUrl;
    const origin = publicUrl ? new URL(publicUrl).origin : '';
    const indexed = pages?.config.indexed ?? false;
    const databaseWait = new DatabaseWait(describeWithinMs);
    const kinds = pages && shopPageKinds(pages.sql);
    await app.register(searchEngines({ site: SITE, source, origin, indexed, kinds }));
    await app.register(
      documentPlugin({
        site: SITE,
        store,
        serviceWorker: {
          isOff: pages?.config.hasServiceWorker === false,
          showsPushes: pages?.config.providers.webPush !== undefined,
        },
        describePage: pages && kinds && pageDescriber({ ...pages, kinds, log: app.log, wait: databaseWait }),
        origin,
        indexed,
        pictureOrigins,
        onDocument: visits?.onDocument,
        rendering,
        guestIn: pages && documentGuests(pages.publicReads, databaseWait),
        userOf: pages && documentUsers({ ...pages, ...pages.config, wait: databaseWait }),
        onRenderFault: counts && faultReporter(counts),
      }),
    );
    if (!context || !tokens || !counts || !steps || !visits) return;
    app.onStep?.push(visits.onStep);
    const { config } = context;
    const jobs = healthStore(context.db.as('job', 'releases'));
    await app.register(healthPlugin({ source, counts, tokens }));
    const reads = healthStore(context.db.as('read', 'metrics'));
    const watcher = new Watcher({
      store,
      server: serverContract,
      source,
      health: jobs,
      webhooks: config.webhooks,
      log,
    });
    const maps = new LRUCache<number, ReleaseMap>({
      max: 20,
      fetchMethod: async (rev) => (await store.readRevision(rev)) ?? undefined,
    });
    const mapAt = async (rev: number) => (await maps.fetch(rev)) ?? null;
    const failed = (what: string) => (error: unknown) => app.log.error({ err: error }, what);
    const flushSteps = async () => steps.flush(jobs, await source.get(), mapAt);
    app.metricLines?.push(async () => {
      const map = await source.get();
      const shown = new Set(releasesOf(map).map(({ name, version }) => `${name}@${version}`));
      const failing = await failingWebhooks(reads, config.webhooks).catch(() => null);
      const { renderer } = rendering ?? {};
      return [
        ...counts.metrics.lines('shop', map),
        ...steps.lines('shop', map),
        ...watcher.lines('shop', map),
        ...webhookLines('shop', config.webhooks, failing),
        ...(renderer?.statistics.lines('shop', renderer.processes, shown) ?? []),
      ];
    });
    const stops = [
      every(FLUSH_MS, () => counts.flush(jobs).catch(failed('reports could not be stored'))),
      every(FLUSH_MS, () => flushSteps().catch(failed('steps of visits could not be stored'))),
      every(rendering ? PREPARE_MS : 0, async () =>
        rendering?.prepare(source).catch(failed('no renderer was started')),
      ),
      every(watchEvery, () => watcher.look().catch(failed('the watcher could not look'))),
    ];
    app.addHook('onClose', async () => {
      await Promise.all(stops.map((stop) => stop()));
      await rendering?.close();
      await counts.flush(jobs).catch(() => {});
      await flushSteps().catch(() => {});
    });
  };
}
