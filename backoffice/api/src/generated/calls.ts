// Written by `npm run calls -w server` from the routes and their schemas; calls.test.ts keeps it so.

import type { Static } from 'typebox';
import type { ListedArticleSchema, StaffArticle } from '../staff/articles/articles.schemas';
import type { AuditPageSchema, AuditQuery } from '../staff/audit.schemas';
import type {
  CodesBody,
  CodesImportedSchema,
  CodesPreviewSchema,
  CodesQuerySchema,
  FreeCodesSchema,
  ImportCodesBodySchema,
  LowStockCountSchema,
  ShareCodeBody,
  SharedCodePlaceSchema,
  SharedCodeSchema,
  SharedCodeTextSchema,
  StockQuerySchema,
  StockSaveBody,
  StockSchema,
  VoidCodesBodySchema,
} from '../staff/codes/codes.schemas';
import type { ListedCouponSchema, StaffCoupon } from '../staff/coupons/coupons.schemas';
import type {
  EditKeySchema,
  EditParamsSchema,
  HistorySchema,
  PutBackBodySchema,
  StaffEdited,
} from '../staff/edits/edits.schemas';
import type {
  CloseEnquiryBodySchema,
  EnquiriesQuerySchema,
  EnquiryParamsSchema,
  EnquirySchema,
} from '../staff/enquiries.schemas';
import type {
  FindQuerySchema,
  FoundSchema,
  NoteBodySchema,
  OrderParamsSchema,
  PersonParamsSchema,
  StaffOrder,
  StaffShopper,
} from '../staff/find.schemas';
import type { CategoriesSchema, GoodsListSchema, GoodsQuerySchema, StaffGoods } from '../staff/goods/goods.schemas';
import type { RefundHeldBody, ReleaseBodySchema, StaffHoldSettings } from '../staff/holds/holds.schemas';
import type {
  HomeOrderBodySchema,
  ListedBannerSchema,
  ListedModuleSchema,
  StaffBanner,
  StaffModule,
} from '../staff/home/home.schemas';
import type { ListedLevelSchema, StaffLevel } from '../staff/levels/levels.schemas';
import type {
  AskBodySchema,
  DeliverBody,
  FieldsSchema,
  Queue,
  RefuseBody,
  RefuseRefundBodySchema,
  TakenSchema,
} from '../staff/queue.schemas';
import type {
  AgreeBody,
  RefundIdBodySchema,
  StaffRefundBody,
  StaffRefundSchema,
  WaitingRefundsSchema,
} from '../staff/refunds.schemas';
import type { ReconcileBodySchema, ReconciliationsSchema, Reports, ReportsQuery } from '../staff/reports.schemas';
import type {
  Closing,
  ErasedSchema,
  EraseShopperBodySchema,
  GiveCouponBodySchema,
  GiveLevelBody,
  ShopperChangeBody,
} from '../staff/shopper.schemas';
import type {
  StaffAddBodySchema,
  StaffAuthenticator,
  StaffChangeBodySchema,
  StaffChoiceBodySchema,
  StaffCodeBodySchema,
  StaffDoneSchema,
  StaffInvitationSchema,
  StaffInvited,
  StaffMe,
  StaffNameBodySchema,
  StaffPasswordBodySchema,
  StaffPeopleSchema,
  StaffPersonSchema,
  StaffSetupBodySchema,
  StaffSignInBodySchema,
  StaffTokenBodySchema,
} from '../staff/staff.schemas';
import type { WaitingWalletAct, WalletActBody } from '../staff/wallet.schemas';

