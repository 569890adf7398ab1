/** Code that can wait until the first page has loaded (app/after-load.ts). */

import { trustedScriptUrl } from '@platform/host/containers';
import { refreshOnIdle } from '@platform/host/refresh-on-idle';
import { restoreInput } from '@platform/host/restore-input';
import { loadTransport } from '@shop/shared/http';
import { routeOf } from '../guard/guard';
import type { Shell } from '../shell-context';
import { offerLanguage } from './language/language-offer';
import { isGoodNetwork, startPrefetching, whenIdle } from './prefetch';
import './print.css';

export async function start(shell: Shell): Promise<void> {
  const { releases, loader, appConfig, preferences, session } = shell;
  refreshOnIdle({ releases, loader, onScreen: () => routeOf(releases.routes, window.location.pathname) });
  restoreInput(() => !shell.hydration);
  startPrefetching(shell);
  if (isGoodNetwork()) {
    whenIdle(() => {
      // The drawer, and the dialogs that a guest's Buy opens. After a failure, the click fetches the code and shows the failure.
      if (!session.hasToken) import('../login/account-dialogs').catch(() => {});
      import('../layout/drawer').catch(() => {});
    });
  }
  // A call that needs it retries after a failure.
  loadTransport().catch(() => {});
  offerLanguage(preferences);
  if (appConfig.isTraced) void import('./trace-calls').then(({ traceCalls }) => traceCalls());
  await registerServiceWorker();
}

/** The service worker serves the offline page (docs/adr/0011-service-worker.md). */
const workerUrl = '/sw.js';

/** Never rejects: without the worker only the offline page is missing. */
async function registerServiceWorker(): Promise<void> {
  try {
    const url = trustedScriptUrl(workerUrl, (requested) => requested === workerUrl);
    await navigator.serviceWorker?.register(url, { updateViaCache: 'none' });
  } catch (error) {
    console.warn('the service worker could not be registered', error);
  }
}
