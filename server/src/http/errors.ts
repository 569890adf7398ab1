import { SHOP_SQLSTATE } from '../db/sql';
import type { FieldErrors, Locale } from './schemas';

/** The contract's codes and their messages. `{name}` is filled from the error's `fill`. */
export const messages = {
  200: ['成功', 'OK'],
  401: ['登录已失效，请重新登录', 'Your session has ended, please sign in again'],
  403: ['没有访问权限', 'You are not allowed to do this'],
  404: ['接口不存在', 'There is nothing at this address'],
  413: ['提交的内容过大', 'The request is too large'],
  415: ['不支持的内容类型', 'This content type is not supported'],
  40001: ['填写的信息有误', 'Some of the information is not right'],
  40901: ['请求正在处理中，请稍候', 'This request is still being processed'],
  40902: ['重复提交的内容不一致，请刷新后再试', 'This key was used for another request'],
  42901: ['操作过于频繁，请稍后再试', 'Too many attempts, please try again later'],
  41001: ['手机号或密码错误', 'Wrong phone number or password'],
  41002: ['验证码错误', 'Wrong verification code'],
  41003: ['验证码已过期', 'The verification code has expired'],
  41004: ['验证码已失效，请重新获取', 'The verification code is no longer valid, please request a new one'],
  41005: ['该手机号已注册', 'This phone number is already registered'],
  41006: ['账号已停用，请联系客服', 'This account is disabled, please contact support'],
  41009: ['邀请码无效', 'Unknown invitation code'],
  41010: [
    '密码需为 8 至 32 个字符，且不能过于简单',
    'The password needs 8 to 32 characters and must not be a common one',
  ],
  41011: ['短信未能发出，请一分钟后再试', 'The text message could not be sent, please try again in a minute'],
  42204: ['商品已下架', 'This product is no longer available'],
  42210: ['暂不支持该币种', 'This currency is not offered'],
  42220: ['库存不足', 'Out of stock'],
  42221: ['购买数量超出限制', 'This quantity is not allowed'],
  42222: ['已达到该商品的购买上限', 'You have reached the purchase limit of this product'],
  42230: ['游戏账号校验失败', 'The game account could not be verified'],
  42231: ['供应商暂时不可用', 'The supplier is unavailable at the moment'],
  43404: ['订单不存在', 'Order not found'],
  43010: ['价格已变动，请重新确认', 'The price has changed, please confirm again'],
  43011: ['未支付订单过多，请先支付或取消', 'Too many unpaid orders, please pay or cancel some first'],
  43020: ['订单当前状态不支持此操作', 'This is not possible in the order’s present state'],
  43021: ['订单已关闭', 'The order is closed'],
  43030: ['请先验证身份再查看卡密', 'Please verify yourself to see the codes'],
  44404: ['优惠券不存在', 'Coupon not found'],
  44001: ['您已领取过该优惠券', 'You have already received this coupon'],
  44002: ['优惠券已被领完', 'No coupons are left'],
  44003: ['不在优惠券有效期内', 'The coupon is not valid at this time'],
  44004: ['未达到优惠券使用门槛', 'The order is below the coupon’s minimum'],
  44005: ['优惠券不适用于该商品', 'The coupon does not apply to this product'],
  44006: ['优惠券已使用或已失效', 'The coupon is used or no longer valid'],
  44007: ['优惠券不适用于该币种', 'The coupon is for another currency'],
  45001: ['余额不足', 'The balance is too low'],
  45002: ['钱包已冻结，请联系客服', 'The wallet is frozen, please contact support'],
  45010: ['该支付方式暂不可用', 'This payment method is not available'],
  45011: ['支付金额不一致', 'The amount paid does not match'],
  45020: ['充值金额超出限制', 'This recharge amount is not allowed'],
  50000: ['服务异常，请稍后再试', 'Something went wrong, please try again later'],
} as const satisfies Record<number, readonly [zh: string, en: string]>;

export type ShopCode = keyof typeof messages;

export function messageOf(code: number, locale: Locale): string {
  const pair = messages[code as ShopCode] ?? messages[50000];
  return pair[locale === 'en' ? 1 : 0];
}

/** An answer of the business other than 200. */
export class ShopError extends Error {
  constructor(
    readonly code: ShopCode,
    readonly data: unknown = null,
    /** What lies behind it, for the log only. */
    cause?: unknown,
  ) {
    super(`${code} ${messages[code][1]}`, { cause });
  }
}

/** 40001 with a message for each field, already in the person's language. */
export const fieldError = (errors: FieldErrors['errors']) => new ShopError(40001, { errors } satisfies FieldErrors);

export const isShopCode = (code: number): code is ShopCode => code in messages;

/** The ShopError behind a thrown value: the value itself, or one raised by a database function. */
export function shopErrorOf(error: unknown): ShopError | undefined {
  if (error instanceof ShopError) return error;
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  if (code !== SHOP_SQLSTATE) return undefined;
  const number = Number(message);
  return isShopCode(number) ? new ShopError(number) : undefined;
}
