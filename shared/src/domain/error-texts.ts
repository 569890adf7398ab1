import type { Language } from './';
import { both } from './both';
import type { ErrorName } from './error-codes';

export const successText: Record<Language, string> = { 'zh-CN': '成功', en: 'OK' };

export const errorTexts: Record<ErrorName, Record<Language, string>> = {
  Unauthorized: both('登录已失效，请重新登录', 'Your session has ended, please sign in again'),
  Forbidden: both('没有访问权限', 'You are not allowed to do this'),
  NotFound: both('内容不存在或已删除', 'Not found'),
  PayloadTooLarge: both('提交的内容过大', 'The request is too large'),
  UnsupportedMediaType: both('不支持的内容类型', 'This content type is not supported'),
  InvalidInput: both('填写的信息有误', 'Some of the information is wrong'),
  RequestInProgress: both('请求正在处理中，请稍候', 'This request is still being processed'),
  IdempotencyKeyReused: both(
    '重复提交的内容不一致，请刷新后再试',
    'This was sent before with other details, please refresh and try again',
  ),
  TooManyRequests: both('操作过于频繁，请稍后再试', 'Too many attempts, please try again later'),
  ChallengeRequired: both('请求较多，请稍候再试', 'Too many requests right now, please try again'),
  WrongCredentials: both('手机号或密码错误', 'Wrong phone number, email or password'),
  WrongVerificationCode: both('验证码错误', 'Wrong verification code'),
  VerificationCodeExpired: both('验证码已过期', 'The verification code has expired'),
  VerificationCodeUsedUp: both(
    '验证码已失效，请重新获取',
    'The verification code is no longer valid, please request a new one',
  ),
  PhoneAlreadyRegistered: both('该手机号已注册', 'This phone number or email is already registered'),
  AccountDisabled: both('账号已停用，请联系客服', 'This account is disabled, please contact support'),
  UnknownInviteCode: both('邀请码无效', 'Unknown invite code'),
  WeakPassword: both(
    '密码需为 8 至 32 个字符，且不能过于简单',
    'The password needs 8 to 32 characters and must not be a common one',
  ),
  SmsNotSent: both('验证码未能发出，请一分钟后再试', 'The code could not be sent, please try again in a minute'),
  AccountHasBalance: both(
    '钱包还有余额，请先用完，或联系客服原路退回后再注销',
    'The wallet is not empty: spend the balance, or have support pay it back, and then close the account',
  ),
  AccountHasOpenMatters: both(
    '还有未完结的订单、充值、退款或争议，完结后才能注销',
    'Orders, top-ups, refunds or disputes are still open; the account can be closed when they have ended',
  ),
  GoodsUnavailable: both('商品已下架', 'This product is no longer available'),
  CurrencyNotOffered: both('暂不支持该币种', 'This currency is not offered'),
  OutOfStock: both('库存不足', 'Out of stock'),
  QuantityNotAllowed: both('购买数量超出限制', 'This quantity is not allowed'),
  PurchaseLimitReached: both('已达到该商品的购买上限', 'You have reached the purchase limit for this product'),
  TooManyFavourites: both('收藏已满，请先移除一些', 'Your favourites are full. Remove some first.'),
  GameAccountNotVerified: both('游戏账号校验失败', 'The game account could not be verified'),
  SupplierUnavailable: both('供应商暂时不可用', 'The supplier is unavailable at the moment'),
  OrderNotFound: both('订单不存在', 'Order not found'),
  PriceChanged: both('价格已变动，请重新确认', 'The price has changed, please confirm again'),
  TooManyUnpaidOrders: both(
    '待付款订单过多，请先付款或取消',
    'Too many unpaid orders, please pay or cancel some first',
  ),
  WrongOrderState: both('订单状态已变化，无法进行此操作', 'The order has changed, so this is no longer possible'),
  OrderClosed: both('订单已关闭', 'The order is closed'),
  SupplierRequestOpen: both(
    '供应商尚未答复，暂不能退款',
    'The supplier has not answered yet, so the order cannot be refunded now',
  ),
  RefundTooLarge: both('退款金额超出可退范围', 'This is more than can still be refunded'),
  OrderDisputed: both(
    '该订单的付款存在争议，处理完成前无法操作',
    'The payment of this order is disputed; please wait until that is settled',
  ),
  VerificationRequired: both('请先验证身份再查看卡密', 'Please confirm that it is you to see the codes'),
  CouponNotFound: both('优惠券不存在', 'Coupon not found'),
  CouponAlreadyReceived: both('你已领取过该优惠券', 'You have already claimed this coupon'),
  NoCouponsLeft: both('优惠券已被领完', 'No coupons are left'),
  CouponNotValidNow: both('不在优惠券有效期内', 'The coupon is not valid at this time'),
  CouponMinimumNotMet: both('未达到优惠券使用门槛', 'The order is below the coupon’s minimum'),
  CouponNotForGoods: both('优惠券不适用于该商品', 'The coupon does not apply to this product'),
  CouponUsedOrExpired: both('优惠券已使用或已失效', 'The coupon is used or no longer valid'),
  CouponCurrencyMismatch: both('优惠券不适用于该币种', 'The coupon is for another currency'),
  CouponInUnpaidOrder: both(
    '已用于一笔待付款订单，取消该订单后可用',
    'An unpaid order uses this coupon. Cancel that order to use it here.',
  ),
  BalanceTooLow: both('余额不足', 'The balance is too low'),
  WalletFrozen: both('钱包已冻结，请联系客服', 'The wallet is frozen, please contact support'),
  WalletProofRequired: both(
    '请先验证身份，再用余额付款',
    'Please confirm that it is you before you pay from the wallet',
  ),
  PaymentMethodUnavailable: both('该支付方式暂不可用', 'This payment method is not available'),
  PaidAmountMismatch: both('付款金额不一致', 'The amount paid does not match'),
  RechargeAmountNotAllowed: both('充值金额超出限制', 'This top-up amount is not allowed'),
  TooManyOpenRecharges: both(
    '待付款的充值过多，请先付款或稍后再试',
    'Too many unpaid top-ups, please pay one or try again later',
  ),
  InternalError: both('服务异常，请稍后再试', 'Something went wrong, please try again later'),
  ServiceBusy: both('当前访问人数较多，请稍后再试', 'The shop is very busy right now, please try again in a moment'),
};
