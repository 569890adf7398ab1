/** What the host asks of the application that it is part of; an application without such things leaves them out. */
export interface Application {
  /** Calls that change something on the server: the document is not loaded again during one. Times are of `Date.now()`, 0 before the first. */
  changingCalls: { pending: number; lastEnd: number; lastSuccess: number };
  /** An error of a call, which is no fault of a release. */
  isCallError: (error: unknown) => boolean;
  /** Texts that a remote has registered: they change together with its release. */
  texts: { current: (remote: string) => unknown; register: (remote: string, texts: unknown) => void };
}

const nothing = () => {};

export const application: Application = {
  changingCalls: { pending: 0, lastEnd: 0, lastSuccess: 0 },
  isCallError: () => false,
  texts: { current: nothing, register: nothing },
};

/** Call before the first remote is loaded. */
export function configureHost(given: Partial<Application>): void {
  Object.assign(application, given);
}
