/** What the console knows of the API: types only. Those of its schemas stand with its calls. */

export type { FailingWebhook, RecordedEvent, WatcherKind } from '@platform/watch';
export type { CodeFault } from '@shop/server/catalogue/read-codes';
export type * from '@shop/server/platform/http/edit-schemas';
export type * from '@shop/server/wire';
export type * from './generated/calls';
export type { OpsHealth, OpsRelease, OpsState, ReleaseAct } from './ops/ops-state';
export type { StaffRole } from './staff/roles';
