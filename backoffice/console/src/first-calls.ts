/** A small separate script that runs before the console's and sends its first calls while that one loads. */
import { ask } from './ask';
import { chosenLanguage } from './stored';

declare global {
  /** By path; the console consumes each once (api.ts). */
  var staffFirstCalls: Record<string, Promise<Response>> | undefined;
}

const language = chosenLanguage();
const calls: Record<string, Promise<Response>> = {};
const isConsole = location.pathname !== '/staff/setup';
if (isConsole) calls.session = ask('session', { language });
// An address without a page shows the queue, and at /ops the releases.
if (isConsole && location.pathname !== '/ops' && /^(#\/?(queue(\/.*)?)?)?$/.test(location.hash))
  calls.queue = ask('queue', { language });
// The consumer of the call shows a failure.
for (const response of Object.values(calls)) response.catch(() => {});
globalThis.staffFirstCalls = calls;
