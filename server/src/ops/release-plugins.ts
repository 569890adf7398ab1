/** Everything of the server that belongs to releases, around one store: the page, health with its watcher, and /ops. */
import { randomBytes } from 'node:crypto';
import { withStaticSite } from '@shop/document';
import { type GateStep, mapSource, recordKey, type Store } from '@shop/release';
import type { FastifyPluginAsync } from 'fastify';
import type { Config } from '../config';
import { DatabaseWait } from '../document/database-wait';
import { documentPlugin } from '../document/document.plugin';
import { healthPlugin } from '../health/health.plugin';
import { HealthCounts } from '../health/health-counts';
import { failingWebhooks, webhookLines } from '../health/release-events';
import { releasesOf } from '../health/release-metrics';
import { faultReporter } from '../health/render-faults';
import { VisitTokens } from '../health/visit-token';
import { Watcher } from '../health/watcher';
import { pageDescriber } from '../metadata/page-describer';
import { searchEngines } from '../metadata/search-engines.plugin';
import { type Database, StartError } from '../platform/db/database';
import type { Sql } from '../platform/db/sql';
import { allowedPictureOrigins } from '../platform/http/picture-origins';
import type { ResponseCache } from '../platform/response-cache/response-cache';
import { PageRendering } from '../renderer/page-rendering';
import { staffPage } from '../staff/staff-page.plugin';
import { type Forge, parseForges } from './api/forge-settings';
import { opsApi } from './api/ops-api.plugin';
import { GateQueue } from './gate-queue';
import { NO_BROWSER, opsPlugin } from './ops.plugin';
import { opsSessions } from './ops-session';
import { type OpsTokens, parseOpsTokens } from './ops-tokens';
import { parseSecondPerson, SecondPerson, type SecondPersonRule } from './second-person';
import { type OpenIdSettings, readOpenId } from './sign-in/openid-settings';

export interface ReleasePluginsOptions {
  store: Store;
  channel?: string;
  /** Default: OPS_TOKEN, else outside production a random one where nobody could sign in otherwise. */
  opsToken?: string;
  /** Default: OPS_TOKENS. */
  opsTokens?: OpsTokens['named'];
  /** By which provider people sign in; default: OPS_OIDC_…. */
  openId?: OpenIdSettings | null;
  /** Acts that need two people; default: OPS_SECOND_PERSON. */
  secondPerson?: SecondPersonRule[];
  /** Whose tokens the release API takes; default: RELEASE_OIDC. */
  forges?: Forge[];
  /** Milliseconds between two looks of the watcher; 0 turns it off. */
  watchEvery?: number;
  /** The gate's checks in a browser, for promotes at /ops. */
  browserGate?: () => Promise<GateStep>;
  /** How long a document waits for what the database knows of its page; 3 s by default. */
  describeWithinMs?: number;
  /** Address of this shop, for the gate; known once it listens. */
  address?: () => string;
  /** The clock of this server, in milliseconds; the drill sets it wrong. */
  now?: () => number;
}

/** Without a context (no API, no database) there are documents and /ops, but no health and no watcher. */
export type ReleasePlugin = FastifyPluginAsync<{
  context?: { db: Database; config: Pick<Config, 'secret' | 'webhooks'> & Partial<Pick<Config, 'render'>> };
  /** What documents show of the shop; absent without an API. */
  pages?: {
    sql: Sql;
    responseCache: ResponseCache;
    config: Pick<Config, 'production' | 'providers' | 'indexed' | 'pictureOrigins'>;
  };
}>;

export interface ReleasePlugins {
  plugins: ReleasePlugin[];
  /** Empty where nobody signs in with a shared token. */
  opsToken: string;
  /** Made up at this start, so that it must be told. */
  opsTokenIsRandom: boolean;
}

const FLUSH_MS = 2_000;
/** How soon processes for what a promote or rollback brought are started without a visitor. */
const PREPARE_MS = 1_000;

