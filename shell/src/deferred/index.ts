/** Code that can wait until the first page has loaded (app/after-load.ts). */

import { refreshOnIdle } from '@platform/host/refresh-on-idle';
import { restoreInput } from '@platform/host/restore-input';
import { readStored } from '@platform/host/storage';
import { changingCalls, loadTransport } from '@shop/shared/http';
import { routeOf } from '../guard/guard';
import type { Shell } from '../shell-context';
import { browserLanguage, hasChosenLanguage, offerLanguage } from './language/language-offer';
import { currentConnection, isGoodNetwork, startPrefetching, whenIdle } from './prefetch';
import './print.css';

export async function start(shell: Shell): Promise<void> {
  const { releases, loader, appConfig, preferences, session } = shell;
  refreshOnIdle({
    releases,
    loader,
    changingCalls,
    onScreen: () => routeOf(releases.routes, window.location.pathname),
  });
  restoreInput(() => !shell.hydration);
  startPrefetching(shell);
  if (isGoodNetwork(currentConnection())) whenIdle(() => prefetchOverlays(!session.hasToken));
  // A call that needs it retries after a failure.
  loadTransport().catch(() => {});
  const offered = browserLanguage();
  if (!hasChosenLanguage(readStored('language')) && offered !== preferences.language)
    offerLanguage(preferences, offered);
  if (appConfig.isTraced) void import('./trace-calls').then(({ traceCalls }) => traceCalls());
  await registerServiceWorker();
}

/** The drawer, and the dialogs that a guest's Buy opens. After a failure, the click fetches the code and shows the failure. */
function prefetchOverlays(isGuest: boolean): void {
  if (isGuest) import('../login/account-dialogs').catch(() => {});
  import('../layout/drawer').catch(() => {});
}

/** The service worker serves the offline page (docs/adr/0011-service-worker.md). */
const workerUrl = '/sw.js';

interface WorkerPolicy {
  createScriptURL(url: string): unknown;
}
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): WorkerPolicy;
}

function trustedWorkerUrl(): string {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  if (!trustedTypes) return workerUrl;
  // The CSP allows this policy name only; this policy admits one URL.
  const policy = trustedTypes.createPolicy('releases', {
    createScriptURL: (url) => {
      if (url !== workerUrl) throw new TypeError(`not the service worker: ${url}`);
      return url;
    },
  });
  return policy.createScriptURL(workerUrl) as string;
}

/** Never rejects: without the worker only the offline page is missing. */
async function registerServiceWorker(): Promise<void> {
  try {
    await navigator.serviceWorker?.register(trustedWorkerUrl(), { updateViaCache: 'none' });
  } catch (error) {
    console.warn('the service worker could not be registered', error);
  }
}
