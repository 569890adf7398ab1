import type { MapChange, Store } from '@platform/releases';
import type { HealthStore } from './health-store';
import { type EventKind, WATCHER } from './release-event';
import { recordEvent, type Webhooks } from './release-events';

interface ChangeTellerOptions {
  store: Store;
  health: HealthStore;
  channel: string;
  webhooks: Webhooks;
}

/**
 * Records the changes of a map as events, from its history. This is independent of their author and tool, and of whether the
 * health store was available at the time. No change waits for a receiver or fails with it.
 */
export class ChangeTeller {
  private told: number | null = null;

  constructor(private readonly options: ChangeTellerOptions) {}

  /**
   * Records all changes up to this revision that are not recorded yet. On a channel without records it begins with the next
   * revision.
   */
  async tell(until: number): Promise<void> {
    if (this.told !== null && this.told >= until) return;
    const { store, health, channel } = this.options;
    const told = this.told ?? (await health.reportedUntil(channel, until));
    for (let rev = told + 1; rev <= until; rev += 1) {
      const revision = await store.readRevision(channel, rev);
      if (revision) await this.record(rev, revision.changed);
    }
    if (until > told) await health.setReportedUntil(channel, until);
    this.told = until;
  }

  private async record(rev: number, { at, by, action, name, from, to, why }: MapChange): Promise<void> {
    const { health, channel, webhooks } = this.options;
    const kind = by === WATCHER ? watcherKind[action] : action;
    if (!kind) return;
    const isTakenBack = action === 'rollback' || action === 'abandon';
    // For the whole map, `from` and `to` are revisions.
    const version = (name !== '*' && (isTakenBack ? from : (to ?? from))) || '';
    const evidence = by === WATCHER ? {} : { rev, from, to, changed: at };
    await recordEvent(
      health,
      { id: `${channel}:${rev}`, who: by, channel, kind, name, version, why, evidence },
      webhooks,
    );
  }
}

/** A rollback of the watcher freezes as well; that change has no event. */
const watcherKind: Partial<Record<MapChange['action'], EventKind>> = {
  rollback: 'rollback',
  abandon: 'canary-back',
  canary: 'canary-step',
  promote: 'canary-step',
};
