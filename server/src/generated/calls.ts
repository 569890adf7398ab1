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
  InvitationOpenedSchema,
  Invite,
  InvitedPeopleSchema,
  OpenInvitationBodySchema,
} from '../accounts/invitations/invitations.schemas';
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
import type { LevelList, OwnLevel } from '../levels/levels.schemas';
import type {
  ConfirmationSent,
  NoticeSettings,
  NoticeSettingsBody,
  PushSubscriptionBody,
  StockWishBody,
  StockWishes,
  StockWishQuery,
  StockWishState,
} from '../notices/notices.schemas';
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
  RechargeCreateBody,
  RechargeCreated,
  RechargeInfo,
  RechargeInfoQuerySchema,
  RechargeListQuery,
  RechargeOptions,
  RechargePage,
} from '../wallet/recharge/recharge.schemas';
import type { BalanceLog, BalanceLogQuery } from '../wallet/wallet.schemas';

/** Every call of the API by method and path, with its request and the envelope's data. The HTTP client is typed by it. */
export interface Calls {
  'DELETE /api/front/user/favourite': { query: FavouriteQuery; answer: FavouriteState };
  'DELETE /api/front/user/gameAccount': { query: DeleteGameAccountQuery; answer: DeletedAnswer };
  'DELETE /api/front/user/notices/push': { answer: NoticeSettings };
  'DELETE /api/front/user/sessions': { query: EndSessionQuery; answer: EndedSessions };
  'DELETE /api/front/user/sessions/others': { answer: EndedSessions };
  'DELETE /api/front/user/stockWish': { query: StockWishBody; answer: StockWishState };
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
  'GET /api/front/level/list': { answer: LevelList };
  'GET /api/front/order/info': { query: OrderNoQuery; answer: OrderInfo };
  'GET /api/front/order/list': { query: OrderListQuery; answer: OrderPage };
  'GET /api/front/order/notices': { answer: OrderNotices };
  'GET /api/front/order/recent': { answer: RecentOrder[] };
  'GET /api/front/oss/getStsToken': { answer: StsToken };
  'GET /api/front/payment/methods': { query: PaymentMethodsQuery; answer: PaymentMethod[] };
  'GET /api/front/payment/status': { query: PaymentStatusQuery; answer: PaymentStatus };
  'GET /api/front/recharge/info': { query: Static<typeof RechargeInfoQuerySchema>; answer: RechargeInfo };
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
  'GET /api/front/user/invite': { answer: Invite };
  'GET /api/front/user/invite/people': {
    query: { page?: number; limit?: number; cursor?: string };
    answer: Static<typeof InvitedPeopleSchema>;
  };
  'GET /api/front/user/level': { answer: OwnLevel };
  'GET /api/front/user/notices': { answer: NoticeSettings };
  'GET /api/front/user/sessions': { answer: SessionList };
  'GET /api/front/user/stockWish': { query: StockWishQuery; answer: StockWishes };
  'GET /api/wechat/wxcode': { query: WxCodeQuery; answer: WxCode };
  'POST /api/front/app/invitation': {
    body: Static<typeof OpenInvitationBodySchema>;
    answer: Static<typeof InvitationOpenedSchema>;
  };
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
  'POST /api/front/user/notices': { body: NoticeSettingsBody; answer: NoticeSettings };
  'POST /api/front/user/notices/email': { answer: ConfirmationSent };
  'POST /api/front/user/notices/push': { body: PushSubscriptionBody; answer: NoticeSettings };
  'POST /api/front/user/stockWish': { body: StockWishBody; answer: StockWishState };
}
