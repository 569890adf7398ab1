import type { RouteOptions } from 'fastify';
import { authRoutes } from './accounts/auth/auth.routes';
import { authentication } from './accounts/auth/authentication.plugin';
import { invitationsRoutes } from './accounts/invitations/invitations.routes';
import { outboxRoutes } from './accounts/outbox/outbox.routes';
import { privacyRoutes } from './accounts/privacy/privacy.routes';
import { sessionsRoutes } from './accounts/sessions/sessions.routes';
import { uploadsRoutes } from './accounts/uploads/uploads.routes';
import { usersRoutes } from './accounts/users/users.routes';
import { wechatRoutes } from './accounts/wechat/wechat.routes';
import { catalogueRoutes } from './catalogue/catalogue.routes';
import { favouritesRoutes } from './catalogue/favourites/favourites.routes';
import { lowStock } from './catalogue/low-stock';
import { mediaRoutes } from './catalogue/media.routes';
import { contentRoutes } from './content/content.routes';
import type { AppContext, DomainOptions, DomainRoutes, ServerPlugin } from './context';
import { couponsRoutes } from './coupons/coupons.routes';
import { visitActions } from './health/visit-actions.plugin';
import { levelsRoutes } from './levels/levels.routes';
import { noticesRoutes } from './notices/notices.routes';
import { ordersRoutes } from './orders/orders.routes';
import { cashierRoutes } from './payments/cashier.routes';
import { paymentsRoutes } from './payments/payments.routes';
import { accessLog, securityLog } from './platform/audit/access-log.plugin';
import { apiDocs } from './platform/http/api-docs.plugin';
import { answerNotFound, errorHandler } from './platform/http/error-handler.plugin';
import { type App, requestLocale } from './platform/http/request';
import { securityHeadersPlugin } from './platform/http/security-headers.plugin';
import { createServer } from './platform/http/server';
import { healthCheckRoutes } from './platform/monitoring/health-check.routes';
import { metrics } from './platform/monitoring/metrics.plugin';
import { requestTracing } from './platform/monitoring/tracing/tracing.plugin';
import { PublicReads } from './platform/response-cache/public-reads';
import { ResponseCache } from './platform/response-cache/response-cache';
import { UserReads } from './platform/user-reads';
import { walletRoutes } from './wallet/wallet.routes';

/** Keyed by name: each domain has its own limit of concurrent database work, so one that waits does not delay the others. */
const domains: Record<string, DomainRoutes> = {
  auth: authRoutes,
  users: usersRoutes,
  sessions: sessionsRoutes,
  privacy: privacyRoutes,
  catalogue: catalogueRoutes,
  media: mediaRoutes,
  favourites: favouritesRoutes,
  orders: ordersRoutes,
  levels: levelsRoutes,
  notices: noticesRoutes,
  wallet: walletRoutes,
  payments: paymentsRoutes,
  cashier: cashierRoutes,
  coupons: couponsRoutes,
  invitations: invitationsRoutes,
  content: contentRoutes,
  uploads: uploadsRoutes,
  wechat: wechatRoutes,
};

interface AppOptions extends AppContext {
  plugins?: ServerPlugin[];
  requestTimeoutMs?: number;
  onRoute?: (route: RouteOptions) => void;
}

/** The composition root. Plugins are registered in the order in which their hooks must run. */
export async function buildApp({ plugins = [], requestTimeoutMs, onRoute, ...context }: AppOptions): Promise<App> {
  const { config, db } = context;
  const app = createServer({ ...config, publicUrl: config.providers.publicUrl, requestTimeoutMs });
  if (onRoute) app.addHook('onRoute', onRoute);
  const { responseCache, pages, optionsOf } = sharedBy(context);
  await registerBasics(app, context);
  // A proxy that routed the console's host here would give the remotes the console's origin.
  serveHost(app, config.staffUrl, { isConsole: false });
  await app.register(visitActions);
  // This hook runs first: a repeated guest request is answered from memory.
  app.addHook('onRequest', (request, reply, done) => {
    if (!responseCache.sendAgain(request, reply)) done();
  });
  // The session lookup uses the limits of writes, because writes start with it as well as reads.
  await app.register(authentication, { db: db.as('write', 'sessions'), config });
  if (config.logger) {
    await app.register(accessLog);
    await app.register(securityLog);
  }
  if (!config.production) await app.register(apiDocs);
  const metricsDb = db.as('read', 'metrics');
  await app.register(metrics, {
    responseCache,
    db: metricsDb,
    lowStock: () => lowStock(metricsDb),
    token: config.metricsToken,
  });

  await app.register(healthCheckRoutes, { db });
  for (const [name, routes] of Object.entries(domains)) await app.register(routes, optionsOf(name));
  if (config.sandbox) await app.register(outboxRoutes, optionsOf('outbox'));
  // The document page answers every other URL, so the 404 envelope covers only these.
  const unknown = [
    '/api/*',
    '/staff',
    '/staff/*',
    '/ops',
    '/ops/*',
    ...(config.sandbox ? [] : ['/dev/*']),
    ...(config.production ? ['/docs/*'] : []),
  ];
  for (const url of unknown) app.all(url, { schema: { hide: true } as object }, answerNotFound);
  for (const plugin of plugins) await app.register(plugin, { context, pages, optionsOf });
  return app;
}

function sharedBy(context: AppContext) {
  const { config, db } = context;
  const responseCache = new ResponseCache(db.as('read', 'response-cache'), config.freshMs);
  const publicReads = new PublicReads(responseCache);
  const userReads = new UserReads();
  const optionsOf = (name: string): DomainOptions => ({
    context: { ...context, db: db.as('write', name) },
    reads: db.as('read', name),
    publicReads,
    userReads,
  });
  const pages = { sql: db.as('read', 'documents'), responseCache, publicReads, userReads, config };
  return { responseCache, pages, optionsOf };
}

async function registerBasics(app: App, { config, tracing }: AppContext): Promise<void> {
  await app.register(errorHandler);
  if (tracing) await app.register(requestTracing, { tracing });
  await app.register(securityHeadersPlugin, { production: config.production });
  await app.register(requestLocale);
}

/** The console serves only its host, and the shop every other one. */
function serveHost(app: App, staffUrl: string, { isConsole }: { isConsole: boolean }): void {
  if (!staffUrl) return;
  const { host } = new URL(staffUrl);
  app.addHook('onRequest', (request, reply, done) => {
    if ((request.host === host) === isConsole) done();
    else answerNotFound(request, reply);
  });
}

/**
 * The staff console listens separately: its origin serves no page, call or release of the shop. Its requests count among those of
 * `shop`.
 */
export async function buildConsole({
  shop,
  plugins = [],
  onRoute,
  ...context
}: AppOptions & { shop: App }): Promise<App> {
  const { config } = context;
  const app = createServer({ ...config, publicUrl: config.staffUrl });
  if (onRoute) app.addHook('onRoute', onRoute);
  await registerBasics(app, context);
  serveHost(app, config.staffUrl, { isConsole: true });
  if (config.logger) await app.register(accessLog);
  app.addHook('onResponse', shop.countResponse);
  const { pages, optionsOf } = sharedBy(context);
  await app.register(mediaRoutes, optionsOf('media'));
  for (const plugin of plugins) await app.register(plugin, { context, pages, optionsOf });
  return app;
}
