/** Runs a statement and records it under what asks for it. */
export type TraceStatement = <T>(text: string, run: () => Promise<T>) => Promise<T>;
