/** Of the wire, what only the back office reads: types of the platform, which squads outside do not get. */

export type { RenderCounts } from '@platform/pages/rendering';
export type { ReleaseHealth, WatchState } from './health/health-view';
export type { FailingWebhook, RecordedEvent, WatcherKind } from './health/release-events';
export type { OpsProposal, OpsRelease, OpsState, ReleaseAct } from '@shop/backoffice/ops/ops-state';
