/** The wire's types, declared beside the schemas that check them. */

export type {
  LoginBody,
  LogoutAnswer,
  RegisterBody,
  SendCodeAnswer,
  SendCodeBody,
  SetPasswordAnswer,
  SetPasswordBody,
  TokenAnswer,
} from './auth/auth.schemas';
export type { Calls } from './calls';
export type {
  Category,
  ChannelQuery,
  CustomModule,
  FieldValues,
  GoodsCount,
  GoodsField,
  GoodsFieldOption,
  GoodsInfo,
  GoodsListItem,
  GoodsListQuery,
  GoodsPage,
  GoodsSpec,
  ModuleItem,
  SearchHot,
  SearchSuggest,
  SearchSuggestQuery,
  Swiper,
  ValidateAccountAnswer,
  ValidateAccountBody,
} from './catalogue/catalogue.schemas';
export type {
  AppConfig,
  Article,
  ArticleListItem,
  BusinessAddAnswer,
  BusinessAddBody,
} from './content/content.schemas';
export type {
  Coupon,
  CouponCheck,
  ReceiveByCodeBody,
  ReceiveCouponBody,
  UserCoupon,
  UserCouponList,
  UserCouponQuery,
} from './coupons/coupons.schemas';
export type { Favourite, FavouritePage, FavouriteState } from './favourites/favourites.schemas';
export type { Currency, Envelope, FieldErrors, Locale, Page, PageQuery } from './http/schemas';
export type {
  OrderActions,
  OrderAgain,
  OrderCards,
  OrderCardsBody,
  OrderCreateBody,
  OrderCreated,
  OrderInfo,
  OrderListItem,
  OrderListQuery,
  OrderNoBody,
  OrderNotice,
  OrderNotices,
  OrderPage,
  OrderPreview,
  OrderPreviewBody,
  OrderState,
  OrderTab,
  OrderTimeline,
  PreviewCoupon,
  RecentOrder,
  RefundApplyBody,
} from './orders/orders.schemas';
export type {
  BalancePayment,
  BalancePaymentBody,
  OnlinePayment,
  OnlinePaymentBody,
  PaymentMethod,
  PaymentMethodsQuery,
  PaymentStatus,
  WalletProof,
  WalletProofBody,
} from './payments/payments.schemas';
export type {
  CloseAccountAnswer,
  CloseAccountBody,
  Closure,
  ClosureReason,
  ExportAnswer,
  ExportBody,
} from './privacy/privacy.schemas';
export type {
  Recharge,
  RechargeCreateBody,
  RechargeCreated,
  RechargeListQuery,
  RechargeOptions,
  RechargePage,
} from './recharge/recharge.schemas';
export type { Session, SessionList } from './sessions/sessions.schemas';
export type { ArticlePreview, PreviewNode, StaffArticle, StaffListedArticle } from './staff/articles/articles.schemas';
export type { StaffAuditEntry, StaffAuditPage } from './staff/audit.routes';
export type { StaffCodesImported, StaffCodesPreview, StaffFreeCode, StaffStock } from './staff/codes/codes.schemas';
export type { CodeFault } from './staff/codes/read-codes';
export type { StaffCoupon, StaffListedCoupon } from './staff/coupons/coupons.schemas';
export type { ShownState } from './staff/edit-schemas';
export type { StaffEditConflict, StaffEdited } from './staff/edits/edits.schemas';
export type { HistoryEntry } from './staff/edits/edits.service';
export type { StaffEnquiry } from './staff/enquiries.routes';
export type { FigureDay, Figures, FigureTotal, LowStock } from './staff/figures.schemas';
export type { Found, FoundOrder, FoundPerson, StaffOrder, StaffShopper } from './staff/find.schemas';
export type { StaffCategories, StaffGoods, StaffGoodsList, StaffListedGoods } from './staff/goods/goods.schemas';
export type { StaffPriceChange } from './staff/goods/price-changes.schemas';
export type {
  StaffBanner,
  StaffListedBanner,
  StaffListedModule,
  StaffModule,
  StaffModuleItem,
} from './staff/home/home.schemas';
export type { OpenedFields, Queue, QueueOrder } from './staff/queue.schemas';
export type { StaffRefundAnswer, WaitingRefund } from './staff/refunds.schemas';
export type { StaffRole } from './staff/roles';
export type {
  StaffAuthenticator,
  StaffInvitationShown,
  StaffInvited,
  StaffListed,
  StaffMe,
} from './staff/staff.schemas';
export type { StsToken, UploadAnswer } from './uploads/uploads.schemas';
export type {
  DeletedAnswer,
  GameAccount,
  GameAccountQuery,
  SaveGameAccountBody,
  UpdateUserBody,
  UserInfo,
} from './users/users.schemas';
export type { BalanceLog, BalanceLogItem, BalanceLogQuery } from './wallet/wallet.schemas';
export type { WechatAuthorizeQuery, WxCode, WxCodeQuery } from './wechat/wechat.schemas';
