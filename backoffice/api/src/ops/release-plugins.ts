import { PageRendering } from '@platform/pages/rendering';
import { documentPlugin, searchEngines } from '@platform/pages/serving';
import { GateQueue, type GateStep, mapSource, type ReleaseMap, type Store } from '@platform/releases';
import {
  failingWebhooks,
  HealthCounts,
  releasesOf,
  VisitSteps,
  VisitTokens,
  Watcher,
  webhookLines,
} from '@platform/watch';
import serverCalls from '@shop/server/calls.json';
import type { BackOffice, ServerPlugin } from '@shop/server/context';
import { DatabaseWait } from '@shop/server/document/database-wait';
import { shopPageKinds } from '@shop/server/document/kinds/shop-page-kinds';
import { documentUsers, pageAnswers } from '@shop/server/document/page-answers';
import { pageDescriber } from '@shop/server/document/page-describer';
import { healthPlugin, visitCounter } from '@shop/server/health/health.plugin';
import { healthStore } from '@shop/server/health/health-store';
import { faultReporter } from '@shop/server/health/render-faults';
import { every } from '@shop/server/platform/every';
import { SITE } from '@shop/shared/site';
import { LRUCache } from 'lru-cache';
import { backOffice } from '../back-office';
import { staffGuard } from '../people/staff-access';
import { staffPage } from '../staff-page.plugin';
import { type Forge, parseForges } from './api/forge-settings';
import { releaseApiForPrograms, releaseApiForStaff } from './api/ops-api.plugin';
import { opsAudit } from './ops-audit';
import { StateReader } from './state-reader';

export interface ReleasePluginsOptions {
  store: Store;
  /** It defaults to the forges of the environment. */
  forges?: Forge[];
  /** Milliseconds between two checks of the watcher; 0 turns it off. */
  watchEvery?: number;
  browserGate?: () => Promise<GateStep>;
  /** How long a page waits for its metadata from the database; 3 s by default. */
  describeWithinMs?: number;
  address?: () => string;
  now?: () => number;
}

const NO_BROWSER: GateStep = {
  check: 'browser',
  run: async () => [{ check: 'browser', outcome: 'failed', detail: 'this server has no browser to check it in' }],
};
const FLUSH_MS = 2_000;
/** How soon the server starts rendering processes for a promoted or rolled-back release, before any visitor needs them. */
const PREPARE_MS = 1_000;

/** Without a database the server has pages and the release calls, but no staff calls, no health and no watcher. */
export function backOfficeWithReleases(options: ReleasePluginsOptions): BackOffice {
  const { store, watchEvery = 5_000, browserGate, describeWithinMs, now } = options;
  const server = { routes: SITE.serverRoutes, calls: Object.keys(serverCalls) };

  const staff = backOffice();
  let { forges = [] } = options;
  /** Set by the plugin of the shop, which registers first: both servers share the gate's queue. */
  let forStaff: Omit<Parameters<typeof releaseApiForStaff>[0], 'admit'> | undefined;
  const releases: ServerPlugin = async (app, { context, pages }) => {
    const source = mapSource(store);
    const tokens = context && new VisitTokens(context.config.secret, now);
    const gateQueue = new GateQueue();
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
          isOff: process.env.SERVICE_WORKER === 'off',
          showsPushes: Boolean(process.env.WEB_PUSH_PUBLIC_KEY || process.env.WEB_PUSH_PUBLIC_KEY_FILE),
        },
        describePage: pages && kinds && pageDescriber({ ...pages, kinds, log: app.log, wait: databaseWait }),
        origin,
        indexed,
        pictureOrigins,
        onDocument: visits?.onDocument,
        rendering,
        answers: pages && pageAnswers(pages.publicReads, databaseWait),
        userOf: pages && documentUsers({ ...pages, ...pages.config, wait: databaseWait }),
        // The header shows the signed-in user.
        isPersonal: ({ flags }) => flags?.layout !== false,
        onRenderFault: counts && faultReporter(counts),
      }),
    );
    const db = context?.db.as('write', 'ops');
    const webhooks = context?.config.webhooks ?? { urls: [], secret: '' };
    const audit = opsAudit(db);
    const shop = () => origin || (options.address?.() ?? '');
    const state = new StateReader({ store, shop, gateQueue, db, webhooks });
    const api = {
      store,
      server,
      gateQueue,
      audit,
      onAction: state.forget,
      health: db && ((names?: readonly string[]) => state.report(names)),
      browserGate: browserGate ?? (async () => NO_BROWSER),
    };
    await app.register(releaseApiForPrograms({ ...api, forges, now }), { prefix: '/ops/api' });
    forStaff = { ...api, state };
    if (!context || !tokens || !counts || !steps || !visits) return;
    app.onStep?.push(visits.onStep);
    const { config } = context;
    const jobs = healthStore(context.db.as('job', 'releases'));
    await app.register(healthPlugin({ source, counts, tokens }));
    const reads = healthStore(context.db.as('read', 'metrics'));
    const watcher = new Watcher({ store, server, source, health: jobs, webhooks: config.webhooks, log });
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
        ...(renderer?.statistics.lines('shop', renderer.processes, (name, version) =>
          shown.has(`${name}@${version}`),
        ) ?? []),
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
  const releasesConsole: ServerPlugin = async (app, { context, pages }) => {
    if (!context || !forStaff) return;
    const admit = staffGuard(context.db.as('write', 'staff'), context.config.staffUrl ?? '');
    await app.register(releaseApiForStaff({ ...forStaff, admit }), { prefix: '/staff/api/releases' });
    const pictureOrigins = pages?.config.pictureOrigins;
    await app.register(staffPage, { pictureOrigins });
  };
  return {
    ...staff,
    readSettings: (source) => {
      forges = options.forges ?? parseForges(source);
    },
    plugins: [releases],
    consolePlugins: [...staff.consolePlugins, releasesConsole],
  };
}
