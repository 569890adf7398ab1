import './platform/natives';
import '@shop/shared/ui/tokens.css';
import './styles/shell.css';
import './texts';
import { loadTransport } from '@shop/shared/http';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createShell } from './app/create-shell';
import { claimDocument, shellFailed } from './app/shell-failure';
import { routeOf } from './guard/guard';
import { natives } from './platform/natives';
import { flush, reportShellVisit, reportVitals } from './releases/health';
import { refreshOnIdle } from './releases/refresh-on-idle';
import { readEmbeddedMap } from './releases/release-map';
import type { ReleasesStore } from './releases/releases.store';
import { visitorNumber } from './releases/visitor';
import type { Shell } from './shell-context';

/** `currentScript` is set only while the script is evaluated. */
const ownUrl = (document.currentScript as HTMLScriptElement | null)?.src ?? '';

function start(): void {
  if (!claimDocument(ownUrl)) return;
  reportShellVisit();
  // In parallel with the first render; a call that needs it retries after a failure.
  loadTransport().catch(() => {});
  const { shell, element } = createShell({ map: readEmbeddedMap(), visitor: visitorNumber() });
  shell.releases.watch();
  const { releases, loader } = shell;
  refreshOnIdle({ releases, loader, onScreen: () => routeOf(releases.routes, window.location.pathname) });
  reportVitals(openedPage(releases));
  natives.listen(window, 'pagehide', flush);
  // A phone may kill a hidden tab without `pagehide`.
  natives.listen(document, 'visibilitychange', () => document.visibilityState === 'hidden' && flush());
  natives.listen(window, 'load', () => natives.setTimeout(() => void startDeferred(shell), deferredMs), { once: true });

  const container = document.getElementById('root');
  if (!container) throw new Error('this page has no #root');
  createRoot(container, { onUncaughtError: (error) => shellFailed(error) }).render(<StrictMode>{element}</StrictMode>);
}

/** After the load event, so that the first page's images and calls go first. */
const deferredMs = 3_000;

async function startDeferred(shell: Shell): Promise<void> {
  try {
    const deferred = await import('./deferred');
    deferred.startPrefetching(shell);
    await deferred.registerServiceWorker();
  } catch {
    // The next document tries again.
  }
}

/** The page at which this document was opened, for health reports. */
function openedPage(releases: ReleasesStore): { name: string; version: string; page: string } | null {
  const route = routeOf(releases.routes, window.location.pathname);
  const version = route && releases.current(route.remote)?.version;
  return route && version ? { name: route.remote, version, page: route.page } : null;
}

start();
