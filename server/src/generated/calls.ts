// Written by `npm run calls -w server` from the routes and their schemas; calls.test.ts keeps it so.

import type { Static } from 'typebox';
import type {
  LoginBody,
  LogoutAnswerSchema,
  RegisterBody,
  SendCodeAnswerSchema,
  SendCodeBody,
  SetPasswordAnswerSchema,
  SetPasswordBody,
  TokenAnswer,
  WechatAuthorizeQuerySchema,
  WxCodeQuerySchema,
  WxCodeSchema,
} from '../accounts/auth/auth.schemas';
import type {
  InvitationOpenedSchema,
  Invite,
  InvitedPeopleSchema,
  OpenInvitationBodySchema,
} from '../accounts/invitations/invitations.schemas';
import type {
  AccountProof,
  CloseAccountAnswer,
  Closure,
  ExportAnswerSchema,
} from '../accounts/privacy/privacy.schemas';
import type {
  EndedSessionsSchema,
  EndSessionQuerySchema,
  SessionListSchema,
} from '../accounts/sessions/sessions.schemas';
import type { StsTokenSchema } from '../accounts/uploads/uploads.schemas';
import type {
  DeletedAnswerSchema,
  DeleteGameAccountQuerySchema,
  GameAccount,
  GameAccountQuerySchema,
  SaveGameAccountBody,
  UpdateUserBody,
  UserInfo,
} from '../accounts/users/users.schemas';
import type {
  Category,
  ChannelQuerySchema,
  CustomModule,
  FavouriteGoodsSchema,
  FavouriteIdsSchema,
  FavouriteListQuery,
  FavouritePageSchema,
  FavouriteStateSchema,
  GoodsCount,
  GoodsInfo,
  GoodsInfoQuerySchema,
  GoodsListQuery,
  GoodsPage,
  SearchHotSchema,
  SearchSuggest,
  SearchSuggestQuerySchema,
  Swiper,
  ValidateAccountAnswer,
  ValidateAccountBodySchema,
} from '../catalogue/catalogue.schemas';
import type {
  AppConfig,
  Article,
  ArticleList,
  ArticleQuerySchema,
  BusinessAddAnswerSchema,
  BusinessAddBody,
} from '../content/content.schemas';
import type {
  CouponCheck,
  NullableCouponSchema,
  ReceiveByCodeBodySchema,
  UserCouponListSchema,
  UserCouponQuerySchema,
} from '../coupons/coupons.schemas';
import type { LevelList, OwnLevel } from '../levels/levels.schemas';
import type {
  ConfirmationSentSchema,
  NoticeSettings,
  NoticeSettingsBody,
  PushSubscriptionBody,
  StockWishBodySchema,
  StockWishesSchema,
  StockWishQuerySchema,
  StockWishState,
} from '../notices/notices.schemas';
import type {
  OrderAgain,
  OrderAnswerBodySchema,
  OrderCards,
  OrderCardsBody,
  OrderCardsQuerySchema,
  OrderCreateBody,
  OrderCreated,
  OrderInfo,
  OrderListQuery,
  OrderNoBody,
  OrderNotices,
  OrderPage,
  OrderPreview,
  OrderPreviewBody,
  OrderState,
  RecentOrder,
  RefundApplyBodySchema,
} from '../orders/orders.schemas';
import type {
  BalancePayment,
  OnlinePayment,
  OnlinePaymentBody,
  PaymentCallbackAnswerSchema,
  PaymentCallbackParamsSchema,
  PaymentMethod,
  PaymentMethodsQuerySchema,
  PaymentStatus,
  WalletProof,
  WalletProofBody,
} from '../payments/payments.schemas';
import type {
  BalanceLog,
  BalanceLogQuery,
  RechargeCreateBody,
  RechargeCreated,
  RechargeInfo,
  RechargeListQuery,
  RechargeOptions,
  RechargePageSchema,
} from '../wallet/wallet.schemas';

