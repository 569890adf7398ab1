import type { TraceStatement } from '../../db/sql';

/** The final attributes of a request's span. None of them identifies a user. */
interface RequestOutcome {
  route: string;
  status: number;
  code: number;
}

export interface RequestTrace {
  readonly id: string;
  run(next: () => void): void;
  end(outcome: RequestOutcome): void;
}

export interface Tracing {
  startRequest(method: string, traceparent: string | undefined): RequestTrace;
  /** Records nothing outside of a request. */
  traceStatement: TraceStatement;
  lines(): string[];
  close(): Promise<void>;
}
