import type { GateCheck, Revision, Status, StatusRow } from '@platform/releases';
import type { FailingWebhook, RecordedEvent, ReleaseHealth, WatcherKind, WatchState } from '@platform/watch';

export const RELEASE_ACTIONS = ['promote', 'rollback', 'freeze', 'unfreeze', 'render-off', 'render-on'] as const;
export type ReleaseActionName = (typeof RELEASE_ACTIONS)[number];

export interface OpsState extends Omit<Status, 'releases'> {
  /** The signed-in user, as the history names them. */
  you: string;
  mayRestore: boolean;
  shop: string;
  /** The share of failures, 0 to 1, at which a release counts as failing if there is no data of the previous release. */
  bound: number;
  /** Events of the watcher, newest first; null while the database does not answer. */
  events: RecordedEvent<WatcherKind>[] | null;
  failingWebhooks: FailingWebhook[];
  releases: OpsRelease[];
  history: Revision[];
}

export type OpsHealth = Pick<ReleaseHealth, 'visits' | 'failures' | 'share' | 'refused' | 'errors'>;

export interface OpsRelease extends StatusRow {
  health: OpsHealth | null;
  healthCanary: OpsHealth | null;
  watched: Pick<WatchState, 'verdict' | 'why' | 'next' | 'undecided'> | null;
  published: Array<{ version: string; at: string; by: string }>;
  /** Set while the release waits for the gate of this server, or is checked there. */
  checking: Omit<GateCheck, 'name'> | null;
  may: ReleaseActionName[];
}
