/** What the console knows of the API: types only. */

export type { RenderCounts } from '@platform/pages/rendering';
export type { FailingWebhook, RecordedEvent, ReleaseHealth, WatcherKind, WatchState } from '@platform/watch';
export type { CodeFault } from '@shop/server/catalogue/read-codes';
export type * from '@shop/server/platform/http/edit-schemas';
export type * from '@shop/server/wire';
export type { StaffCalls } from './generated/calls';
export type { OpsProposal, OpsRelease, OpsState, ReleaseAct } from './ops/ops-state';
export type * from './staff/articles/articles.schemas';
export type * from './staff/audit.schemas';
export type * from './staff/codes/codes.schemas';
export type * from './staff/coupons/coupons.schemas';
export type * from './staff/edits/edits.schemas';
export type * from './staff/enquiries.schemas';
export type { FigureDay, Figures, FigureTotal, LowStock, StaffReconciliation } from './staff/figures.schemas';
export type * from './staff/find.schemas';
export type * from './staff/goods/goods.schemas';
export type * from './staff/goods/price-changes.schemas';
export type * from './staff/home/home.schemas';
export type * from './staff/queue.schemas';
export type * from './staff/refunds.schemas';
export type { BackOfficeRole, StaffRole } from './staff/roles';
export type * from './staff/shopper.schemas';
export type * from './staff/staff.schemas';
export type * from './staff/wallet.schemas';
