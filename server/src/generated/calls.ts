// Written by `npm run calls -w server` from the routes and their schemas; calls.test.ts keeps it so.

import type { Static } from 'typebox';
import type {
  LoginBody,
  LogoutAnswer,
  RegisterBody,
  SendCodeAnswer,
  SendCodeBody,
  SetPasswordAnswer,
  SetPasswordBody,
  TokenAnswer,
} from '../accounts/auth/auth.schemas';
import type {
  CloseAccountAnswer,
  CloseAccountBody,
  Closure,
  ExportAnswer,
  ExportBody,
} from '../accounts/privacy/privacy.schemas';
import type { EndedSessions, EndSessionQuery, SessionList } from '../accounts/sessions/sessions.schemas';
import type { StsToken, TakeUploadBody, UploadAnswer } from '../accounts/uploads/uploads.schemas';
import type {
  DeletedAnswer,
  DeleteGameAccountQuery,
  GameAccount,
  GameAccountQuery,
  SaveGameAccountBody,
  UpdateUserBody,
  UserInfo,
} from '../accounts/users/users.schemas';
import type { WechatAuthorizeQuery, WxCode, WxCodeQuery } from '../accounts/wechat/wechat.schemas';
import type {
  Category,
  ChannelQuery,
  CustomModule,
  GoodsCount,
  GoodsInfo,
  GoodsInfoQuery,
  GoodsListQuery,
  GoodsPage,
  SearchHot,
  SearchSuggest,
  SearchSuggestQuery,
  Swiper,
  ValidateAccountAnswer,
  ValidateAccountBody,
} from '../catalogue/catalogue.schemas';
import type {
  FavouriteBody,
  FavouriteIds,
  FavouriteListQuery,
  FavouritePage,
  FavouriteQuery,
  FavouriteState,
} from '../catalogue/favourites/favourites.schemas';
import type {
  AppConfig,
  Article,
  ArticleList,
  ArticleQuery,
  BusinessAddAnswer,
  BusinessAddBody,
} from '../content/content.schemas';
import type {
  CouponCheck,
  NullableCoupon,
  ReceiveByCodeBody,
  ReceiveCouponBody,
  UserCouponList,
  UserCouponQuery,
} from '../coupons/coupons.schemas';
import type {
  OrderAgain,
  OrderAnswerBody,
  OrderCards,
  OrderCardsBody,
  OrderCardsQuery,
  OrderCreateBody,
  OrderCreated,
  OrderInfo,
  OrderListQuery,
  OrderNoBody,
  OrderNoQuery,
  OrderNotices,
  OrderPage,
  OrderPreview,
  OrderPreviewBody,
  OrderState,
  ReadNoticesBody,
  RecentOrder,
  RefundApplyBody,
  UnreadNotices,
} from '../orders/orders.schemas';
import type {
  BalancePayment,
  BalancePaymentBody,
  OnlinePayment,
  OnlinePaymentBody,
  PaymentCallbackAnswer,
  PaymentCallbackParams,
  PaymentMethod,
  PaymentMethodsQuery,
  PaymentStatus,
  PaymentStatusQuery,
  WalletProof,
  WalletProofBody,
} from '../payments/payments.schemas';
import type {
  ArticlePreviewBodySchema,
  ArticlePreviewSchema,
  ListedArticleSchema,
  StaffArticle,
} from '@shop/backoffice/staff/articles/articles.schemas';
import type { AuditPageSchema, AuditQuery } from '@shop/backoffice/staff/audit.schemas';
import type {
  CodesBody,
  CodesImportedSchema,
  CodesPreviewSchema,
  CodesQuerySchema,
  FreeCodesSchema,
  ImportCodesBodySchema,
  LowStockCountSchema,
  StockQuerySchema,
  StockSaveBody,
  StockSchema,
  VoidCodesBodySchema,
} from '@shop/backoffice/staff/codes/codes.schemas';
import type { ListedCouponSchema, StaffCoupon } from '@shop/backoffice/staff/coupons/coupons.schemas';
import type {
  EditKeySchema,
  EditParamsSchema,
  HistorySchema,
  PutBackBodySchema,
  StaffEdited,
} from '@shop/backoffice/staff/edits/edits.schemas';
import type {
  CloseEnquiryBodySchema,
  EnquiriesQuerySchema,
  EnquiryParamsSchema,
  EnquirySchema,
} from '@shop/backoffice/staff/enquiries.schemas';
import type { Figures, FiguresQuery, ReconcileBodySchema, ReconciliationsSchema } from '@shop/backoffice/staff/figures.schemas';
import type {
  FindQuerySchema,
  Found,
  NoteBodySchema,
  OrderParamsSchema,
  PersonParamsSchema,
  StaffOrder,
  StaffShopper,
} from '@shop/backoffice/staff/find.schemas';
import type { CategoriesSchema, GoodsListSchema, GoodsQuerySchema, StaffGoods } from '@shop/backoffice/staff/goods/goods.schemas';
import type { PriceChangeBody, PriceChangeIdSchema, PriceChangesSchema } from '@shop/backoffice/staff/goods/price-changes.schemas';
import type { ListedBannerSchema, ListedModuleSchema, StaffBanner, StaffModule } from '@shop/backoffice/staff/home/home.schemas';
import type {
  AskBodySchema,
  ColleaguesSchema,
  DeliverBody,
  FieldsSchema,
  HandOverBodySchema,
  Queue,
  QueueOrderBodySchema,
  RefuseBody,
  RefuseRefundBodySchema,
  TakenSchema,
} from '@shop/backoffice/staff/queue.schemas';
import type {
  AgreeBody,
  RefundIdBodySchema,
  StaffRefundBody,
  StaffRefundSchema,
  WaitingRefundsSchema,
} from '@shop/backoffice/staff/refunds.schemas';
import type {
  Closing,
  ErasedSchema,
  EraseShopperBodySchema,
  GiveCouponBodySchema,
  ShopperChangeBody,
} from '@shop/backoffice/staff/shopper.schemas';
import type {
  StaffAddBodySchema,
  StaffAuthenticator,
  StaffChangeBodySchema,
  StaffChoiceBodySchema,
  StaffDoneSchema,
  StaffInvitationSchema,
  StaffInvited,
  StaffMe,
  StaffNameBodySchema,
  StaffPasswordBodySchema,
  StaffPeopleSchema,
  StaffPersonSchema,
  StaffSetupBodySchema,
  StaffSignedOutSchema,
  StaffSignInBodySchema,
  StaffTokenBodySchema,
} from '@shop/backoffice/staff/staff.schemas';
import type { WaitingWalletAct, WalletActBody } from '@shop/backoffice/staff/wallet.schemas';
import type {
  RechargeCreateBody,
  RechargeCreated,
  RechargeListQuery,
  RechargeOptions,
  RechargePage,
} from '../wallet/recharge/recharge.schemas';
import type { BalanceLog, BalanceLogQuery } from '../wallet/wallet.schemas';

