import type { OpsAction, OpsDecision, OpsState } from '../ops-state';
import { fetchState, type OnProgress, sendAction } from './api';
import { byId } from './dom';
import { eventsList, webhookFaults } from './events-list';
import { historyTable } from './history-table';
import { KeyedView } from './keyed-view';
import { showNotice } from './notice';
import { proposalsList } from './proposals-list';
import { releaseCard } from './release-card';

const REFRESH_MS = 2_000;
const refusals: Record<string, string> = {
  '?wrong': 'That is not the token.',
  '?unnamed': 'Type your name, with letters, digits, spaces and . _ - only: the shared token does not know it.',
  '?taken': 'This person has a token of their own: sign in with that, or type your own name.',
};

/** Draws the state of the releases into ops.html and keeps it up to date. */
export function startOpsPage(): void {
  const refusal = refusals[location.search];
  byId('wrong').textContent = refusal ?? '';
  byId('wrong').hidden = !refusal;
  if (document.body.dataset.state !== 'in') return;

  const releases = new KeyedView(byId('releases'));
  const history = new KeyedView(byId('history'));
  const events = new KeyedView(byId('events'));
  const proposals = new KeyedView(byId('proposals'));

  function draw(state: OpsState): void {
    byId('you').textContent = state.you;
    byId('revision').textContent = `${state.channel}, revision ${state.rev}`;
    releases.removeAllBut(new Set(state.releases.map(({ name }) => name)));
    for (const release of state.releases) {
      releases.draw(release.name, [release, state.bound], () => releaseCard(release, state.bound, act));
    }
    const faults = webhookFaults(state.failingWebhooks);
    // Written again, an alert is read out again.
    if (byId('webhooks').textContent !== faults) byId('webhooks').textContent = faults;
    byId('webhooks').hidden = !faults;
    events.draw('events', state.events, () => eventsList(state.events));
    byId('waiting').hidden = state.proposals.length === 0;
    proposals.draw('proposals', state.proposals, () => proposalsList(state.proposals, act));
    const { rev, mayRestore } = state;
    history.draw('history', [rev, mayRestore, state.history], () =>
      historyTable(state.history, rev, mayRestore ? act : null),
    );
  }

  function showConnection(connected: boolean): void {
    byId('lost').hidden = connected;
    byId('pulse').dataset.on = String(connected);
    byId('pulse').textContent = connected ? 'up to date' : 'no answer';
  }

  async function refresh(): Promise<void> {
    try {
      const state = await fetchState();
      if (state === 'signed-out') return location.reload();
      showConnection(true);
      draw(state);
    } catch {
      showConnection(false);
    }
  }

  async function act(wanted: OpsAction | OpsDecision, undo?: OpsAction | null): Promise<void> {
    document.body.dataset.busy = 'true';
    try {
      const onProgress: OnProgress = (line, leave) => {
        // Checks in a browser take a while; everything else can be done meanwhile.
        delete document.body.dataset.busy;
        showNotice(line, { stays: true, leave });
      };
      const { done, message, canSkipBrowser, proposed } = await sendAction(wanted, onProgress);
      const offered = done && !proposed && undo ? () => void act({ ...undo, why: 'undo at /ops' }) : undefined;
      const skipBrowser =
        canSkipBrowser && wanted.action === 'promote'
          ? (reason: string) => void act({ ...wanted, skipBrowser: reason }, undo)
          : undefined;
      showNotice(message, { undo: offered, failed: !done, skipBrowser });
    } catch {
      showNotice('The server does not answer. Nothing is known to have changed.', { failed: true });
    }
    delete document.body.dataset.busy;
    await refresh();
  }

  document.addEventListener('change', ({ target }) => {
    if (target instanceof HTMLSelectElement) target.dataset.chosen = '1';
  });
  setInterval(() => document.visibilityState === 'visible' && refresh(), REFRESH_MS);
  document.addEventListener('visibilitychange', refresh);
  void refresh();
}
