import { randomUUID } from 'node:crypto';
import swagger from '@fastify/swagger';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { Ajv } from 'ajv';
import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type RouteOptions,
} from 'fastify';
import { authRoutes } from '../auth/auth.routes';
import { catalogueRoutes } from '../catalogue/catalogue.routes';
import { contentRoutes } from '../content/content.routes';
import { couponsRoutes } from '../coupons/coupons.routes';
import { ordersRoutes } from '../orders/orders.routes';
import { cashierRoutes } from '../payments/cashier.routes';
import { paymentsRoutes } from '../payments/payments.routes';
import { rechargeRoutes } from '../recharge/recharge.routes';
import { uploadsRoutes } from '../uploads/uploads.routes';
import { usersRoutes } from '../users/users.routes';
import { walletRoutes } from '../wallet/wallet.routes';
import { wechatRoutes } from '../wechat/wechat.routes';
import { authenticate } from './auth.plugin';
import type { App, Shop } from './context';
import { messageOf, type ShopCode, ShopError } from './errors';
import { shopErrorOf } from './failure';
import { fieldMessages } from './field-messages';
import { setHeaders } from './headers.plugin';
import { healthRoutes } from './health.routes';
import { mediaRoutes } from './media.routes';
import { metricsRoutes } from './metrics.routes';
import { outboxRoutes } from './outbox.routes';
import { PublicAnswers } from './public-answers';
import type { Locale } from './schema';

const BODY_LIMIT = 64 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

export interface AppDeps extends Shop {
  /** Parts of the server that other areas own: the composed page, the static store, /ops. */
  plugins?: FastifyPluginAsync[];
  /** Told of every route as it is registered, with its schemas. */
  onRoute?: (route: RouteOptions) => void;
}

export async function buildApp(deps: AppDeps): Promise<App> {
  const { config } = deps;
  const app: App = fastify({
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: config.trustProxy,
    genReqId: () => randomUUID(),
    logger: config.logger ? { level: 'info' } : false,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
  }).withTypeProvider<TypeBoxTypeProvider>();

  // Query strings and parameters are text by nature; a body says its types itself.
  const strict = new Ajv({ allErrors: true, strict: false, useDefaults: true });
  const coercing = new Ajv({ allErrors: true, strict: false, useDefaults: true, coerceTypes: true });
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? strict : coercing).compile(schema as object),
  );

  if (deps.onRoute) app.addHook('onRoute', deps.onRoute);
  app.decorateRequest('locale', 'zh-CN');
  app.decorateRequest('currency', 'CNY');
  app.decorateRequest('viewer', undefined);
  app.decorateRequest('shopCode', 200);

  setHeaders(app, config.production);
  app.addHook('onRequest', async (request) => {
    const { locale, currency } = request.headers;
    request.locale = locale === 'en' ? 'en' : 'zh-CN';
    request.currency = request.locale === 'en' ? 'USD' : 'CNY';
    if (currency !== undefined && request.url.startsWith('/api/front/')) {
      if (currency !== 'CNY' && currency !== 'USD') throw new ShopError(42210);
      request.currency = currency;
    }
  });
  authenticate(app, deps);
  app.addHook('onResponse', async (request, reply) => {
    if (!config.logger) return;
    const { method, routeOptions, viewer, shopCode, id } = request;
    // The route, not the address: a query may hold what a log must not.
    const line = { id, method, route: routeOptions.url, status: reply.statusCode, code: shopCode, user: viewer?.id };
    request.log.info({ ...line, ms: Math.round(reply.elapsedTime) });
  });

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { status, code, data } = failureOf(error, request.locale);
    if (code === 50000) request.log.error({ id: request.id, err: error }, 'unexpected');
    else if (error.cause) request.log.error({ id: request.id, code, err: error.cause }, 'a provider failed');
    request.shopCode = code;
    if (!request.url.startsWith('/api/') && status === 200) reply.code(400);
    else reply.code(status);
    const body = { code, message: messageOf(code, request.locale), data, request_id: request.id };
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
  });
  const notFound = (request: FastifyRequest, reply: FastifyReply) => {
    request.shopCode = 404;
    const body = { code: 404, message: messageOf(404, request.locale), data: null, request_id: request.id };
    return reply.code(404).type('application/json; charset=utf-8').send(JSON.stringify(body));
  };
  app.setNotFoundHandler(notFound);
  // Before the page, which answers every other address.
  app.all('/api/*', { schema: { hide: true } as object }, notFound);

  if (!config.production) {
    await app.register(swagger, { openapi: { info: { title: 'The shop', version: '1' } } });
    app.get('/docs/openapi.json', { schema: { hide: true } as object }, async () =>
      (app as unknown as FastifyInstance).swagger(),
    );
  }

  const answers = new PublicAnswers(deps.db, config.freshMs);
  metricsRoutes(app, answers);
  const domains = [
    authRoutes,
    usersRoutes,
    catalogueRoutes,
    ordersRoutes,
    walletRoutes,
    paymentsRoutes,
    rechargeRoutes,
    couponsRoutes,
    contentRoutes,
    uploadsRoutes,
    wechatRoutes,
    healthRoutes,
  ];
  for (const routes of domains) routes(app, deps, answers);
  mediaRoutes(app);
  cashierRoutes(app, deps);
  if (config.sandbox) outboxRoutes(app, deps);
  else for (const address of ['/dev/*', '/docs/*']) app.all(address, notFound);
  for (const plugin of deps.plugins ?? []) await app.register(plugin);
  return app;
}

interface Failure {
  status: number;
  code: ShopCode;
  data: unknown;
}

/** Answers of the business stand at HTTP 200; a transport fault keeps its status. */
function failureOf(error: FastifyError, locale: Locale): Failure {
  const known = shopErrorOf(error);
  if (known) return { status: known.code === 42901 ? 429 : 200, code: known.code, data: known.data };
  if (error.validation) {
    return { status: 200, code: 40001, data: { errors: fieldMessages(error.validation, locale) } };
  }
  if (error.statusCode === 413) return { status: 413, code: 413, data: null };
  if (error.statusCode === 415) return { status: 415, code: 415, data: null };
  // A body that isn't JSON, a malformed address.
  if (error.statusCode && error.statusCode < 500) return { status: 200, code: 40001, data: { errors: {} } };
  // Text that PostgreSQL can't hold (a zero byte) or a number beyond its column: the client's fault.
  const code = (error as { code?: string }).code;
  if (code === '22021' || code === '22P05' || code === '22003')
    return { status: 200, code: 40001, data: { errors: {} } };
  return { status: 500, code: 50000, data: null };
}
