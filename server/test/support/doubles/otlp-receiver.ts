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

interface WireSpan extends Omit<ReceivedSpan, 'attributes'> {
  attributes: Array<{ key: string; value: Record<string, unknown> }>;
}
interface WireBody {
  resourceSpans: Array<{ scopeSpans: Array<{ spans: WireSpan[] }> }>;
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
    const spans = (JSON.parse(body) as WireBody).resourceSpans.flatMap(({ scopeSpans }) =>
      scopeSpans.flatMap((scope) => scope.spans),
    );
    for (const span of spans) {
      const attributes = Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
      this.spans.push({ ...span, attributes });
    }
    return json(200, {});
  }
}
