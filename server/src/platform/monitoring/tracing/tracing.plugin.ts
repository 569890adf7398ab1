import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { RequestTrace, Tracing } from './tracing';
import type { TracingSettings } from './tracing-settings';

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined while tracing is off, and for files and probes. */
    trace?: RequestTrace;
  }
}

/** Many of these are asked for, and none tells how the shop does. */
const UNTRACED = /^\/(?:livez|healthz|metrics|r\/|media\/|uploads\/)/;

/** A span for each request. It is registered first, so that whatever the hooks of others ask belongs to it. */
export const requestTracing = fastifyPlugin(async (app: FastifyInstance, { tracing }: { tracing: Tracing }) => {
  app.decorateRequest('trace', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    if (UNTRACED.test(request.url)) return done();
    const { traceparent } = request.headers;
    request.trace = tracing.startRequest(request.method, typeof traceparent === 'string' ? traceparent : undefined);
    request.trace.run(done);
  });
  // What follows the body runs in the context of the connection.
  app.addHook('preValidation', (request, _reply, done) => (request.trace ? request.trace.run(done) : done()));
  app.addHook('onResponse', (request, reply, done) => {
    const isDocument = String(reply.getHeader('content-type')).startsWith('text/html');
    const route = request.routeOptions.url ?? (isDocument ? 'document' : 'none');
    request.trace?.end({ route, status: reply.statusCode, code: request.shopCode });
    done();
  });
  app.addHook('onClose', () => tracing.close());
  // Registered before what serves /metrics.
  // The listener of the console has no metrics: the shop's serve those of the process.
  app.addHook('onReady', async () => void app.metricLines?.push(() => tracing.lines()));
});

/** Undefined while it is off: then nothing of OpenTelemetry is loaded. */
export function startTracing(settings: TracingSettings | null): Tracing | undefined {
  if (!settings) return undefined;
  const { openTelemetry } = require('./open-telemetry') as typeof import('./open-telemetry');
  return openTelemetry(settings);
}
