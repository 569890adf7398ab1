import type { RouteOptions } from 'fastify';
import { securityLog } from './audit/security-log.plugin';
import { authRoutes } from './auth/auth.routes';
import { authentication } from './auth/authentication.plugin';
import { catalogueRoutes } from './catalogue/catalogue.routes';
import { mediaRoutes } from './catalogue/media.routes';
import { contentRoutes } from './content/content.routes';
import type { AppContext, DomainRoutes } from './context';
import { couponsRoutes } from './coupons/coupons.routes';
import { apiDocs } from './docs/api-docs.plugin';
import { favouritesRoutes } from './favourites/favourites.routes';
import { accessLog } from './http/access-log.plugin';
import { answerNotFound, errorHandler } from './http/error-handler.plugin';
import type { App } from './http/request';
import { requestLocale } from './http/request-locale.plugin';
import { securityHeadersPlugin } from './http/security-headers.plugin';
import { createServer } from './http/server';
import { healthCheckRoutes } from './monitoring/health-check.routes';
import { metrics } from './monitoring/metrics.plugin';
import type { ReleasePlugin } from './ops/release-plugins';
import { ordersRoutes } from './orders/orders.routes';
import { outboxRoutes } from './outbox/outbox.routes';
import { cashierRoutes } from './payments/cashier.routes';
import { paymentsRoutes } from './payments/payments.routes';
import { privacyRoutes } from './privacy/privacy.routes';
import { rechargeRoutes } from './recharge/recharge.routes';
import { ResponseCache } from './response-cache/response-cache';
import { responseCacheLookup } from './response-cache/response-cache.plugin';
import { sessionsRoutes } from './sessions/sessions.routes';
import { staffRoutes } from './staff/staff.routes';
import { requestTracing } from './tracing/tracing.plugin';
import { uploadsRoutes } from './uploads/uploads.routes';
import { usersRoutes } from './users/users.routes';
import { walletRoutes } from './wallet/wallet.routes';
import { wechatRoutes } from './wechat/wechat.routes';

/** By name: transactions of one domain that wait in the database do not hold up those of others. */
const domains: Record<string, DomainRoutes> = {
  auth: authRoutes,
  users: usersRoutes,
  sessions: sessionsRoutes,
  privacy: privacyRoutes,
  catalogue: catalogueRoutes,
  media: mediaRoutes,
  favourites: favouritesRoutes,
  orders: ordersRoutes,
  wallet: walletRoutes,
  payments: paymentsRoutes,
  cashier: cashierRoutes,
  recharge: rechargeRoutes,
  coupons: couponsRoutes,
  content: contentRoutes,
  uploads: uploadsRoutes,
  wechat: wechatRoutes,
  staff: staffRoutes,
  health: healthCheckRoutes,
};

export interface AppOptions extends AppContext {
  /** Registered last: documents and release files, /ops. */
  plugins?: ReleasePlugin[];
  requestTimeoutMs?: number;
  /** Called for every route as it is registered. */
  onRoute?: (route: RouteOptions) => void;
}

/** The composition root: plugins in the order in which their hooks run. */
export async function buildApp({ plugins = [], requestTimeoutMs, onRoute, ...context }: AppOptions): Promise<App> {
  const { config, db } = context;
  const app = createServer({ ...config, requestTimeoutMs });
  if (onRoute) app.addHook('onRoute', onRoute);
  const responseCache = new ResponseCache(db.as('read', 'response-cache'), config.freshMs);
  const optionsOf = (name: string) => ({
    context: { ...context, db: db.as('write', name) },
    reads: db.as('read', name),
    responseCache,
  });

  await app.register(errorHandler);
  if (context.tracing) await app.register(requestTracing, { tracing: context.tracing });
  await app.register(securityHeadersPlugin, { production: config.production });
  await app.register(requestLocale);
  await app.register(responseCacheLookup, { responseCache });
  // A write as well as a read begins with it.
  await app.register(authentication, { db: db.as('write', 'sessions'), config });
  if (config.logger) {
    await app.register(accessLog);
    await app.register(securityLog);
  }
  if (!config.production) await app.register(apiDocs);
  await app.register(metrics, { responseCache, db: db.as('read', 'metrics'), token: config.metricsToken });

  for (const [name, routes] of Object.entries(domains)) await app.register(routes, optionsOf(name));
  if (config.sandbox) await app.register(outboxRoutes, optionsOf('outbox'));
  // Not for the document, which answers every other URL.
  const unknown = ['/api/*', '/staff/api/*', ...(config.sandbox ? [] : ['/dev/*', '/docs/*'])];
  for (const url of unknown) app.all(url, { schema: { hide: true } as object }, answerNotFound);
  const pages = { sql: db.as('read', 'documents'), responseCache, config };
  for (const plugin of plugins) await app.register(plugin, { context, pages });
  return app;
}
