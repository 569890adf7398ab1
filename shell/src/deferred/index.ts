/** Code that can wait until the first page has loaded (app/after-load.ts). */

import { refreshOnIdle } from '@platform/host/refresh-on-idle';
import { restoreInput } from '@platform/host/restore-input';
import { readStored } from '@platform/host/storage';
import { changingCalls, loadTransport } from '@shop/shared/http';
import { routeOf } from '../guard/guard';
import type { Shell } from '../shell-context';
import { offerLanguage } from './language/language-offer';
import { browserLanguage, hasChosenLanguage } from './language/offered-language';
import { startPrefetching } from './prefetch';
import { prefetchPanels } from './prefetch-panels';
import { registerServiceWorker } from './service-worker';
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
  prefetchPanels(!session.hasToken);
  // A call that needs it retries after a failure.
  loadTransport().catch(() => {});
  const offered = browserLanguage();
  if (!hasChosenLanguage(readStored('language')) && offered !== preferences.language)
    offerLanguage(preferences, offered);
  if (appConfig.isTraced) void import('./trace-calls').then(({ traceCalls }) => traceCalls());
  await registerServiceWorker();
}