/** Every call of the API by method and path, with its request and the envelope's data. The HTTP client is typed by it. */
export interface Calls {
  'DELETE /api/front/user/favourite': {
    query: Static<typeof FavouriteGoodsSchema>;
    answer: Static<typeof FavouriteStateSchema>;
  };
  'DELETE /api/front/user/gameAccount': {
    query: Static<typeof DeleteGameAccountQuerySchema>;
    answer: Static<typeof DeletedAnswerSchema>;
  };
  'DELETE /api/front/user/notices/push': { answer: NoticeSettings };
  'DELETE /api/front/user/sessions': {
    query: Static<typeof EndSessionQuerySchema>;
    answer: Static<typeof EndedSessionsSchema>;
  };
  'DELETE /api/front/user/sessions/others': { answer: Static<typeof EndedSessionsSchema> };
  'DELETE /api/front/user/stockWish': { query: Static<typeof StockWishBodySchema>; answer: StockWishState };
  'GET /api/front/app/config': { answer: AppConfig };
  'GET /api/front/app/wechatAuthorize': { query: Static<typeof WechatAuthorizeQuerySchema>; answer: TokenAnswer };
  'GET /api/front/article/all': { answer: ArticleList };
  'GET /api/front/article/info': { query: Static<typeof ArticleQuerySchema>; answer: Article };
  'GET /api/front/coupon/check': { answer: CouponCheck };
  'GET /api/front/coupon/getCoupon': { answer: Static<typeof NullableCouponSchema> };
  'GET /api/front/coupon/getUserCouponList': {
    query: Static<typeof UserCouponQuerySchema>;
    answer: Static<typeof UserCouponListSchema>;
  };
  'GET /api/front/customModule/list': { query: Static<typeof ChannelQuerySchema>; answer: CustomModule[] };
  'GET /api/front/goods/category': { answer: Category[] };
  'GET /api/front/goods/counts': { answer: GoodsCount[] };
  'GET /api/front/goods/info': { query: Static<typeof GoodsInfoQuerySchema>; answer: GoodsInfo };
  'GET /api/front/goods/list': { query: GoodsListQuery; answer: GoodsPage };
  'GET /api/front/level/list': { answer: LevelList };
  'GET /api/front/order/info': { query: { order_no: string }; answer: OrderInfo };
  'GET /api/front/order/list': { query: OrderListQuery; answer: OrderPage };
  'GET /api/front/order/notices': { answer: OrderNotices };
  'GET /api/front/order/recent': { answer: RecentOrder[] };
  'GET /api/front/oss/getStsToken': { answer: Static<typeof StsTokenSchema> };
  'GET /api/front/payment/methods': { query: Static<typeof PaymentMethodsQuerySchema>; answer: PaymentMethod[] };
  'GET /api/front/payment/status': { query: { payment_no: string }; answer: PaymentStatus };
  'GET /api/front/recharge/info': { query: { recharge_no: string }; answer: RechargeInfo };
  'GET /api/front/recharge/list': { query: RechargeListQuery; answer: Static<typeof RechargePageSchema> };
  'GET /api/front/recharge/options': { answer: RechargeOptions };
  'GET /api/front/search/hot': { answer: Static<typeof SearchHotSchema> };
  'GET /api/front/search/suggest': { query: Static<typeof SearchSuggestQuerySchema>; answer: SearchSuggest };
  'GET /api/front/swiper/list': { query: Static<typeof ChannelQuerySchema>; answer: Swiper[] };
  'GET /api/front/user/balanceLog': { query: BalanceLogQuery; answer: BalanceLog };
  'GET /api/front/user/closure': { answer: Closure };
  'GET /api/front/user/favourite': { query: FavouriteListQuery; answer: Static<typeof FavouritePageSchema> };
  'GET /api/front/user/favourite/ids': { answer: Static<typeof FavouriteIdsSchema> };
  'GET /api/front/user/gameAccount': { query: Static<typeof GameAccountQuerySchema>; answer: GameAccount[] };
  'GET /api/front/user/info': { answer: UserInfo };
  'GET /api/front/user/invite': { answer: Invite };
  'GET /api/front/user/invite/people': {
    query: { page?: number; limit?: number; cursor?: string };
    answer: Static<typeof InvitedPeopleSchema>;
  };
  'GET /api/front/user/level': { answer: OwnLevel };
  'GET /api/front/user/notices': { answer: NoticeSettings };
  'GET /api/front/user/sessions': { answer: Static<typeof SessionListSchema> };
  'GET /api/front/user/stockWish': {
    query: Static<typeof StockWishQuerySchema>;
    answer: Static<typeof StockWishesSchema>;
  };
  'GET /api/wechat/wxcode': { query: Static<typeof WxCodeQuerySchema>; answer: Static<typeof WxCodeSchema> };
  'POST /api/front/app/invitation': {
    body: Static<typeof OpenInvitationBodySchema>;
    answer: Static<typeof InvitationOpenedSchema>;
  };
  'POST /api/front/app/login': { body: LoginBody; answer: TokenAnswer };
  'POST /api/front/app/logout': { answer: Static<typeof LogoutAnswerSchema> };
  'POST /api/front/app/register': { body: RegisterBody; answer: TokenAnswer };
  'POST /api/front/app/send_code': { body: SendCodeBody; answer: Static<typeof SendCodeAnswerSchema> };
  'POST /api/front/app/setPassword': { body: SetPasswordBody; answer: Static<typeof SetPasswordAnswerSchema> };
  'POST /api/front/business/add': { body: BusinessAddBody; answer: Static<typeof BusinessAddAnswerSchema> };
  'POST /api/front/coupon/receive': {
    body: { coupon_id: number };
    idempotent: true;
    answer: Static<typeof UserCouponListSchema>;
  };
  'POST /api/front/coupon/receiveByCode': {
    body: Static<typeof ReceiveByCodeBodySchema>;
    idempotent: true;
    answer: Static<typeof UserCouponListSchema>;
  };
  'POST /api/front/goods/validateAccount': {
    body: Static<typeof ValidateAccountBodySchema>;
    answer: ValidateAccountAnswer;
  };
  'POST /api/front/order/again': { body: OrderNoBody; answer: OrderAgain };
  'POST /api/front/order/answer': { body: Static<typeof OrderAnswerBodySchema>; answer: OrderState };
  'POST /api/front/order/cancel': { body: OrderNoBody; answer: OrderState };
  'POST /api/front/order/cards': {
    query: Static<typeof OrderCardsQuerySchema>;
    body: OrderCardsBody;
    answer: OrderCards;
  };
  'POST /api/front/order/create': { body: OrderCreateBody; idempotent: true; answer: OrderCreated };
  'POST /api/front/order/delete': { body: OrderNoBody; answer: OrderState };
  'POST /api/front/order/notices/read': { body: { last_id: number }; answer: { unread: number } };
  'POST /api/front/order/preview': { body: OrderPreviewBody; answer: OrderPreview };
  'POST /api/front/order/refundApply': { body: Static<typeof RefundApplyBodySchema>; answer: OrderState };
  'POST /api/front/payment/balance': { body: { order_no: string }; idempotent: true; answer: BalancePayment };
  'POST /api/front/payment/callback/:method': {
    params: Static<typeof PaymentCallbackParamsSchema>;
    answer: Static<typeof PaymentCallbackAnswerSchema>;
  };
  'POST /api/front/payment/online': { body: OnlinePaymentBody; idempotent: true; answer: OnlinePayment };
  'POST /api/front/payment/proof': { body: WalletProofBody; answer: WalletProof };
  'POST /api/front/recharge/create': { body: RechargeCreateBody; idempotent: true; answer: RechargeCreated };
  'POST /api/front/user/closure': { body: AccountProof; answer: CloseAccountAnswer };
  'POST /api/front/user/export': { body: AccountProof; answer: Static<typeof ExportAnswerSchema> };
  'POST /api/front/user/favourite': {
    body: Static<typeof FavouriteGoodsSchema>;
    answer: Static<typeof FavouriteStateSchema>;
  };
  'POST /api/front/user/gameAccount': { body: SaveGameAccountBody; answer: GameAccount };
  'POST /api/front/user/info': { body: UpdateUserBody; answer: UserInfo };
  'POST /api/front/user/notices': { body: NoticeSettingsBody; answer: NoticeSettings };
  'POST /api/front/user/notices/email': { answer: Static<typeof ConfirmationSentSchema> };
  'POST /api/front/user/notices/push': { body: PushSubscriptionBody; answer: NoticeSettings };
  'POST /api/front/user/stockWish': { body: Static<typeof StockWishBodySchema>; answer: StockWishState };
}