/** Every call of the API by method and path, with its request and the envelope's data. The HTTP client is typed by it. */
export interface Calls {
  'DELETE /api/front/user/favourite': { query: FavouriteQuery; answer: FavouriteState };
  'DELETE /api/front/user/gameAccount': { query: DeleteGameAccountQuery; answer: DeletedAnswer };
  'DELETE /api/front/user/sessions': { query: EndSessionQuery; answer: EndedSessions };
  'DELETE /api/front/user/sessions/others': { answer: EndedSessions };
  'GET /api/front/app/config': { answer: AppConfig };
  'GET /api/front/app/wechatAuthorize': { query: WechatAuthorizeQuery; answer: TokenAnswer };
  'GET /api/front/article/all': { answer: ArticleList };
  'GET /api/front/article/info': { query: ArticleQuery; answer: Article };
  'GET /api/front/coupon/check': { answer: CouponCheck };
  'GET /api/front/coupon/getCoupon': { answer: NullableCoupon };
  'GET /api/front/coupon/getUserCouponList': { query: UserCouponQuery; answer: UserCouponList };
  'GET /api/front/customModule/list': { query: ChannelQuery; answer: CustomModule[] };
  'GET /api/front/goods/category': { answer: Category[] };
  'GET /api/front/goods/counts': { answer: GoodsCount[] };
  'GET /api/front/goods/info': { query: GoodsInfoQuery; answer: GoodsInfo };
  'GET /api/front/goods/list': { query: GoodsListQuery; answer: GoodsPage };
  'GET /api/front/order/info': { query: OrderNoQuery; answer: OrderInfo };
  'GET /api/front/order/list': { query: OrderListQuery; answer: OrderPage };
  'GET /api/front/order/notices': { answer: OrderNotices };
  'GET /api/front/order/recent': { answer: RecentOrder[] };
  'GET /api/front/oss/getStsToken': { answer: StsToken };
  'GET /api/front/payment/methods': { query: PaymentMethodsQuery; answer: PaymentMethod[] };
  'GET /api/front/payment/status': { query: PaymentStatusQuery; answer: PaymentStatus };
  'GET /api/front/recharge/list': { query: RechargeListQuery; answer: RechargePage };
  'GET /api/front/recharge/options': { answer: RechargeOptions };
  'GET /api/front/search/hot': { answer: SearchHot };
  'GET /api/front/search/suggest': { query: SearchSuggestQuery; answer: SearchSuggest };
  'GET /api/front/swiper/list': { query: ChannelQuery; answer: Swiper[] };
  'GET /api/front/user/balanceLog': { query: BalanceLogQuery; answer: BalanceLog };
  'GET /api/front/user/closure': { answer: Closure };
  'GET /api/front/user/favourite': { query: FavouriteListQuery; answer: FavouritePage };
  'GET /api/front/user/favourite/ids': { answer: FavouriteIds };
  'GET /api/front/user/gameAccount': { query: GameAccountQuery; answer: GameAccount[] };
  'GET /api/front/user/info': { answer: UserInfo };
  'GET /api/front/user/sessions': { answer: SessionList };
  'GET /api/wechat/wxcode': { query: WxCodeQuery; answer: WxCode };
  'POST /api/front/app/login': { body: LoginBody; answer: TokenAnswer };
  'POST /api/front/app/logout': { answer: LogoutAnswer };
  'POST /api/front/app/register': { body: RegisterBody; answer: TokenAnswer };
  'POST /api/front/app/send_code': { body: SendCodeBody; answer: SendCodeAnswer };
  'POST /api/front/app/setPassword': { body: SetPasswordBody; answer: SetPasswordAnswer };
  'POST /api/front/business/add': { body: BusinessAddBody; answer: BusinessAddAnswer };
  'POST /api/front/coupon/receive': { body: ReceiveCouponBody; idempotent: true; answer: UserCouponList };
  'POST /api/front/coupon/receiveByCode': { body: ReceiveByCodeBody; idempotent: true; answer: UserCouponList };
  'POST /api/front/goods/validateAccount': { body: ValidateAccountBody; answer: ValidateAccountAnswer };
  'POST /api/front/order/again': { body: OrderNoBody; answer: OrderAgain };
  'POST /api/front/order/answer': { body: OrderAnswerBody; answer: OrderState };
  'POST /api/front/order/cancel': { body: OrderNoBody; answer: OrderState };
  'POST /api/front/order/cards': { query: OrderCardsQuery; body: OrderCardsBody; answer: OrderCards };
  'POST /api/front/order/create': { body: OrderCreateBody; idempotent: true; answer: OrderCreated };
  'POST /api/front/order/delete': { body: OrderNoBody; answer: OrderState };
  'POST /api/front/order/notices/read': { body: ReadNoticesBody; answer: UnreadNotices };
  'POST /api/front/order/preview': { body: OrderPreviewBody; answer: OrderPreview };
  'POST /api/front/order/refundApply': { body: RefundApplyBody; answer: OrderState };
  'POST /api/front/oss/take': { body: TakeUploadBody; answer: UploadAnswer };
  'POST /api/front/payment/balance': { body: BalancePaymentBody; idempotent: true; answer: BalancePayment };
  'POST /api/front/payment/callback/:method': { params: PaymentCallbackParams; answer: PaymentCallbackAnswer };
  'POST /api/front/payment/online': { body: OnlinePaymentBody; idempotent: true; answer: OnlinePayment };
  'POST /api/front/payment/proof': { body: WalletProofBody; answer: WalletProof };
  'POST /api/front/recharge/create': { body: RechargeCreateBody; idempotent: true; answer: RechargeCreated };
  'POST /api/front/user/closure': { body: CloseAccountBody; answer: CloseAccountAnswer };
  'POST /api/front/user/export': { body: ExportBody; answer: ExportAnswer };
  'POST /api/front/user/favourite': { body: FavouriteBody; answer: FavouriteState };
  'POST /api/front/user/gameAccount': { body: SaveGameAccountBody; answer: GameAccount };
  'POST /api/front/user/info': { body: UpdateUserBody; answer: UserInfo };
}

