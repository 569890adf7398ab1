import { randomUUID } from 'node:crypto';
import net, { type Socket } from 'node:net';
import { setImmediate as afterPoll } from 'node:timers/promises';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { ErrorCode } from '@shop/shared/domain';
import { Ajv } from 'ajv';
import fastify, { type FastifyReply, type FastifyRequest, LogController, type onRequestHookHandler } from 'fastify';
import { bodyValidator } from './body-validator';
import { errorEnvelope } from './envelope';
import { plainAddresses } from './networks';
import type { App } from './request';
import { headersWithoutHooks } from './security-headers.plugin';

const BODY_LIMIT = 64 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

/** Query strings and parameters are text; a JSON body has types. Each Ajv instance compiles a schema once per process. */
export const coercing = new Ajv({ allErrors: true, strict: false, useDefaults: true, coerceTypes: true });

interface ServerOptions {
  logger: boolean;
  /** Addresses and ranges of proxies. */
  trustProxy: false | string | string[];
  /** PUBLIC_URL, or ''. */
  publicUrl?: string;
  /** The time in which a request must arrive completely, 30 s by default; checked four times in that period. */
  requestTimeoutMs?: number;
}

/** The Fastify instance without routes: limits, timeouts, request ids, validation. */
export function createServer({
  logger,
  trustProxy,
  publicUrl = '',
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
}: ServerOptions): App {
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    requestTimeout: requestTimeoutMs,
    http: { connectionsCheckingInterval: requestTimeoutMs / 4, headersTimeout: requestTimeoutMs },
    trustProxy,
    genReqId: () => randomUUID(),
    logger: logger ? { level: 'info' } : false,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: 'idle',
    // Requests that arrive while the server closes get a response, on a connection that ends with it.
    return503OnClosing: false,
    frameworkErrors: answerMalformedUrl,
    clientErrorHandler: answerUnreadableRequest,
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.decorate('isStopping', false);
  app.decorate('isPublicByHttps', publicUrl.startsWith('https:'));
  if (trustProxy) app.addHook('onRequest', readForwardedAddresses);

  app.setValidatorCompiler(compileValidator);
  return app;
}

/** Proxies write ports and brackets, with which Fastify would take each connection for another client. */
const readForwardedAddresses: onRequestHookHandler = ({ raw: { headers } }, _reply, done) => {
  const forwarded = headers['x-forwarded-for'];
  if (forwarded) headers['x-forwarded-for'] = plainAddresses(String(forwarded));
  done();
};

export const compileValidator = ({ schema, httpPart }: { schema: unknown; httpPart?: string }) =>
  httpPart === 'body' ? bodyValidator(schema as object) : coercing.compile(schema as object);

const contentType = 'application/json; charset=utf-8';
const invalidInput = (requestId: string) =>
  JSON.stringify(errorEnvelope({ locale: 'zh-CN', id: requestId }, ErrorCode.InvalidInput, { errors: {} }));

/** A URL that the router cannot parse; no hook runs. */
function answerMalformedUrl(_error: Error, request: FastifyRequest, reply: unknown): void {
  void (reply as FastifyReply).code(400).headers(headersWithoutHooks).type(contentType).send(invalidInput(request.id));
}

const statusLines: Record<string, string> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/**
 * Bytes that are not HTTP, headers that are too large or a request that arrives too slowly: only the socket is available for a response.
 */
function answerUnreadableRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const payload = invalidInput('');
  const headers = Object.entries({
    ...headersWithoutHooks,
    'content-type': contentType,
    'content-length': Buffer.byteLength(payload),
    connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  const status = statusLines[error.code ?? ''] ?? '400 Bad Request';
  if (socket.writable) socket.write(`HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${payload}`);
  socket.destroySoon();
}

/**
 * Stops listening; accepted connections continue. Connections that wait at the port at that moment are reset, and a proxy does
 * not repeat a POST. Therefore the port is closed immediately after the event loop has accepted the waiting connections, and not
 * in a timer or in a hook of close(), before which connections may have arrived for as long as the loop was busy.
 */
export async function closePort(server: net.Server): Promise<void> {
  await afterPoll();
  net.Server.prototype.close.call(server);
}
