/** The shell of the demo: no layout, no session, one remote's page in the whole document. */
import '@platform/host/natives';
import { openVisit, report, reportShellVisit } from '@platform/host/health';
import { readEmbeddedMap } from '@platform/host/release-map';
import { ReleasesStore } from '@platform/host/releases.store';
import { createRemoteLoader } from '@platform/host/remote-loader';
import { claimDocument, shellFailed } from '@platform/host/shell-start';
import { visitorNumber } from '@platform/host/visitor';
import { createRoot } from 'react-dom/client';

const ownUrl = (document.currentScript as HTMLScriptElement | null)?.src ?? '';

async function start(container: HTMLElement): Promise<void> {
  reportShellVisit();
  const releases = new ReleasesStore(readEmbeddedMap(), visitorNumber());
  const loader = createRemoteLoader({ onRun: (release) => releases.noteRun(release) });
  const route = releases.routes.find(({ path }) => path === window.location.pathname);
  const live = route && releases.current(route.remote);
  const visit = live && openVisit(live.name, live.version, route.page);
  const root = createRoot(container, {
    onUncaughtError(error) {
      if (visit) report(visit, 'render');
      window.reportError(error);
    },
  });
  root.render(<p>{live ? 'Loading …' : 'Not found'}</p>);
  if (!live || !visit) return;
  report(visit, 'visit');
  const { module, release } = await loader.load(live, route.page);
  loader.show(release, live);
  const { Component } = module;
  root.render(
    <main data-remote={route.remote}>
      <Component />
    </main>,
  );
}

const container = document.getElementById('root');
if (container && claimDocument(ownUrl)) start(container).catch(shellFailed);
