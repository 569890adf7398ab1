/** Keeps the errors that occur before health-watch.ts has loaded. main.tsx imports this module before anything that can fail. */
import { natives } from './natives';

export type ScriptError = ErrorEvent | PromiseRejectionEvent;
export type RawError = ScriptError | SecurityPolicyViolationEvent;

const mostKept = 20;
const queue: RawError[] = [];
let listener: ((event: RawError) => void) | null = null;
let noteFirst: () => void = () => {};

export const firstError = new Promise<void>((resolve) => {
  noteFirst = resolve;
});

function onError(event: RawError): void {
  if (listener) listener(event);
  else if (queue.length < mostKept) queue.push(event);
  if (!('violatedDirective' in event)) noteFirst();
}

natives.listen(window, 'error', onError);
natives.listen(window, 'unhandledrejection', onError);
natives.listen(document, 'securitypolicyviolation', onError);

export function listenToErrors(next: (event: RawError) => void): void {
  listener = next;
  for (const event of queue.splice(0)) next(event);
}
