import type { TraceStatement } from '../../db/sql';

/** What a request's span ends with. Nothing of it names a user. */
interface RequestOutcome {
  /** The pattern of the route, such as '/api/front/goods/info'. */
  route: string;
  status: number;
  /** The shop's code of the response. */
  code: number;
}

export interface RequestTrace {
  readonly id: string;
  /** Statements that `next` leads to belong to this request. */
  run(next: () => void): void;
  end(outcome: RequestOutcome): void;
}

export interface Tracing {
  /** Continues the trace that `traceparent` names, else that of the request within which this one is made. */
  startRequest(method: string, traceparent: string | undefined): RequestTrace;
  /** Within no request nothing is recorded. */
  traceStatement: TraceStatement;
  /** For /metrics. */
  lines(): string[];
  /** Sends what is left. */
  close(): Promise<void>;
}
