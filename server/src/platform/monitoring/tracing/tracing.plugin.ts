import type { FastifyInstance } from 'fastify';
import fastifyPlugin from 'fastify-plugin';
import type { Settings } from '../../settings/settings';
import type { Tracing } from './open-telemetry';

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

export type TracingSettings = NonNullable<ReturnType<typeof readTracing>>;

/** The receiver of traces; null without an endpoint. The variables are those of OpenTelemetry's specification. */
export function readTracing(settings: Settings) {
  const url =
    settings.get('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') ||
    settings.address('OTEL_EXPORTER_OTLP_ENDPOINT').replace(/.$/, '$&/v1/traces');
  if (!url || settings.get('OTEL_SDK_DISABLED').toLowerCase() === 'true') return null;
  return {
    url,
    headers: readHeaders(settings.get('OTEL_EXPORTER_OTLP_HEADERS')),
    service: settings.get('OTEL_SERVICE_NAME'),
    /** Share of the traces that are recorded, 0 to 1. */
    share: settings.get('OTEL_TRACES_SAMPLER_ARG'),
    /** Delay between two batches, ms. */
    delayMs: settings.get('OTEL_BSP_SCHEDULE_DELAY'),
  };
}

const readHeaders = (text: string): Record<string, string> =>
  Object.fromEntries(
    Array.from(text.matchAll(/([\w-]+)\s*=\s*([^,]*)/g), ([, name, value = '']) => [name, decode(value.trim())]),
  );

const decode = (value: string) => (/%(?![\da-f]{2})/i.test(value) ? value : decodeURIComponent(value));

/** Undefined while tracing is off; then no OpenTelemetry code is loaded. */
export function startTracing(settings: TracingSettings | null): Tracing | undefined {
  if (!settings) return undefined;
  const { openTelemetry } = require('./open-telemetry') as typeof import('./open-telemetry');
  return openTelemetry(settings);
}
