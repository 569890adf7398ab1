/** OpenTelemetry's tracer with two sources: the server's requests and the database's statements. It is loaded only if tracing is on. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { LRUCache } from 'lru-cache';
import type { TracingSettings } from './tracing-settings';

const EXPORT_TIMEOUT_MS = 5_000;

export type Tracing = ReturnType<typeof openTelemetry>;

export function openTelemetry({ url, headers, service, share, delayMs }: TracingSettings) {
  const receiver = new OTLPTraceExporter({ url, headers, timeoutMillis: EXPORT_TIMEOUT_MS });
  /** Counted, because an unavailable receiver is not reported anywhere else. */
  const counts = { sent: 0, lost: 0 };
  const exporter: SpanExporter = {
    export: (spans, done) =>
      receiver.export(spans, (result) => {
        counts[result.code === 0 ? 'sent' : 'lost'] += spans.length;
        done(result);
      }),
    shutdown: () => receiver.shutdown(),
  };
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service }),
    // Sampling uses the trace's id and ignores the browser's request, so that no client can have all its traces recorded.
    sampler: new TraceIdRatioBasedSampler(share),
    // Its queue is bounded; spans that do not fit are dropped.
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: delayMs })],
  });
  const tracer = provider.getTracer('shop');
  const current = new AsyncLocalStorage<Context>();

  return {
    startRequest(method: string, traceparent: string | undefined) {
      const caller = traceparent ? parseTraceParent(traceparent) : null;
      const parent = caller
        ? trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true })
        : (current.getStore() ?? ROOT_CONTEXT);
      const attributes = { 'http.request.method': method };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent);
      const context = trace.setSpan(parent, span);
      return {
        id: span.spanContext().traceId,
        run: (next: () => void) => current.run(context, next),
        /** None of the attributes identifies a user. */
        end({ route, status, code }: { route: string; status: number; code: number }) {
          span.updateName(`${method} ${route}`);
          span.setAttributes({ 'http.route': route, 'http.response.status_code': status, 'shop.code': code });
          if (status >= 500) {
            span.setAttribute('error.type', String(status));
            span.setStatus({ code: SpanStatusCode.ERROR });
          }
          span.end();
        },
      };
    },

    /** Records nothing outside of a request. */
    async traceStatement<T>(text: string, run: () => Promise<T>): Promise<T> {
      const parent = current.getStore();
      if (!parent || !trace.getSpan(parent)?.isRecording()) return run();
      const { summary, text: statement } = names.memo(text);
      const attributes = { 'db.system.name': 'postgresql', 'db.query.summary': summary, 'db.query.text': statement };
      const span = tracer.startSpan(summary, { kind: SpanKind.CLIENT, attributes }, parent);
      try {
        return await run();
      } catch (error) {
        // The error's message is omitted, because PostgreSQL's messages contain values.
        const { code, name } = error as { code?: string; name?: string };
        span.setAttribute('error.type', code ?? name ?? 'unknown');
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },

    lines: () => [
      '# HELP shop_trace_spans_total Spans that were sent to the receiver of traces, or lost on the way.',
      '# TYPE shop_trace_spans_total counter',
      ...(['sent', 'lost'] as const).map((kind) => `shop_trace_spans_total{outcome="${kind}"} ${counts[kind]}`),
    ],
    close: () => provider.shutdown(),
  };
}

interface StatementName {
  summary: string;
  text: string;
}

const LONGEST_TEXT = 1_000;
const LITERALS = /'(?:[^']|'')*'|(?<![\w$.])\d+(?:\.\d+)?\b/g;
const TARGET = /\b(?:from|into|update)\s+(?:only\s+)?([a-z_][\w.]*)/i;

const names = new LRUCache<string, StatementName>({ max: 1_000, memoMethod: statementName });

/** Names an SQL statement. Literals in its text are removed; parameters are not part of it. */
export function statementName(statement: string): StatementName {
  const text = statement.replace(LITERALS, '?').replace(/\s+/g, ' ').trim().slice(0, LONGEST_TEXT);
  const operation = /^\w+/.exec(text)?.[0].toLowerCase() ?? 'statement';
  const target = TARGET.exec(text)?.[1] ?? /\b([a-z_]\w*)\s*\(/i.exec(text.slice(operation.length))?.[1];
  return { summary: target ? `${operation} ${target}` : operation, text };
}