/** Every call of the staff console, by method and path below /staff/api. */
export interface StaffCalls {
  'DELETE session': { answer: Static<typeof StaffSignedOutSchema> };
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
  'GET colleagues': { answer: Static<typeof ColleaguesSchema> };
  'GET config': { answer: Record<string, unknown> };
  'GET coupons': { answer: Static<typeof ListedCouponSchema>[] };
  'GET coupons/:key': { params: Static<typeof EditParamsSchema>; answer: StaffEdited<StaffCoupon> };
  'GET coupons/:key/history': { params: Static<typeof EditParamsSchema>; answer: Static<typeof HistorySchema> };
  'GET enquiries': { query: Static<typeof EnquiriesQuerySchema>; answer: Static<typeof EnquirySchema>[] };
  'GET enquiries/:id': { params: Static<typeof EnquiryParamsSchema>; answer: Static<typeof EnquirySchema> };
  'GET figures': { query: FiguresQuery; answer: Figures };
  'GET find': { query: Static<typeof FindQuerySchema>; answer: Found };
  'GET goods': { query: Static<typeof GoodsQuerySchema>; answer: Static<typeof GoodsListSchema> };
  'GET goods/:key': { params: Static<typeof EditParamsSchema>; answer: StaffEdited<StaffGoods> };
  'GET goods/:key/history': { params: Static<typeof EditParamsSchema>; answer: Static<typeof HistorySchema> };
  'GET goods/:key/price-changes': {
    params: Static<typeof EditParamsSchema>;
    answer: Static<typeof PriceChangesSchema>;
  };
  'GET modules': { answer: Static<typeof ListedModuleSchema>[] };
  'GET modules/:key': { params: Static<typeof EditParamsSchema>; answer: StaffEdited<StaffModule> };
  'GET modules/:key/history': { params: Static<typeof EditParamsSchema>; answer: Static<typeof HistorySchema> };
  'GET order/:order_no': { params: Static<typeof OrderParamsSchema>; answer: StaffOrder };
  'GET people': { answer: Static<typeof StaffPeopleSchema> };
  'GET queue': { answer: Queue };
  'GET refunds': { answer: Static<typeof WaitingRefundsSchema> };
  'GET session': { answer: StaffMe };
  'GET shopper/:id': { params: Static<typeof PersonParamsSchema>; answer: StaffShopper };
  'GET stock': { query: Static<typeof StockQuerySchema>; answer: Static<typeof StockSchema> };
  'GET stock/low': { answer: Static<typeof LowStockCountSchema> };
  'GET wallet': { answer: WaitingWalletAct[] };
  'POST articles/preview': {
    body: Static<typeof ArticlePreviewBodySchema>;
    answer: Static<typeof ArticlePreviewSchema>;
  };
  'POST articles/put-back': { body: Static<typeof PutBackBodySchema>; answer: StaffEdited<StaffArticle> };
  'POST articles/save': {
    body: { key: Static<typeof EditKeySchema>; revision: string | null; value: StaffArticle };
    answer: StaffEdited<StaffArticle>;
  };
  'POST banners/put-back': { body: Static<typeof PutBackBodySchema>; answer: StaffEdited<StaffBanner> };
  'POST banners/save': {
    body: { key: Static<typeof EditKeySchema>; revision: string | null; value: StaffBanner };
    answer: StaffEdited<StaffBanner>;
  };
  'POST codes/import': { body: Static<typeof ImportCodesBodySchema>; answer: Static<typeof CodesImportedSchema> };
  'POST codes/preview': { body: CodesBody; answer: Static<typeof CodesPreviewSchema> };
  'POST codes/void': { body: Static<typeof VoidCodesBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST config': { body: { key: string; value: unknown }; answer: Static<typeof StaffDoneSchema> };
  'POST coupons/put-back': { body: Static<typeof PutBackBodySchema>; answer: StaffEdited<StaffCoupon> };
  'POST coupons/save': {
    body: { key: Static<typeof EditKeySchema>; revision: string | null; value: StaffCoupon };
    answer: StaffEdited<StaffCoupon>;
  };
  'POST enquiries/close': { body: Static<typeof CloseEnquiryBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST goods/price-changes': { body: PriceChangeBody; answer: Static<typeof PriceChangesSchema> };
  'POST goods/price-changes/cancel': {
    body: Static<typeof PriceChangeIdSchema>;
    answer: Static<typeof PriceChangesSchema>;
  };
  'POST goods/put-back': { body: Static<typeof PutBackBodySchema>; answer: StaffEdited<StaffGoods> };
  'POST goods/save': {
    body: { key: Static<typeof EditKeySchema>; revision: string | null; value: StaffGoods };
    answer: StaffEdited<StaffGoods>;
  };
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
  'POST queue/fields': { body: Static<typeof QueueOrderBodySchema>; answer: Static<typeof FieldsSchema> };
  'POST queue/give-back': { body: Static<typeof QueueOrderBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST queue/hand-over': { body: Static<typeof HandOverBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST queue/refund': { body: RefuseBody; answer: Static<typeof StaffRefundSchema> };
  'POST queue/refuse-refund': { body: Static<typeof RefuseRefundBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST queue/take': { body: Static<typeof QueueOrderBodySchema>; answer: Static<typeof TakenSchema> };
  'POST reconcile': { body: Static<typeof ReconcileBodySchema>; answer: Static<typeof ReconciliationsSchema> };
  'POST refunds': { body: StaffRefundBody; answer: Static<typeof StaffRefundSchema> };
  'POST refunds/agree': { body: AgreeBody; answer: Static<typeof StaffRefundSchema> };
  'POST refunds/refuse': { body: Static<typeof RefundIdBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST session': { body: Static<typeof StaffSignInBodySchema>; answer: StaffMe };
  'POST setup': { body: Static<typeof StaffSetupBodySchema>; answer: StaffMe };
  'POST setup/authenticator': { body: Static<typeof StaffChoiceBodySchema>; answer: StaffAuthenticator };
  'POST setup/read': { body: Static<typeof StaffTokenBodySchema>; answer: StaffInvited };
  'POST shopper/change': { body: ShopperChangeBody; answer: Static<typeof StaffDoneSchema> };
  'POST shopper/coupon': { body: Static<typeof GiveCouponBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST shopper/erase': { body: Static<typeof EraseShopperBodySchema>; answer: Static<typeof ErasedSchema> };
  'POST shopper/note': { body: Static<typeof NoteBodySchema>; answer: Static<typeof StaffDoneSchema> };
  'POST stock/save': { body: StockSaveBody; answer: Static<typeof StaffDoneSchema> };
  'POST wallet': { body: WalletActBody; answer: Static<typeof StaffRefundSchema> };
  'POST wallet/agree': { body: Static<typeof RefundIdBodySchema>; answer: Static<typeof StaffRefundSchema> };
  'POST wallet/refuse': { body: Static<typeof RefundIdBodySchema>; answer: Static<typeof StaffDoneSchema> };
}
