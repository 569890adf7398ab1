import '@shop/shared/ui/tokens.css';
import './styles/shell.css';
import './texts';
import { loadTransport } from '@shop/shared/http';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createShell } from './app/create-shell';
import { claimDocument, shellFailed } from './app/shell-failure';
import { routeOf } from './guard/guard';
import { flush, reportShellVisit, reportVitals } from './releases/health';
import { refreshOnIdle } from './releases/refresh-on-idle';
import { readEmbeddedMap } from './releases/release-map';
import type { ReleasesStore } from './releases/releases.store';
import { visitorNumber } from './releases/visitor';
import type { Shell } from './shell-context';

/** Known only while the script is evaluated. */
const ownAddress = (document.currentScript as HTMLScriptElement | null)?.src ?? '';

function start(): void {
  if (!claimDocument(ownAddress)) return;
  reportShellVisit();
  // Under way while the first page is drawn; a call that needs it asks again where it does not come.
  loadTransport().catch(() => {});
  const { shell, element } = createShell({ map: readEmbeddedMap(), visitor: visitorNumber() });
  shell.releases.watch();
  const { releases, loader } = shell;
  refreshOnIdle({ releases, loader, onScreen: () => routeOf(releases.routes, window.location.pathname) });
  reportVitals(openedPage(releases));
  window.addEventListener('pagehide', flush);
  // A phone may end a hidden tab without another word.
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && flush());
  window.addEventListener('load', () => setTimeout(() => void startDeferred(shell), deferredMs), { once: true });

  const container = document.getElementById('root');
  if (!container) throw new Error('this page has no #root');
  createRoot(container, { onUncaughtError: (error) => shellFailed(error) }).render(<StrictMode>{element}</StrictMode>);
}

/** After `load`: the first page has its pictures and its calls by then, and nothing of this is missed earlier. */
const deferredMs = 3_000;

async function startDeferred(shell: Shell): Promise<void> {
  try {
    const deferred = await import('./deferred');
    deferred.startPrefetching(shell);
    await deferred.registerServiceWorker();
  } catch {
    // Offline by now; the next document tries again.
  }
}

/** The page that this document was opened at, as health reports name it. */
function openedPage(releases: ReleasesStore): { name: string; version: string; page: string } | null {
  const route = routeOf(releases.routes, window.location.pathname);
  const version = route && releases.current(route.remote)?.version;
  return route && version ? { name: route.remote, version, page: route.page } : null;
}

start();
