/** Of the wire, what only the back office reads: types of the platform, which squads outside do not get. */

export type { RenderCounts } from '@platform/pages/rendering';
export type { ReleaseHealth, WatchState } from '../../platform/watch/src/health-view';
export type { FailingWebhook, RecordedEvent, WatcherKind } from '../../platform/watch/src/release-events';
export type { OpsProposal, OpsRelease, OpsState, ReleaseAct } from './ops/ops-state';
