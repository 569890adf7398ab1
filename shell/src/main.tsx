import '@shop/shared/ui/tokens.css';
import './styles/shell.css';
import './texts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createShell } from './app/create-shell';
import { routeOf } from './guard/guard';
import { flush, reportVitals } from './releases/health';
import { readEmbeddedMap } from './releases/release-map';
import type { ReleasesStore } from './releases/releases.store';
import { visitorNumber } from './releases/visitor';

function start(): void {
  const { shell, element } = createShell({ map: readEmbeddedMap(), visitor: visitorNumber() });
  shell.releases.watch();
  window.addEventListener('load', () => reportVitals(() => openedPage(shell.releases)), { once: true });
  window.addEventListener('pagehide', flush);

  const container = document.getElementById('root');
  if (!container) throw new Error('this page has no #root');
  createRoot(container).render(<StrictMode>{element}</StrictMode>);
}

/** The page that this document was opened at, as health reports name it. */
function openedPage(releases: ReleasesStore): { name: string; version: string; page: string } | null {
  const route = routeOf(releases.routes, window.location.pathname);
  const version = route && releases.current(route.remote)?.version;
  return route && version ? { name: route.remote, version, page: route.page } : null;
}

start();
