import type { GateCheck, Revision, Status, StatusRow } from '@platform/releases';
import type { FailingWebhook, RecordedEvent, ReleaseHealth, WatcherKind, WatchState } from '@platform/watch';

/** What can be done with one release. */
export const RELEASE_ACTS = ['promote', 'rollback', 'freeze', 'unfreeze', 'render-off', 'render-on'] as const;
export type ReleaseAct = (typeof RELEASE_ACTS)[number];

/** What GET /staff/api/releases/state answers and the page of releases draws. */
export interface OpsState extends Omit<Status, 'releases'> {
  /** Who is signed in, as the history names them. */
  you: string;
  mayRestore: boolean;
  /** Origin of the shop, for links to previews. */
  shop: string;
  /** The share of failures at which a release counts as failing when nothing is known of the one before, 0 to 1. */
  bound: number;
  /** What the watcher saw and did, newest first; null while the database does not answer. */
  events: RecordedEvent<WatcherKind>[] | null;
  /** Receivers that do not take what they are sent. */
  failingWebhooks: FailingWebhook[];
  releases: OpsRelease[];
  /** Newest first. */
  history: Revision[];
}

/** What the page shows of a version's health; `npm run release -- health` has all of it. */
export type OpsHealth = Pick<ReleaseHealth, 'visits' | 'failures' | 'share' | 'refused' | 'errors'>;

export interface OpsRelease extends StatusRow {
  health: OpsHealth | null;
  healthCanary: OpsHealth | null;
  watched: Pick<WatchState, 'verdict' | 'why' | 'next' | 'undecided'> | null;
  published: Array<{ version: string; at: string; by: string }>;
  /** It waits for the gate of this server, or is being checked there. */
  checking: Omit<GateCheck, 'name'> | null;
  /** What whoever asks may do with it. */
  may: ReleaseAct[];
}
