/** Codes of /staff and their texts. They are separate from error-codes.ts, because no page of the shop needs them. */
import type { Language } from './';

export const StaffErrorCode = {
  /** The same code for a wrong name, password or code, so that the answer reveals nothing. */
  StaffSignInRefused: 46001,
  StaffNameTaken: 46002,
  StaffWeakPassword: 46003,
  /** The last manager who can sign in must stay a manager. */
  LastManager: 46004,
  StaffWrongPassword: 46005,
  /** The same code for a one-time address that is unknown, used, replaced or expired. */
  StaffInvitationRefused: 46006,
  StaffWrongCode: 46007,
  /** The session has proved no code of the authenticator app for five minutes. */
  FreshCodeNeeded: 46008,
  /** With data `{by}`. */
  OrderTaken: 46010,
  /** The claim has expired, or another staff member has the order. */
  OrderNotTaken: 46011,
  /** With data `{lines}`: codes that are already in stock. */
  CodesKnown: 46012,
  /** With data `{first, times}`. */
  CodesRevealed: 46013,
  NoCodesForGoods: 46014,
  /** A refund of the order waits for approval by a second staff member. */
  RefundWaits: 46020,
  SecondPersonNeeded: 46021,
  /** Another staff member has changed it since; with data `{value, revision, by, at}` of the current value, for an order without. */
  EditConflict: 46030,
  /** This entry of the history cannot be restored. */
  EditNotRestorable: 46031,
  NotAPicture: 46032,
  /** A claimed coupon keeps its terms. */
  CouponClaimed: 46040,
  /** With data `{claimed}`. */
  CouponTotalTooSmall: 46041,
  CouponCodeTaken: 46042,
  UnknownGoods: 46043,
  ArticleAddress: 46044,
  /** The shop needs this article. */
  ArticleNeeded: 46045,
  LinkLeadsNowhere: 46046,
  WrongDays: 46060,
  /** With data `{most}`. */
  TooManyCodes: 46070,
  /** With data `{faults}`: the faults by line. */
  CodesNotTaken: 46071,
  /** With data `{lines}`: numbers of codes that the shop has with another password. */
  NumbersKnown: 46073,
  /** With data `{ids}`: sold, or reserved by an unpaid order. */
  CodesNotFree: 46072,
} as const;
export type StaffErrorName = keyof typeof StaffErrorCode;
export type StaffErrorCode = (typeof StaffErrorCode)[StaffErrorName];

export const staffErrorTexts: Record<StaffErrorName, Record<Language, string>> = {
  StaffSignInRefused: { 'zh-CN': '姓名、密码或动态码不正确', en: 'Wrong name, password or code' },
  StaffNameTaken: { 'zh-CN': '这个姓名已被使用', en: 'Somebody has this name already' },
  StaffWeakPassword: {
    'zh-CN': '密码需为 12 至 64 个字符，不能容易被猜到，也不能包含你的姓名或店名',
    en: 'The password needs 12 to 64 characters, must not be easy to guess, and must not contain your name or the shop’s',
  },
  StaffInvitationRefused: {
    'zh-CN': '这个一次性地址已失效，请向店长或管理员要一个新的',
    en: 'This one-time address is no longer valid. Ask a manager, or the operators of the shop, for a new one',
  },
  FreshCodeNeeded: {
    'zh-CN': '请输入验证器中的验证码以继续',
    en: 'Enter a code of your authenticator app to continue',
  },
  StaffWrongCode: {
    'zh-CN': '动态码不正确，请核对身份验证器应用里的数字',
    en: 'Wrong code: compare it with the digits in your authenticator app',
  },
  StaffWrongPassword: { 'zh-CN': '当前密码不正确', en: 'The current password is wrong' },
  OrderTaken: { 'zh-CN': '订单正由其他人处理', en: 'Somebody else works on this order' },
  OrderNotTaken: { 'zh-CN': '请先领取订单，或重新领取', en: 'Take the order first, or take it again' },
  CodesKnown: {
    'zh-CN': '有卡密已在系统中，未发货',
    en: 'The shop has some of these codes already; nothing was delivered',
  },
  CodesRevealed: {
    'zh-CN': '买家已查看过卡密，确认后才能退款',
    en: 'The buyer has seen the codes; confirm to refund anyway',
  },
  RefundWaits: { 'zh-CN': '该订单有退款等待第二人确认', en: 'A refund of this order waits for a second staff member' },
  SecondPersonNeeded: { 'zh-CN': '需要另一位同事确认', en: 'Somebody else has to agree to this' },
  WrongDays: { 'zh-CN': '请选择 1 至 92 天的日期范围', en: 'Choose a span of 1 to 92 days' },
  NoCodesForGoods: {
    'zh-CN': '该商品没有规格，只能填写备注发货',
    en: 'This product has no specifications: deliver it with a note',
  },
  EditConflict: {
    'zh-CN': '你编辑期间，其他人已保存了修改，请核对差异后再保存',
    en: 'Somebody else has saved changes since you began; look at the difference, then save again',
  },
  EditNotRestorable: {
    'zh-CN': '这一步无法恢复',
    en: 'This step cannot be put back',
  },
  NotAPicture: {
    'zh-CN': '图片无法读取，请使用 JPEG、PNG、WebP 或 GIF 格式，不超过 2500 万像素',
    en: 'This picture cannot be read: use JPEG, PNG, WebP or GIF of up to 25 million pixels',
  },
  CouponClaimed: {
    'zh-CN': '已有人领取，优惠内容不能再改。可以结束这张券，另建一张',
    en: 'Somebody has claimed this coupon, so its terms stay. End it and make another one',
  },
  CouponTotalTooSmall: { 'zh-CN': '数量不能少于已领取的张数', en: 'More coupons than that have been claimed' },
  CouponCodeTaken: { 'zh-CN': '这个兑换码已被其他优惠券使用', en: 'Another coupon has this code' },
  ArticleAddress: {
    'zh-CN': '文章地址只能用小写字母、数字和连字符',
    en: 'The address of an article takes small letters, digits and hyphens',
  },
  ArticleNeeded: {
    'zh-CN': '用户协议、隐私政策等文章必须一直显示，不能隐藏或限时',
    en: 'The shop needs this article all the time: it cannot be hidden or scheduled',
  },
  LinkLeadsNowhere: { 'zh-CN': '链接的目标不存在', en: 'The link leads to nothing in the shop' },
  UnknownGoods: { 'zh-CN': '有商品不存在', en: 'One of the products does not exist' },
  TooManyCodes: {
    'zh-CN': '一次最多导入 5000 行，请分批导入',
    en: 'At most 5,000 lines at once: import them in parts',
  },
  CodesNotTaken: {
    'zh-CN': '卡密有误，没有导入',
    en: 'Some lines are wrong; nothing was imported',
  },
  NumbersKnown: {
    'zh-CN': '有卡号已在系统中，但密码或写法不同，未发货',
    en: 'The shop has some of these numbers with another password or spelling; nothing was delivered',
  },
  CodesNotFree: {
    'zh-CN': '有卡密已售出或被订单占用，没有作废',
    en: 'Some of these codes are sold or held by an order; none was voided',
  },
  LastManager: { 'zh-CN': '至少要保留一位店长', en: 'At least one manager has to stay' },
};