export function releasePlugins(options: ReleasePluginsOptions): ReleasePlugins {
  const { channel = 'production', watchEvery = 5_000, browserGate, describeWithinMs, now } = options;
  const store = withStaticSite(options.store);
  const given = options.opsToken ?? process.env.OPS_TOKEN;
  const named = options.opsTokens ?? parseOpsTokens(process.env.OPS_TOKENS ?? '') ?? new Map();
  const openId =
    options.openId === undefined ? orStop((problems) => readOpenId(process.env, problems)) : options.openId;
  const opsTokenIsRandom = !given && named.size === 0 && !openId && process.env.NODE_ENV !== 'production';
  const forges = options.forges ?? orStop((problems) => parseForges(process.env.RELEASE_OIDC ?? '', problems));
  const rules =
    options.secondPerson ?? orStop((problems) => readSecondPerson(Boolean(openId) || named.size > 1, problems));
  const opsToken = opsTokenIsRandom ? randomBytes(12).toString('base64url') : (given ?? '');

  const releases: ReleasePlugin = async (app, { context, pages }) => {
    const source = mapSource(store, channel);
    const tokens = context && new VisitTokens(context.config.secret, now);
    const gateQueue = new GateQueue();
    const sessions = opsSessions({ shared: opsToken || undefined, named, openId }, store.blobs, now);
    const secondPerson = new SecondPerson(store.blobs, rules, now);
    const onDocument = tokens?.give.bind(tokens);
    const log = (line: string) => app.log.warn(line);
    const rendering = context?.config.render ? new PageRendering({ store, log }) : undefined;
    const counts = context && new HealthCounts(context.config.secret);
    const pictureOrigins = pages && allowedPictureOrigins(pages.config);
    const publicUrl = pages?.config.providers.publicUrl;
    const origin = publicUrl ? new URL(publicUrl).origin : '';
    const indexed = channel === 'production' && (pages?.config.indexed ?? false);
    const databaseWait = new DatabaseWait(describeWithinMs);
    await app.register(searchEngines({ source, origin, indexed, sql: pages?.sql }));
    await app.register(
      documentPlugin({
        store,
        channel,
        mayPreviewFrozen: sessions.mayPreview,
        describePage: pages && pageDescriber({ ...pages, log: app.log, wait: databaseWait }),
        origin,
        indexed,
        pictureOrigins,
        onDocument,
        rendering,
        responseCache: pages?.responseCache,
        databaseWait,
        onRenderFault: counts && faultReporter(counts),
      }),
    );
    await app.register(
      opsPlugin({
        store,
        db: context?.db.as('write', 'ops'),
        webhooks: context?.config.webhooks,
        sessions,
        openId,
        secondPerson,
        gateQueue,
        channel,
        browserGate,
        address: options.address,
        rendering: () => rendering?.renderer.statistics.all() ?? [],
      }),
    );
    const signingKey = context && recordKey(context.config.secret);
    if (signingKey) store.signWith(signingKey);
    const api = opsApi({
      store,
      forges,
      secondPerson,
      gateQueue,
      channel,
      recordKey: signingKey,
      browserGate: browserGate ?? (async () => NO_BROWSER),
      address: options.address,
      db: context?.db.as('write', 'ops'),
      now,
    });
    await app.register(api, { prefix: '/ops/api' });
    if (!context || !tokens || !counts) return;
    await app.register(staffPage, { pictureOrigins });
    const { config } = context;
    const db = context.db.as('job', 'releases');
    await app.register(healthPlugin({ source, counts, tokens }));
    const watcher = new Watcher({ store, source, db, channel, webhooks: config.webhooks, log });
    const reads = context.db.as('read', 'metrics');
    app.metricLines?.push(async () => {
      const map = await source.get();
      const shown = new Set(releasesOf(map).map(({ name, version }) => `${name}@${version}`));
      const failing = await failingWebhooks(reads, config.webhooks).catch(() => null);
      const { renderer } = rendering ?? {};
      return [
        ...counts.metrics.lines(map),
        ...watcher.lines(map),
        ...webhookLines(config.webhooks, failing),
        ...(renderer?.statistics.lines(renderer.processes, (name, version) => shown.has(`${name}@${version}`)) ?? []),
      ];
    });
    const failed = (what: string) => (error: unknown) => app.log.error({ err: error }, what);
    const stops = [
      every(FLUSH_MS, () => counts.flush(db).catch(failed('reports could not be stored'))),
      every(rendering ? PREPARE_MS : 0, async () =>
        rendering?.prepare(source).catch(failed('no renderer was started')),
      ),
      every(watchEvery, () => watcher.look().catch(failed('the watcher could not look'))),
    ];
    app.addHook('onClose', async () => {
      await Promise.all(stops.map((stop) => stop()));
      await rendering?.close();
      await counts.flush(db).catch(() => {});
    });
  };
  return { plugins: [releases], opsToken, opsTokenIsRandom };
}

function readSecondPerson(canBeTwo: boolean, problems: string[]): SecondPersonRule[] {
  const rules = parseSecondPerson(process.env.OPS_SECOND_PERSON ?? '', problems);
  if (rules.length > 0 && !canBeTwo)
    problems.push('OPS_SECOND_PERSON needs people who sign in as themselves: OPS_OIDC_ISSUER, or two in OPS_TOKENS.');
  return rules;
}

/** Throws StartError with every problem, one a line. */
function orStop<Settings>(read: (problems: string[]) => Settings): Settings {
  const problems: string[] = [];
  const settings = read(problems);
  if (problems.length > 0) throw new StartError(problems.join('\n'));
  return settings;
}

/** Runs `work` at intervals and never twice at once; 0 never runs it. The result stops it and waits for what runs. */
function every(milliseconds: number, work: () => Promise<unknown>): () => Promise<unknown> {
  let running: Promise<unknown> | null = null;
  if (milliseconds <= 0) return async () => {};
  const timer = setInterval(() => {
    running ??= work().finally(() => {
      running = null;
    });
  }, milliseconds).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
