import type { MapChange, Store } from '@platform/releases';
import type { Database } from '../../../server/src/platform/db/database';
import type { Webhooks } from '../../../server/src/providers/webhook-settings';
import { type EventKind, recordEvent, WATCHER } from './release-events';

export interface ChangeTellerOptions {
  store: Store;
  db: Database;
  channel: string;
  webhooks: Webhooks;
}

/**
 * Records the changes of a map as events, from its history: whoever made them, by whichever means, and whether or not the database
 * answered at that time. So no change waits for a receiver or fails with one.
 */
export class ChangeTeller {
  private told: number | null = null;

  constructor(private readonly options: ChangeTellerOptions) {}

  /** All that is not recorded yet, up to this revision. A shop that never told anything begins with the next one. */
  async tell(until: number): Promise<void> {
    if (this.told !== null && this.told >= until) return;
    const { store, db, channel } = this.options;
    const told = this.told ?? (await this.begin(until));
    for (let rev = told + 1; rev <= until; rev += 1) {
      const revision = await store.readRevision(channel, rev);
      if (revision) await this.record(rev, revision.changed);
    }
    if (until > told)
      await db.run('update release_changes_told set rev = greatest(rev, $2) where channel = $1', [channel, until]);
    this.told = until;
  }

  /** The lower one: a store that was lost counts from 1 again. */
  private async begin(rev: number): Promise<number> {
    const { db, channel } = this.options;
    const row = await db.one<{ rev: number }>(
      `insert into release_changes_told as told (channel, rev) values ($1, $2)
       on conflict (channel) do update set rev = least(told.rev, excluded.rev) returning rev`,
      [channel, rev],
    );
    return row.rev;
  }

  private async record(rev: number, { at, by, action, name, from, to, why }: MapChange): Promise<void> {
    const { db, channel, webhooks } = this.options;
    const kind = by === WATCHER ? watcherKind[action] : action;
    if (!kind) return;
    const isTakenBack = action === 'rollback' || action === 'abandon';
    // Of the whole map, `from` and `to` are revisions.
    const version = (name !== '*' && (isTakenBack ? from : (to ?? from))) || '';
    const evidence = by === WATCHER ? {} : { rev, from, to, changed: at };
    await recordEvent(db, { id: `${channel}:${rev}`, who: by, channel, kind, name, version, why, evidence }, webhooks);
  }
}

/** A freeze belongs to the rollback that follows it. */
const watcherKind: Partial<Record<MapChange['action'], EventKind>> = {
  rollback: 'rollback',
  abandon: 'canary-back',
  canary: 'canary-step',
  promote: 'canary-step',
};