/** Every call of the staff console, by method and path below /staff/api. */
export interface StaffCalls {
  'DELETE session': { answer: Static<typeof StaffDoneSchema> };
  'GET articles': { answer: Static<typeof ListedArticleSchema>[] };
  'GET articles/:key': { params: Static<typeof EditParamsSchema>; answer: StaffEdited<StaffArticle> };
  'GET articles/:key/history': { params: Static<typeof EditParamsSchema>; answer: Static<typeof HistorySchema> };
  'GET audit': { query: AuditQuery; answer: Static<typeof AuditPageSchema> };
  'GET banners': { answer: Static<typeof ListedBannerSchema>[] };
  'GET banners/:key': { params: Static<typeof EditParamsSchema>; answer: StaffEdited<StaffBanner> };
  'GET banners/:key/history': { params: Static<typeof EditParamsSchema>; answer: Static<typeof HistorySchema> };
  'GET categories': { answer: Static<typeof CategoriesSchema> };
  'GET closures': { answer: Closing[] };
  'GET codes': { query: Static<typeof CodesQuerySchema>; answer: Static<typeof FreeCodesSchema> };
  'GET codes/shared': { query: Static<typeof SharedCodePlaceSchema>; answer: Static<typeof SharedCodeSchema> };
  'GET config': { answer: Record<string, unknown> };
  'GET coupons': { answer: Static<typeof ListedCouponSchema>[] };
  'GET coupons/:key': { params: Static<typeof EditParamsSchema>; answer: StaffEdited<StaffCoupon> };
  'GET coupons/:key/history': { params: Static<typeof EditParamsSchema>; answer: Static<typeof HistorySchema> };
  'GET enquiries': { query: Static<typeof EnquiriesQuerySchema>; answer: Static<typeof EnquirySchema>[] };
  'GET enquiries/:id': { params: Static<typeof EnquiryParamsSchema>; answer: Static<typeof EnquirySchema> };
  'GET find': { query: Static<typeof FindQuerySchema>; answer: Static<typeof FoundSchema> };
  'GET goods': { query: Static<typeof GoodsQuerySchema>; answer: Static<typeof GoodsListSchema> };
  'GET goods/:key': { params: Static<typeof EditParamsSchema>; answer: StaffEdited<StaffGoods> };
  'GET goods/:key/history': { params: Static<typeof EditParamsSchema>; answer: Static<typeof HistorySchema> };
  'GET hold-settings/:key': { params: Static<typeof EditParamsSchema>; answer: StaffEdited<StaffHoldSettings> };
  'GET hold-settings/:key/history': { params: Static<typeof EditParamsSchema>; answer: Static<typeof HistorySchema> };
  'GET levels': { answer: Static<typeof ListedLevelSchema>[] };
  'GET levels/:key': { params: Static<typeof EditParamsSchema>; answer: StaffEdited<StaffLevel> };
  'GET levels/:key/history': { params: Static<typeof EditParamsSchema>; answer: Static<typeof HistorySchema> };
  'GET modules': { answer: Static<typeof ListedModuleSchema>[] };
  'GET modules/:key': { params: Static<typeof EditParamsSchema>; answer: StaffEdited<StaffModule> };
  'GET modules/:key/history': { params: Static<typeof EditParamsSchema>; answer: Static<typeof HistorySchema> };
  'GET order/:order_no': { params: Static<typeof OrderParamsSchema>; answer: StaffOrder };
  'GET people': { answer: Static<typeof StaffPeopleSchema> };
  'GET queue': { answer: Queue };
  'GET refunds': { answer: Static<typeof WaitingRefundsSchema> };
  'GET reports': { query: ReportsQuery; answer: Reports };
  'GET session': { answer: StaffMe };
  'GET shopper/:id': { params: Static<typeof PersonParamsSchema>; answer: StaffShopper };
  'GET stock': { query: Static<typeof StockQuerySchema>; answer: Static<typeof StockSchema> };
  'GET stock/low': { answer: Static<typeof LowStockCountSchema> };
  'GET wallet': { answer: WaitingWalletAct[] };
  'POST articles/put-back': { body: Static<typeof PutBackBodySchema>; answer: StaffEdited<StaffArticle> };
  'POST articles/save': {
    body: { key: Static<typeof EditKeySchema>; revision: string | null; value: StaffArticle };
    answer: StaffEdited<StaffArticle>;
  };
  'POST banners/order': { body: Static<typeof HomeOrderBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST banners/put-back': { body: Static<typeof PutBackBodySchema>; answer: StaffEdited<StaffBanner> };
  'POST banners/save': {
    body: { key: Static<typeof EditKeySchema>; revision: string | null; value: StaffBanner };
    answer: StaffEdited<StaffBanner>;
  };
  'POST codes/import': { body: Static<typeof ImportCodesBodySchema>; answer: Static<typeof CodesImportedSchema> };
  'POST codes/preview': { body: CodesBody; answer: Static<typeof CodesPreviewSchema> };
  'POST codes/read': { body: Static<typeof SharedCodePlaceSchema>; answer: Static<typeof SharedCodeTextSchema> };
  'POST codes/share': { body: ShareCodeBody; answer: Static<typeof StaffDoneSchema> };
  'POST codes/unshare': { body: Static<typeof SharedCodePlaceSchema>; answer: Static<typeof StaffDoneSchema> };
  'POST codes/void': { body: Static<typeof VoidCodesBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST config': { body: { key: string; value: unknown }; answer: Static<typeof StaffDoneSchema> };
  'POST coupons/put-back': { body: Static<typeof PutBackBodySchema>; answer: StaffEdited<StaffCoupon> };
  'POST coupons/save': {
    body: { key: Static<typeof EditKeySchema>; revision: string | null; value: StaffCoupon };
    answer: StaffEdited<StaffCoupon>;
  };
  'POST enquiries/close': { body: Static<typeof CloseEnquiryBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST goods/put-back': { body: Static<typeof PutBackBodySchema>; answer: StaffEdited<StaffGoods> };
  'POST goods/save': {
    body: { key: Static<typeof EditKeySchema>; revision: string | null; value: StaffGoods };
    answer: StaffEdited<StaffGoods>;
  };
  'POST hold-settings/put-back': { body: Static<typeof PutBackBodySchema>; answer: StaffEdited<StaffHoldSettings> };
  'POST hold-settings/save': {
    body: { key: Static<typeof EditKeySchema>; revision: string | null; value: StaffHoldSettings };
    answer: StaffEdited<StaffHoldSettings>;
  };
  'POST holds/refund': { body: RefundHeldBody; answer: Static<typeof StaffRefundSchema> };
  'POST holds/release': { body: Static<typeof ReleaseBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST levels/put-back': { body: Static<typeof PutBackBodySchema>; answer: StaffEdited<StaffLevel> };
  'POST levels/save': {
    body: { key: Static<typeof EditKeySchema>; revision: string | null; value: StaffLevel };
    answer: StaffEdited<StaffLevel>;
  };
  'POST modules/order': { body: Static<typeof HomeOrderBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST modules/put-back': { body: Static<typeof PutBackBodySchema>; answer: StaffEdited<StaffModule> };
  'POST modules/save': {
    body: { key: Static<typeof EditKeySchema>; revision: string | null; value: StaffModule };
    answer: StaffEdited<StaffModule>;
  };
  'POST password': { body: Static<typeof StaffPasswordBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST people': { body: Static<typeof StaffAddBodySchema>; answer: Static<typeof StaffInvitationSchema> };
  'POST people/change': { body: Static<typeof StaffChangeBodySchema>; answer: Static<typeof StaffPersonSchema> };
  'POST people/reset': { body: Static<typeof StaffNameBodySchema>; answer: Static<typeof StaffInvitationSchema> };
  'POST pictures': { query: { kind: 'goods' | 'banners' | 'items'; x: number; y: number }; answer: { url: string } };
  'POST queue/ask': { body: Static<typeof AskBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST queue/deliver': { body: DeliverBody; answer: Static<typeof StaffDoneSchema> };
  'POST queue/fields': { body: Static<typeof ReleaseBodySchema>; answer: Static<typeof FieldsSchema> };
  'POST queue/give-back': { body: Static<typeof ReleaseBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST queue/refund': { body: RefuseBody; answer: Static<typeof StaffRefundSchema> };
  'POST queue/refuse-refund': { body: Static<typeof RefuseRefundBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST queue/take': { body: Static<typeof ReleaseBodySchema>; answer: Static<typeof TakenSchema> };
  'POST reconcile': { body: Static<typeof ReconcileBodySchema>; answer: Static<typeof ReconciliationsSchema> };
  'POST refunds': { body: StaffRefundBody; answer: Static<typeof StaffRefundSchema> };
  'POST refunds/agree': { body: AgreeBody; answer: Static<typeof StaffRefundSchema> };
  'POST refunds/refuse': { body: Static<typeof RefundIdBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST session': { body: Static<typeof StaffSignInBodySchema>; answer: StaffMe };
  'POST session/code': { body: Static<typeof StaffCodeBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST setup': { body: Static<typeof StaffSetupBodySchema>; answer: StaffMe };
  'POST setup/authenticator': { body: Static<typeof StaffChoiceBodySchema>; answer: StaffAuthenticator };
  'POST setup/read': { body: Static<typeof StaffTokenBodySchema>; answer: StaffInvited };
  'POST shopper/change': { body: ShopperChangeBody; answer: Static<typeof StaffDoneSchema> };
  'POST shopper/coupon': { body: Static<typeof GiveCouponBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST shopper/erase': { body: Static<typeof EraseShopperBodySchema>; answer: Static<typeof ErasedSchema> };
  'POST shopper/level': { body: GiveLevelBody; answer: Static<typeof StaffDoneSchema> };
  'POST shopper/note': { body: Static<typeof NoteBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST stock/save': { body: StockSaveBody; answer: Static<typeof StaffDoneSchema> };
  'POST wallet': { body: WalletActBody; answer: Static<typeof StaffRefundSchema> };
  'POST wallet/agree': { body: Static<typeof RefundIdBodySchema>; answer: Static<typeof StaffRefundSchema> };
  'POST wallet/refuse': { body: Static<typeof RefundIdBodySchema>; answer: Static<typeof StaffDoneSchema> };
}

export type * from '../ops/api/ops-api.schemas';
export type * from '../staff/articles/articles.schemas';
export type * from '../staff/audit.schemas';
export type * from '../staff/codes/codes.schemas';
export type * from '../staff/coupons/coupons.schemas';
export type * from '../staff/edits/edits.schemas';
export type * from '../staff/enquiries.schemas';
export type * from '../staff/find.schemas';
export type * from '../staff/goods/goods.schemas';
export type * from '../staff/holds/holds.schemas';
export type * from '../staff/home/home.schemas';
export type * from '../staff/levels/levels.schemas';
export type * from '../staff/queue.schemas';
export type * from '../staff/refunds.schemas';
export type * from '../staff/reports.schemas';
export type * from '../staff/shopper.schemas';
export type * from '../staff/staff.schemas';
export type * from '../staff/wallet.schemas';
