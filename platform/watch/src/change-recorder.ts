import { CHANNEL, type MapChange, type Store } from '@platform/releases';
import type { HealthStore } from './health-store';
import { type EventKind, WATCHER } from './release-event';
import { recordEvent, type Webhooks } from './release-events';

interface ChangeRecorderOptions {
  store: Store;
  health: HealthStore;
  webhooks: Webhooks;
}

/**
 * Records the changes of a map as events, from its history. This is independent of their author and tool, and of whether the
 * health store was available at the time. No change waits for a receiver or fails with it.
 */
export class ChangeRecorder {
  private recordedUntil: number | null = null;

  constructor(private readonly options: ChangeRecorderOptions) {}

  /** Records all changes up to this revision that are not recorded yet. Without records it begins with the next revision. */
  async recordUntil(until: number): Promise<void> {
    if (this.recordedUntil !== null && this.recordedUntil >= until) return;
    const { store, health } = this.options;
    const recordedUntil = this.recordedUntil ?? (await health.reportedUntil(CHANNEL, until));
    for (let rev = recordedUntil + 1; rev <= until; rev += 1) {
      const revision = await store.readRevision(rev);
      if (revision) await this.record(rev, revision.changed);
    }
    if (until > recordedUntil) await health.setReportedUntil(CHANNEL, until);
    this.recordedUntil = until;
  }

  private async record(rev: number, { at, by, action, name, from, to, why }: MapChange): Promise<void> {
    const { health, webhooks } = this.options;
    const kind = by === WATCHER ? watcherKind[action] : action;
    if (!kind) return;
    const isRollback = action === 'rollback' || action === 'abandon';
    // For the whole map, `from` and `to` are revisions.
    const version = (name !== '*' && (isRollback ? from : (to ?? from))) || '';
    const evidence = by === WATCHER ? {} : { rev, from, to, changed: at };
    const event = { id: `${CHANNEL}:${rev}`, who: by, channel: CHANNEL, kind, name, version, why, evidence };
    await recordEvent(health, event, webhooks);
  }
}

/** A rollback of the watcher freezes as well; that change has no event. */
const watcherKind: Partial<Record<MapChange['action'], EventKind>> = {
  rollback: 'rollback',
  abandon: 'canary-back',
  canary: 'canary-step',
  promote: 'canary-step',
};
