/** Of the wire, what only the back office reads: types of the platform, which squads outside do not get. */

export type { RenderCounts } from '@platform/pages/rendering';
export type { FailingWebhook, RecordedEvent, ReleaseHealth, WatcherKind, WatchState } from '@platform/watch';
export type { OpsProposal, OpsRelease, OpsState, ReleaseAct } from './ops/ops-state';
