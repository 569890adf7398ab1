/**
 * The words of the interface: one word for one thing in each language. `scripts/texts.test.ts` refuses the other words, in any of their
 * forms, in every text of the shop, its server and its seed data.
 */
interface InterfaceWord {
  zh: string;
  en: string;
  meaning?: string;
  refused: string[];
}

export const interfaceWords: InterfaceWord[] = [
  { zh: '商品', en: 'product', meaning: 'what the shop sells; in code: goods', refused: ['货品', 'goods'] },
  { zh: '面值', en: 'value', meaning: 'one of the amounts a product is sold in', refused: ['denomination'] },
  { zh: '卡密', en: 'card code, code', meaning: 'number and password of a card', refused: ['卡券码', 'voucher code'] },
  {
    zh: '循环卡密',
    en: 'shared code',
    meaning: 'one text for all buyers of a value',
    refused: ['共享卡密', 'reusable code'],
  },
  { zh: '人工服务', en: 'manual service', meaning: 'staff complete the order by hand', refused: [] },
  { zh: '直充', en: 'direct top-up', meaning: 'a supplier tops the account up', refused: ['direct recharge'] },
  {
    zh: '代充',
    en: 'we top up for you; assisted top-up among staff and in articles',
    meaning: 'staff top the account up',
    refused: ['代练', 'proxy top-up'],
  },
  {
    zh: '充值',
    en: 'top up, top-up',
    meaning: 'money into the wallet, or units into a game account',
    refused: ['储值', 'recharge'],
  },
  {
    zh: '钱包余额',
    en: 'wallet balance',
    meaning: "the shopper's money here",
    refused: ['账户余额', 'account balance'],
  },
  {
    zh: '账号',
    en: 'account',
    meaning: 'an identity here or in a game; 账户 only where others call theirs so, as in Steam 账户',
    refused: ['帐号', '帐户'],
  },
  { zh: '个人中心', en: 'my account', meaning: 'the shopper’s own pages', refused: ['personal centre'] },
  { zh: '邮箱', en: 'email', refused: ['e-mail'] },
  { zh: '手机号', en: 'phone number', refused: ['电话号码', 'mobile number', 'cell'] },
  { zh: '验证码', en: 'verification code, code', meaning: 'six digits by text message', refused: ['校验码', 'OTP'] },
  { zh: '登录，退出登录', en: 'sign in, sign out', refused: ['登陆', '登出', 'log in', 'log out', 'login page'] },
  { zh: '注册', en: 'register', refused: ['sign up'] },
  { zh: '优惠券', en: 'coupon', refused: ['代金劵', '优惠卷', 'voucher for your order'] },
  { zh: '会员等级', en: 'level, member level', meaning: 'reached by spending, or assigned', refused: ['VIP 等级'] },
  { zh: '数量优惠', en: 'quantity discount', meaning: '“10 or more: ¥4.50”', refused: ['阶梯价', 'bulk discount'] },
  { zh: '领取', en: 'claim', meaning: 'take a coupon that is offered', refused: ['receive the coupon'] },
  { zh: '兑换', en: 'redeem', meaning: 'use a code', refused: [] },
  { zh: '订单', en: 'order', refused: ['定单'] },
  {
    zh: '付款',
    en: 'pay',
    meaning: 'an action of the shopper; 支付 only in names: 支付方式, 在线支付, 微信支付',
    refused: ['未支付', '支付成功', '重新支付', '放弃支付'],
  },
  { zh: '全额退款', en: 'full refund', refused: ['money back'] },
  {
    zh: '付款核查',
    en: 'check of a payment',
    meaning: 'before a paid order is delivered',
    refused: ['风控', '审核订单', 'fraud check'],
  },
  { zh: '邀请码', en: 'invite code', refused: ['推荐码', 'invitation code'] },
  {
    zh: '待付款，处理中，已完成，已退款，已关闭',
    en: 'unpaid, processing, finished, refunded, closed',
    meaning: 'the states of an order',
    refused: [],
  },
  { zh: '再次购买', en: 'buy again', meaning: 'a new order of the same', refused: ['再来一单', 'reorder'] },
  { zh: '收藏', en: 'favourite', refused: ['心愿单', 'favorite', 'wishlist'] },
  { zh: '订单通知', en: 'notice', meaning: 'news of an order', refused: ['消息中心', 'notification'] },
  {
    zh: '通知设置',
    en: 'notice settings',
    meaning: 'choices for email and push',
    refused: ['消息设置', 'notification settings'],
  },
  {
    zh: '到货提醒',
    en: 'tell me when it is back',
    meaning: 'for a value that is sold out',
    refused: ['补货通知', 'restock alert'],
  },
  { zh: '收据', en: 'receipt', meaning: 'for the shopper’s records; not an invoice', refused: ['小票'] },
  { zh: '使用方法', en: 'how to redeem', meaning: 'where and how to redeem', refused: ['兑换教程'] },
  { zh: '客服', en: 'support', refused: ['售后客服', 'customer service'] },
  { zh: '隐私政策', en: 'privacy policy', refused: ['隐私协议', 'privacy notice'] },
];
