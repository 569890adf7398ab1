import '@platform/host/natives';
import '@platform/host/early-errors';
import '@shop/shared/ui/tokens.css';
import './styles/shell.css';
import './texts';
import { firstError } from '@platform/host/early-errors';
import { firstVisit, flush, reportShellVisit } from '@platform/host/health';
import { keptInput } from '@platform/host/kept-input';
import { natives } from '@platform/host/natives';
import { readEmbeddedMap, visitorNumber } from '@platform/host/release-map';
import { claimDocument, shellFailed } from '@platform/host/shell-start';
import { watchInput } from '@platform/host/unsaved-input';
import { changingCalls, isApiError, loadTransport, retryImport } from '@shop/shared/http';
import { notify } from '@shop/shared/ui';
import { StrictMode } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { afterLoad, isVitalsSample } from './app/after-load';
import { createShell } from './app/create-shell';
import { repairForeignChanges } from './app/foreign-changes';
import { applyStyles, dropOtherLanguage, hydrationReporter, keepInput, lateStyles, preparePage } from './app/hydrate';
import { readRendered } from './app/rendered-document';
import type { Shell } from './shell-context';

/** The bundler replaces it by the release's version. */
declare const SHELL_VERSION: string;

/** `currentScript` is set only while the script is evaluated. */
const ownUrl = (document.currentScript as HTMLScriptElement | null)?.src ?? '';

function start(): void {
  if (!claimDocument(ownUrl)) return;
  try {
    run();
  } catch (error) {
    // The document's script no longer watches a shell that has started.
    shellFailed(error);
  }
}

function run(): void {
  reportShellVisit();
  const container = document.getElementById('root');
  if (!container) throw new Error('this page has no #root');
  const { isChanged } = repairForeignChanges(container);
  const rendered = readRendered(SHELL_VERSION);
  // In parallel with the first render. A rendered document has its first answers, so its transport loads with the deferred code.
  if (!rendered) loadTransport().catch(() => {});
  let restoreInput = () => {};
  const { shell, element } = createShell({
    map: readEmbeddedMap(),
    visitor: visitorNumber(),
    rendered,
    onHydrated: () => {
      replayEarlyClicks();
      restoreInput();
    },
  });
  shell.releases.watch();
  watchInput(changingCalls);
  natives.listen(window, 'pagehide', flush);
  // A phone may kill a hidden tab without `pagehide`.
  natives.listen(document, 'visibilitychange', () => document.visibilityState === 'hidden' && flush());
  // Soon after the load, because many visits are short.
  if (isVitalsSample()) afterLoad(() => optional(startVitals()), vitalsDelayMs);
  afterLoad(() => optional(startDeferred(shell)), keptInput() ? 0 : undefined);
  void firstError.then(() => optional(startHealthWatch(shell)));

  const whole = <StrictMode>{element}</StrictMode>;
  const onUncaughtError = (error: unknown) => shellFailed(error);
  const render = () => {
    dropOtherLanguage(container);
    createRoot(container, { onUncaughtError }).render(whole);
    replayEarlyClicks();
  };
  const hydrate = () => {
    applyStyles(container);
    restoreInput = keepInput(container);
    hydrateRoot(container, whole, { onUncaughtError, onRecoverableError: hydrationReporter(container, isChanged) });
  };
  const isSame = rendered ? preparePage(shell, rendered).catch(() => false) : false;
  Promise.all([isSame, lateStyles()])
    .then(([isSame]) => (isSame ? hydrate() : render()))
    .catch(shellFailed);
}

/** Replays, in order, the clicks that the document has held since before hydration (platform/pages/src/boot/hold-clicks.ts). */
function replayEarlyClicks(): void {
  (window as { carryOutPresses?: (notify: (lost: string) => void) => void }).carryOutPresses?.(notify.danger);
}

const vitalsDelayMs = 200;

/** The page works without this code; the next document tries to load it again. */
const optional = (start: Promise<unknown>): void => void start.catch(() => {});

async function startVitals(): Promise<void> {
  const { reportVitals } = await import('@platform/host/vitals');
  const opened = firstVisit();
  if (opened) reportVitals(opened);
}

async function startDeferred(shell: Shell): Promise<void> {
  const { start } = await retryImport(() => import('./deferred'));
  await Promise.all([start(shell), startHealthWatch(shell)]);
}

/** Starts at the first error, else with the rest of the deferred work. */
async function startHealthWatch(shell: Shell): Promise<void> {
  const { watchHealth } = await retryImport(() => import('@platform/host/health-watch'));
  watchHealth({ releases: shell.releases, isCallError: isApiError, isHydrated: () => !shell.hydration });
}

start();
