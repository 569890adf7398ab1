import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Tracing } from './open-telemetry';
import type { TracingSettings } from './tracing-settings';

declare module 'fastify' {
  interface FastifyRequest {
    trace?: ReturnType<Tracing['startRequest']>;
  }
}

/** These requests are frequent, and their traces say nothing about the shop's health. */
const UNTRACED = /^\/(?:livez|healthz|metrics|r\/|media\/|uploads\/)/;

/** Records a span for each request. It is registered first, so that statements of other plugins' hooks belong to it. */
export const requestTracing = fastifyPlugin(async (app: FastifyInstance, { tracing }: { tracing: Tracing }) => {
  app.decorateRequest('trace', undefined);
  app.addHook('onRequest', (request, _reply, done) => {
    if (UNTRACED.test(request.url)) return done();
    const { traceparent } = request.headers;
    request.trace = tracing.startRequest(request.method, typeof traceparent === 'string' ? traceparent : undefined);
    request.trace.run(done);
  });
  // The code after the body is read runs in the context of the connection, so this restores the request's.
  app.addHook('preValidation', (request, _reply, done) => (request.trace ? request.trace.run(done) : done()));
  app.addHook('onResponse', (request, reply, done) => {
    const isDocument = String(reply.getHeader('content-type')).startsWith('text/html');
    const route = request.routeOptions.url ?? (isDocument ? 'document' : 'none');
    request.trace?.end({ route, status: reply.statusCode, code: request.shopCode });
    done();
  });
  app.addHook('onClose', () => tracing.close());
  // This is registered before the plugin that serves /metrics. The console's listener has no metrics, because the shop's listener
  // serves those of the process.
  app.addHook('onReady', async () => void app.metricLines?.push(() => tracing.lines()));
});

/** Undefined while tracing is off; then no OpenTelemetry code is loaded. */
export function startTracing(settings: TracingSettings | null): Tracing | undefined {
  if (!settings) return undefined;
  const { openTelemetry } = require('./open-telemetry') as typeof import('./open-telemetry');
  return openTelemetry(settings);
}
