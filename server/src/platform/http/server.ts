import { randomUUID } from 'node:crypto';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import { Ajv } from 'ajv';
import fastify, { LogController } from 'fastify';
import { bodyValidator } from './body-validator';
import type { App } from './request';
import { answerMalformedUrl, answerUnreadableRequest } from './unreadable-request';

const BODY_LIMIT = 64 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

/** Query strings and parameters are text by nature; a JSON body has types. Each compiles a schema once in a process. */
export const coercing = new Ajv({ allErrors: true, strict: false, useDefaults: true, coerceTypes: true });

interface ServerOptions {
  logger: boolean;
  trustProxy: false | string;
  /** PUBLIC_URL, or ''. */
  publicUrl?: string;
  /** How long a request may take to arrive whole, 30 s by default; checked four times in that time. */
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
    // What still comes while the server closes is answered, on a connection that ends with the response.
    return503OnClosing: false,
    frameworkErrors: answerMalformedUrl,
    clientErrorHandler: answerUnreadableRequest,
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.decorate('isStopping', false);
  app.decorate('isPublicByHttps', publicUrl.startsWith('https:'));

  app.setValidatorCompiler(compileValidator);
  return app;
}

export const compileValidator = ({ schema, httpPart }: { schema: unknown; httpPart?: string }) =>
  httpPart === 'body' ? bodyValidator(schema as object) : coercing.compile(schema as object);
