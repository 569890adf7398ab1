/** A small script of its own, before the console's: makes its first calls while that one is still on the way. */
import { ask } from './ask';
import { chosenLanguage } from './stored';

declare global {
  /** By path; the console takes each once (api.ts). */
  var staffFirstCalls: Record<string, Promise<Response>> | undefined;
}

const language = chosenLanguage();
const calls: Record<string, Promise<Response>> = {};
const isConsole = location.pathname !== '/staff/setup';
if (isConsole) calls.session = ask('session', { language });
// Where the address names no page, the queue is shown, and at /ops the releases.
if (isConsole && location.pathname !== '/ops' && /^(#\/?(queue(\/.*)?)?)?$/.test(location.hash))
  calls.queue = ask('queue', { language });
// A failure is shown by whoever takes the call.
for (const response of Object.values(calls)) response.catch(() => {});
globalThis.staffFirstCalls = calls;
