import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import swagger from '@fastify/swagger';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { ErrorCode, SUCCESS_CODE } from '@shop/shared/domain';
import { Ajv } from 'ajv';
import fastify, {
  type FastifyError,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchema,
  LogController,
  type RouteOptions,
} from 'fastify';
import { authenticate } from './auth/auth.plugin';
import { authRoutes } from './auth/auth.routes';
import { catalogueRoutes } from './catalogue/catalogue.routes';
import { mediaRoutes } from './catalogue/media.routes';
import { contentRoutes } from './content/content.routes';
import type { AppContext } from './context';
import { couponsRoutes } from './coupons/coupons.routes';
import { docsRoutes } from './docs/docs.routes';
import { messageOf, ShopError, shopErrorOf } from './http/errors';
import { fieldMessages } from './http/field-messages';
import { bareHeaders, setHeaders } from './http/headers.plugin';
import type { App } from './http/request';
import { ErrorSchema, type Locale } from './http/schemas';
import { healthRoutes } from './monitoring/health-check.routes';
import { metricsRoutes } from './monitoring/metrics.routes';
import { ordersRoutes } from './orders/orders.routes';
import { outboxRoutes } from './outbox/outbox.routes';
import { cashierRoutes } from './payments/cashier.routes';
import { paymentsRoutes } from './payments/payments.routes';
import { rechargeRoutes } from './recharge/recharge.routes';
import { ResponseCache } from './response-cache/response-cache';
import { uploadsRoutes } from './uploads/uploads.routes';
import { usersRoutes } from './users/users.routes';
import { walletRoutes } from './wallet/wallet.routes';
import { wechatRoutes } from './wechat/wechat.routes';

const BODY_LIMIT = 64 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

export interface AppDeps extends AppContext {
  /** Parts of the server that other areas own: the composed page, the static store, /ops. */
  plugins?: FastifyPluginAsync[];
  /** How long a request may take to arrive whole, 30 s by default; looked at four times in that time. */
  requestTimeoutMs?: number;
  /** Told of every route as it is registered, with its schemas. */
  onRoute?: (route: RouteOptions) => void;
}

