import type { Language } from './';
import type { ErrorName } from './error-codes';

export const successText: Record<Language, string> = { 'zh-CN': '成功', en: 'OK' };

export const errorTexts: Record<ErrorName, Record<Language, string>> = {
  Unauthorized: { 'zh-CN': '登录已失效，请重新登录', en: 'Your session has ended, please sign in again' },
  Forbidden: { 'zh-CN': '没有访问权限', en: 'You are not allowed to do this' },
  NotFound: { 'zh-CN': '内容不存在或已删除', en: 'Not found' },
  PayloadTooLarge: { 'zh-CN': '提交的内容过大', en: 'The request is too large' },
  UnsupportedMediaType: { 'zh-CN': '不支持的内容类型', en: 'This content type is not supported' },
  InvalidInput: { 'zh-CN': '填写的信息有误', en: 'Some of the information is wrong' },
  RequestInProgress: { 'zh-CN': '请求正在处理中，请稍候', en: 'This request is still being processed' },
  IdempotencyKeyReused: {
    'zh-CN': '重复提交的内容不一致，请刷新后再试',
    en: 'This was sent before with other details, please refresh and try again',
  },
  TooManyRequests: { 'zh-CN': '操作过于频繁，请稍后再试', en: 'Too many attempts, please try again later' },
  ChallengeRequired: {
    'zh-CN': '请求较多，请稍候再试',
    en: 'Too many requests right now, please try again',
  },
  WrongCredentials: { 'zh-CN': '手机号或密码错误', en: 'Wrong phone number, email or password' },
  WrongVerificationCode: { 'zh-CN': '验证码错误', en: 'Wrong verification code' },
  VerificationCodeExpired: { 'zh-CN': '验证码已过期', en: 'The verification code has expired' },
  VerificationCodeUsedUp: {
    'zh-CN': '验证码已失效，请重新获取',
    en: 'The verification code is no longer valid, please request a new one',
  },
  PhoneAlreadyRegistered: { 'zh-CN': '该手机号已注册', en: 'This phone number or email is already registered' },
  AccountDisabled: { 'zh-CN': '账号已停用，请联系客服', en: 'This account is disabled, please contact support' },
  UnknownInviteCode: { 'zh-CN': '邀请码无效', en: 'Unknown invite code' },
  WeakPassword: {
    'zh-CN': '密码需为 8 至 32 个字符，且不能过于简单',
    en: 'The password needs 8 to 32 characters and must not be a common one',
  },
  SmsNotSent: {
    'zh-CN': '验证码未能发出，请一分钟后再试',
    en: 'The code could not be sent, please try again in a minute',
  },
  AccountHasBalance: {
    'zh-CN': '钱包还有余额，请先用完，或联系客服原路退回后再注销',
    en: 'The wallet is not empty: spend the balance, or have support pay it back, and then close the account',
  },
  AccountHasOpenMatters: {
    'zh-CN': '还有未完结的订单、充值、退款或争议，完结后才能注销',
    en: 'Orders, top-ups, refunds or disputes are still open; the account can be closed when they have ended',
  },
  GoodsUnavailable: { 'zh-CN': '商品已下架', en: 'This product is no longer available' },
  CurrencyNotOffered: { 'zh-CN': '暂不支持该币种', en: 'This currency is not offered' },
  OutOfStock: { 'zh-CN': '库存不足', en: 'Out of stock' },
  QuantityNotAllowed: { 'zh-CN': '购买数量超出限制', en: 'This quantity is not allowed' },
  PurchaseLimitReached: {
    'zh-CN': '已达到该商品的购买上限',
    en: 'You have reached the purchase limit for this product',
  },
  TooManyFavourites: {
    'zh-CN': '收藏已满，请先移除一些',
    en: 'Your favourites are full. Remove some first.',
  },
  GameAccountNotVerified: { 'zh-CN': '游戏账号校验失败', en: 'The game account could not be verified' },
  SupplierUnavailable: { 'zh-CN': '供应商暂时不可用', en: 'The supplier is unavailable at the moment' },
  OrderNotFound: { 'zh-CN': '订单不存在', en: 'Order not found' },
  PriceChanged: { 'zh-CN': '价格已变动，请重新确认', en: 'The price has changed, please confirm again' },
  TooManyUnpaidOrders: {
    'zh-CN': '待付款订单过多，请先付款或取消',
    en: 'Too many unpaid orders, please pay or cancel some first',
  },
  WrongOrderState: {
    'zh-CN': '订单状态已变化，无法进行此操作',
    en: 'The order has changed, so this is no longer possible',
  },
  OrderClosed: { 'zh-CN': '订单已关闭', en: 'The order is closed' },
  SupplierRequestOpen: {
    'zh-CN': '供应商尚未答复，暂不能退款',
    en: 'The supplier has not answered yet, so the order cannot be refunded now',
  },
  RefundTooLarge: { 'zh-CN': '退款金额超出可退范围', en: 'This is more than can still be refunded' },
  OrderDisputed: {
    'zh-CN': '该订单的付款存在争议，处理完成前无法操作',
    en: 'The payment of this order is disputed; please wait until that is settled',
  },
  VerificationRequired: { 'zh-CN': '请先验证身份再查看卡密', en: 'Please confirm that it is you to see the codes' },
  CouponNotFound: { 'zh-CN': '优惠券不存在', en: 'Coupon not found' },
  CouponAlreadyReceived: { 'zh-CN': '你已领取过该优惠券', en: 'You have already claimed this coupon' },
  NoCouponsLeft: { 'zh-CN': '优惠券已被领完', en: 'No coupons are left' },
  CouponNotValidNow: { 'zh-CN': '不在优惠券有效期内', en: 'The coupon is not valid at this time' },
  CouponMinimumNotMet: { 'zh-CN': '未达到优惠券使用门槛', en: 'The order is below the coupon’s minimum' },
  CouponNotForGoods: { 'zh-CN': '优惠券不适用于该商品', en: 'The coupon does not apply to this product' },
  CouponUsedOrExpired: { 'zh-CN': '优惠券已使用或已失效', en: 'The coupon is used or no longer valid' },
  CouponCurrencyMismatch: { 'zh-CN': '优惠券不适用于该币种', en: 'The coupon is for another currency' },
  CouponInUnpaidOrder: {
    'zh-CN': '已用于一笔待付款订单，取消该订单后可用',
    en: 'An unpaid order uses this coupon. Cancel that order to use it here.',
  },
  BalanceTooLow: { 'zh-CN': '余额不足', en: 'The balance is too low' },
  WalletFrozen: { 'zh-CN': '钱包已冻结，请联系客服', en: 'The wallet is frozen, please contact support' },
  WalletProofRequired: {
    'zh-CN': '请先验证身份，再用余额付款',
    en: 'Please confirm that it is you before you pay from the wallet',
  },
  PaymentMethodUnavailable: { 'zh-CN': '该支付方式暂不可用', en: 'This payment method is not available' },
  PaidAmountMismatch: { 'zh-CN': '付款金额不一致', en: 'The amount paid does not match' },
  RechargeAmountNotAllowed: { 'zh-CN': '充值金额超出限制', en: 'This top-up amount is not allowed' },
  TooManyOpenRecharges: {
    'zh-CN': '待付款的充值过多，请先付款或稍后再试',
    en: 'Too many unpaid top-ups, please pay one or try again later',
  },
  InternalError: { 'zh-CN': '服务异常，请稍后再试', en: 'Something went wrong, please try again later' },
  ServiceBusy: {
    'zh-CN': '当前访问人数较多，请稍后再试',
    en: 'The shop is very busy right now, please try again in a moment',
  },
};
