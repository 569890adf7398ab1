/** Types of the API for the console. */

export type { FailingWebhook, RecordedEvent, WatcherKind } from '@platform/watch';
export type { CodeFault } from '@shop/server/catalogue/read-codes';
export type * from '@shop/server/platform/http/edit-schemas';
export type * from '@shop/server/wire';
export type * from './answers';
export type * from './catalogue/codes.schemas';
export type * from './catalogue/coupons.schemas';
export type * from './catalogue/goods.schemas';
export type * from './catalogue/levels.schemas';
export type { Edited, StaffEditConflict } from './edits/edits.service';
export type { OpsHealth, OpsRelease, OpsState, ReleaseActionName as ReleaseAct } from './ops/ops-state';
export type * from './orders/enquiries.schemas';
export type * from './orders/find.schemas';
export type * from './orders/holds.schemas';
export type * from './orders/queue.schemas';
export type * from './orders/refunds.schemas';
export type * from './orders/shopper.schemas';
export type * from './orders/wallet.schemas';
export type { StaffRole } from './people/roles';
export type * from './people/staff.schemas';
export type * from './reports/audit.schemas';
export type * from './shop/articles.schemas';
export type * from './shop/home.schemas';
export type { StaffCalls } from './staff.routes';
