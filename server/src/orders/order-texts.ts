import { textOf } from '../platform/http/localised-text';
import { formatAmount } from '../platform/http/money';
import type { Currency, Locale } from '../platform/http/schemas';
import type { PricePart } from './order-row';

const texts: Record<string, readonly [zh: string, en: string]> = {
  created: ['订单已创建', 'Order placed'],
  paid: ['付款成功', 'Paid'],
  paid_late: [
    '付款到账时订单已不可付款，款项已转入钱包',
    'Your payment arrived when the order could no longer be paid; it is in your wallet',
  ],
  held: ['正在核查付款', 'Checking the payment'],
  released: ['付款核查完成', 'Payment checked'],
  risk: ['付款核查未通过', 'The payment didn’t pass our check'],
  delivered: ['已交付', 'Delivered'],
  closed_1: ['超时未付款，订单已关闭', 'Closed: not paid in time'],
  closed_2: ['你取消了订单', 'You cancelled the order'],
  closed_3: ['为保护账号安全，订单已关闭', 'Closed to protect your account'],
  supplier: ['充值已提交', 'Top-up in progress'],
  asked: ['客服有问题需要你确认', 'We have a question about your order'],
  answered: ['你已回复客服', 'You answered our question'],
  answer: ['买家回复', 'Answer'],
  refund_requested: ['已申请退款', 'Refund requested'],
  refund_refused: ['退款申请未通过', 'Refund refused'],
  refunded: ['已退款至钱包', 'Refunded to your wallet'],
  refunded_source: ['已原路退款', 'Refunded to your original payment method'],
  refunded_part: ['部分退款至钱包', 'Partly refunded to your wallet'],
  refunded_part_source: ['部分款项已原路退回', 'Partly refunded to your original payment method'],
  refund_returned: ['原路退款未成功，款项已转入钱包', 'The refund couldn’t be paid out; it is in your wallet'],
  disputed: ['付款存在争议，订单已暂停', 'The payment is disputed; the order is on hold'],
  dispute_won: ['付款争议已解决，订单恢复', 'The payment dispute has ended; the order goes on'],
  dispute_lost: ['付款争议已结束，款项已退回付款方', 'The payment dispute has ended; the money went back to the payer'],
  goods: ['商品金额', 'Subtotal'],
  coupon: ['优惠券', 'Coupon'],
  total: ['应付金额', 'To pay'],
  balance: ['钱包余额', 'Wallet balance'],
  recharge: ['余额充值', 'Wallet top-up'],
  wechat: ['微信支付', 'WeChat Pay'],
  alipay: ['支付宝', 'Alipay'],
  stripe: ['银行卡支付', 'Card'],
  sandbox: ['在线支付（沙箱）', 'Online payment (sandbox)'],
};

/** Reason of a refund after review, as the order and the wallet log store it; a key of the texts. */
export const RISK_REASON = 'risk';

export function orderText(key: string, locale: Locale): string {
  return texts[key]?.[locale === 'en' ? 1 : 0] ?? key;
}

/** Kinds of events whose note is an amount in minor units. */
export const amountKinds = ['refunded_part', 'refunded_part_source', 'refund_returned', 'paid_late'];

export function eventText(kind: string, note: string, currency: Currency, locale: Locale): string {
  const text = orderText(kind === 'closed' ? `closed_${note}` : kind, locale);
  if (kind === 'asked') return `${text}${locale === 'en' ? ': ' : '：'}${note}`;
  return amountKinds.includes(kind) ? `${text} ${formatAmount(Number(note), currency)}` : text;
}

export function partLabel(part: PricePart, locale: Locale): string {
  if (part.kind === 'level') return textOf(part.name, locale);
  return locale === 'en' ? `${part.from} or more` : `满 ${part.from} 件`;
}
