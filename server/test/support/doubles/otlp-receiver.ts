import { Double, type DoubleRequest, type DoubleResponse, json } from './double';

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  attributes: Record<string, unknown>;
}

export class OtlpReceiver extends Double {
  readonly spans: ReceivedSpan[] = [];
  readonly bodies: string[] = [];
  refuses = false;
  key = '';

  env(): NodeJS.ProcessEnv {
    return {
      OTEL_EXPORTER_OTLP_ENDPOINT: this.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20key',
      OTEL_TRACES_SAMPLER_ARG: '1',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    };
  }
  protected answer({ method, url, headers, body }: DoubleRequest): DoubleResponse {
    if (this.refuses || method !== 'POST' || url !== '/v1/traces') return { status: 400 };
    this.key = String(headers['x-key']);
    this.bodies.push(body);
    for (const { scopeSpans } of JSON.parse(body).resourceSpans)
      for (const { spans } of scopeSpans)
        for (const { attributes, ...span } of spans) {
          const values = attributes.map(({ key, value }: { key: string; value: object }) => [
            key,
            Object.values(value)[0],
          ]);
          this.spans.push({ ...span, attributes: Object.fromEntries(values) });
        }
    return json(200, {});
  }
}
