/** What the console knows of the API: types only. */

export type { FailingWebhook, RecordedEvent, WatcherKind } from '@platform/watch';
export type { CodeFault } from '@shop/server/catalogue/read-codes';
export type * from '@shop/server/platform/http/edit-schemas';
export type * from '@shop/server/wire';
export type { OpsHealth, OpsRelease, OpsState, ReleaseAct } from './ops/ops-state';
export type * from './staff/answers';
export type * from './staff/articles/articles.schemas';
export type * from './staff/audit.schemas';
export type * from './staff/codes/codes.schemas';
export type * from './staff/coupons/coupons.schemas';
export type { Edited, StaffEditConflict } from './staff/edits/edits.service';
export type * from './staff/enquiries.schemas';
export type * from './staff/find.schemas';
export type * from './staff/goods/goods.schemas';
export type * from './staff/holds/holds.schemas';
export type * from './staff/home/home.schemas';
export type * from './staff/levels/levels.schemas';
export type * from './staff/queue.schemas';
export type * from './staff/refunds.schemas';
export type { StaffRole } from './staff/roles';
export type * from './staff/shopper.schemas';
export type { StaffCalls } from './staff/staff.routes';
export type * from './staff/staff.schemas';
export type * from './staff/wallet.schemas';
