import type { Settings } from '../../settings/settings';

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
