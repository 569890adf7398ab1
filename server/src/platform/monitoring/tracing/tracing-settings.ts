import { EnvReader } from '../../../providers/env-reader';

/** Where traces are sent. The variables are those of OpenTelemetry's specification. */
export interface TracingSettings {
  /** Of the receiver's OTLP/HTTP interface for traces. */
  url: string;
  headers: Record<string, string>;
  service: string;
  /** Of the traces, 0 to 1. */
  share: number;
  /** Between two batches. */
  delayMs: number;
}

const DEFAULT_SHARE = 0.1;
const DEFAULT_DELAY_MS = 5_000;

/** Null without an endpoint. */
export function readTracing(env: NodeJS.ProcessEnv, production: boolean, problems: string[]): TracingSettings | null {
  const read = new EnvReader(env, production, problems);
  const traces = read.text('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const base = read.text('OTEL_EXPORTER_OTLP_ENDPOINT');
  if ((!traces && !base) || read.text('OTEL_SDK_DISABLED').toLowerCase() === 'true') return null;
  const url = traces || `${base.replace(/\/+$/, '')}/v1/traces`;
  // A collector beside the shop has no certificate as a rule.
  if (!URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol))
    problems.push(
      `${traces ? 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT' : 'OTEL_EXPORTER_OTLP_ENDPOINT'} must be an http or https address.`,
    );
  const headers = readHeaders(read.text('OTEL_EXPORTER_OTLP_HEADERS'));
  if (!headers) problems.push('OTEL_EXPORTER_OTLP_HEADERS must be "name=value", separated by commas.');
  const share = Number(read.text('OTEL_TRACES_SAMPLER_ARG') || DEFAULT_SHARE);
  if (!(share >= 0 && share <= 1)) problems.push('OTEL_TRACES_SAMPLER_ARG must be a share from 0 to 1.');
  const delayMs = Number(read.text('OTEL_BSP_SCHEDULE_DELAY') || DEFAULT_DELAY_MS);
  if (!(delayMs > 0 && delayMs <= 60_000)) problems.push('OTEL_BSP_SCHEDULE_DELAY must be a number of ms up to 60000.');
  return { url, headers: headers ?? {}, service: read.text('OTEL_SERVICE_NAME') || 'shop', share, delayMs };
}

/** Values are percent-encoded; undefined when the text is malformed. */
function readHeaders(text: string): Record<string, string> | undefined {
  const pairs = text.split(',').filter((part) => part.trim());
  const headers: Record<string, string> = {};
  for (const part of pairs) {
    const [, name = '', value = ''] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(part) ?? [];
    if (!name || /%(?![\da-f]{2})/i.test(value)) return undefined;
    headers[name] = decodeURIComponent(value);
  }
  return headers;
}