export async function buildApp(deps: AppDeps): Promise<App> {
  const { config, requestTimeoutMs = REQUEST_TIMEOUT_MS } = deps;
  const app: App = fastify({
    bodyLimit: BODY_LIMIT,
    requestTimeout: requestTimeoutMs,
    http: { connectionsCheckingInterval: requestTimeoutMs / 4, headersTimeout: requestTimeoutMs },
    trustProxy: config.trustProxy,
    genReqId: () => randomUUID(),
    logger: config.logger ? { level: 'info' } : false,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    // An address that is no address: the router answers it before any hook.
    frameworkErrors: (_error, request, reply) => {
      const body = {
        code: ErrorCode.InvalidInput,
        message: messageOf(ErrorCode.InvalidInput, 'zh-CN'),
        data: { errors: {} },
        request_id: request.id,
      };
      const plain = reply as unknown as FastifyReply;
      void plain.code(400).headers(bareHeaders).type('application/json; charset=utf-8').send(JSON.stringify(body));
    },
    clientErrorHandler: refuseUnreadable,
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
  app.decorateRequest('shopCode', SUCCESS_CODE);

  setHeaders(app, config.production);
  app.addHook('onRequest', (request, _reply, done) => {
    const { locale, currency } = request.headers;
    request.locale = locale === 'en' ? 'en' : 'zh-CN';
    request.currency = request.locale === 'en' ? 'USD' : 'CNY';
    if (currency !== undefined && request.url.startsWith('/api/front/')) {
      if (currency !== 'CNY' && currency !== 'USD') return done(new ShopError(ErrorCode.CurrencyNotOffered));
      request.currency = currency;
    }
    done();
  });
  const answers = new ResponseCache(deps.db, config.freshMs);
  app.addHook('onRequest', (request, reply, done) => {
    if (!answers.sendAgain(request, reply)) done();
  });
  authenticate(app, deps);
  app.addHook('onResponse', (request, reply, done) => {
    done();
    if (!config.logger) return;
    const { method, routeOptions, viewer, shopCode, id } = request;
    // The route, not the address: a query may hold what a log must not.
    const line = { id, method, route: routeOptions.url, status: reply.statusCode, code: shopCode, user: viewer?.id };
    request.log.info({ ...line, ms: Math.round(reply.elapsedTime) });
  });

  app.setErrorHandler((error: FastifyError, request, reply) => {
    const { status, code, data } = failureOf(error, request.locale);
    if (code === ErrorCode.InternalError) request.log.error({ id: request.id, err: error }, 'unexpected');
    else if (error.cause) request.log.error({ id: request.id, code, err: error.cause }, 'a provider failed');
    request.shopCode = code;
    if (!request.url.startsWith('/api/') && status === 200) reply.code(400);
    else reply.code(status);
    const body = { code, message: messageOf(code, request.locale), data, request_id: request.id };
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
  });
  const notFound = (request: FastifyRequest, reply: FastifyReply) => {
    request.shopCode = ErrorCode.NotFound;
    const body = {
      code: ErrorCode.NotFound,
      message: messageOf(ErrorCode.NotFound, request.locale),
      data: null,
      request_id: request.id,
    };
    return reply.code(404).type('application/json; charset=utf-8').send(JSON.stringify(body));
  };
  app.setNotFoundHandler(notFound);
  // Before the page, which answers every other address.
  app.all('/api/*', { schema: { hide: true } as object }, notFound);

  if (!config.production) {
    const info = { title: 'The shop', version: '1' };
    await app.register(swagger, { openapi: { openapi: '3.1.0', info }, transform: documentErrors });
    docsRoutes(app);
  }

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

/** A request that is no HTTP, has too large a head or comes too slowly: there is no request to answer, only a socket. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const status =
    { ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout', HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large' }[
      error.code ?? ''
    ] ?? '400 Bad Request';
  const body = JSON.stringify({
    code: ErrorCode.InvalidInput,
    message: messageOf(ErrorCode.InvalidInput, 'zh-CN'),
    data: { errors: {} },
    request_id: '',
  });
  const headers = Object.entries({
    ...bareHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  const head = headers.map(([name, value]) => `${name}: ${value}`).join('\r\n');
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${body}`);
  socket.destroySoon();
}

/** An error of the business stands at HTTP 200 too, beside the answer; a transport fault has its own status. */
function documentErrors({ schema, url }: { schema?: FastifySchema; url: string }) {
  const { response } = (schema ?? {}) as { response?: Record<string, object> };
  if (!response?.[200]) return { schema: schema as FastifySchema, url };
  const documented = { 200: { anyOf: [response[200], ErrorSchema] }, default: ErrorSchema };
  return { schema: { ...schema, response: documented }, url };
}

interface Failure {
  status: number;
  code: ErrorCode;
  data: unknown;
}

/** Answers of the business stand at HTTP 200; a transport fault keeps its status. */
function failureOf(error: FastifyError, locale: Locale): Failure {
  const known = shopErrorOf(error);
  if (known)
    return { status: known.code === ErrorCode.TooManyRequests ? 429 : 200, code: known.code, data: known.data };
  if (error.validation) {
    return { status: 200, code: ErrorCode.InvalidInput, data: { errors: fieldMessages(error.validation, locale) } };
  }
  if (error.statusCode === 413) return { status: 413, code: ErrorCode.PayloadTooLarge, data: null };
  if (error.statusCode === 415) return { status: 415, code: ErrorCode.UnsupportedMediaType, data: null };
  // A body that isn't JSON, a malformed address.
  if (error.statusCode && error.statusCode < 500)
    return { status: 200, code: ErrorCode.InvalidInput, data: { errors: {} } };
  // Text that PostgreSQL can't hold (a zero byte) or a number beyond its column: the client's fault.
  const code = (error as { code?: string }).code;
  if (code === '22021' || code === '22P05' || code === '22003')
    return { status: 200, code: ErrorCode.InvalidInput, data: { errors: {} } };
  return { status: 500, code: ErrorCode.InternalError, data: null };
}
