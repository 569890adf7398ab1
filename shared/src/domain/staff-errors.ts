/** Codes of /staff and their texts. They are separate from error-codes.ts, because no page of the shop needs them. */
import type { TextPair } from './error-texts';

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
  /** Too many to add up in the time of a read. */
  TooManyOrders: 46061,
  /** With data `{most}`. */
  TooManyCodes: 46070,
  /** With data `{faults}`: the faults by line. */
  CodesNotTaken: 46071,
  /** With data `{lines}`: numbers of codes that the shop has with another password. */
  NumbersKnown: 46073,
  /** With data `{ids}`: sold, or reserved by an unpaid order. */
  CodesNotFree: 46072,
  /** All codes of the batch are sold, reserved or voided. */
  NothingUnsold: 46074,
} as const;
export type StaffErrorName = keyof typeof StaffErrorCode;
export type StaffErrorCode = (typeof StaffErrorCode)[StaffErrorName];

export const staffErrorTexts: Record<StaffErrorName, TextPair> = {
  StaffSignInRefused: ['姓名、密码或动态码不正确', 'Wrong name, password or code'],
  StaffNameTaken: ['这个姓名已被使用', 'Somebody has this name already'],
  StaffWeakPassword: [
    '密码需为 12 至 64 个字符，不能容易被猜到，也不能包含你的姓名或店名',
    'The password needs 12 to 64 characters, must not be easy to guess, and must not contain your name or the shop’s',
  ],
  StaffInvitationRefused: [
    '这个一次性地址已失效，请向店长或管理员要一个新的',
    'This one-time address is no longer valid. Ask a manager, or the operators of the shop, for a new one',
  ],
  FreshCodeNeeded: ['请输入验证器中的验证码以继续', 'Enter a code of your authenticator app to continue'],
  StaffWrongCode: [
    '动态码不正确，请核对身份验证器应用里的数字',
    'Wrong code: compare it with the digits in your authenticator app',
  ],
  StaffWrongPassword: ['当前密码不正确', 'The current password is wrong'],
  OrderTaken: ['订单正由其他人处理', 'Somebody else works on this order'],
  OrderNotTaken: ['请先领取订单，或重新领取', 'Take the order first, or take it again'],
  CodesKnown: ['有卡密已在系统中，未发货', 'The shop has some of these codes already; nothing was delivered'],
  CodesRevealed: ['买家已查看过卡密，确认后才能退款', 'The buyer has seen the codes; confirm to refund anyway'],
  RefundWaits: ['该订单有退款等待第二人确认', 'A refund of this order waits for a second staff member'],
  SecondPersonNeeded: ['需要另一位同事确认', 'Somebody else has to agree to this'],
  WrongDays: ['请选择 1 至 92 天的日期范围', 'Choose a span of 1 to 92 days'],
  TooManyOrders: [
    '订单过多，无法及时汇总，请缩短时间范围或增加条件',
    'These are too many orders to add up: choose a shorter period or more conditions',
  ],
  NoCodesForGoods: ['该商品没有规格，只能填写备注发货', 'This product has no specifications: deliver it with a note'],
  EditConflict: [
    '你编辑期间，其他人已保存了修改，请核对差异后再保存',
    'Somebody else has saved changes since you began; look at the difference, then save again',
  ],
  EditNotRestorable: ['这一步无法恢复', 'This step cannot be put back'],
  NotAPicture: [
    '图片无法读取，请使用 JPEG、PNG、WebP 或 GIF 格式，不超过 2500 万像素',
    'This picture cannot be read: use JPEG, PNG, WebP or GIF of up to 25 million pixels',
  ],
  CouponClaimed: [
    '已有人领取，优惠内容不能再改。可以结束这张券，另建一张',
    'Somebody has claimed this coupon, so its terms stay. End it and make another one',
  ],
  CouponTotalTooSmall: ['数量不能少于已领取的张数', 'More coupons than that have been claimed'],
  CouponCodeTaken: ['这个兑换码已被其他优惠券使用', 'Another coupon has this code'],
  ArticleAddress: [
    '文章地址只能用小写字母、数字和连字符',
    'The address of an article takes small letters, digits and hyphens',
  ],
  ArticleNeeded: [
    '用户协议、隐私政策等文章必须一直显示，不能隐藏或限时',
    'The shop needs this article all the time: it cannot be hidden or scheduled',
  ],
  LinkLeadsNowhere: ['链接的目标不存在', 'The link leads to nothing in the shop'],
  UnknownGoods: ['有商品不存在', 'One of the products does not exist'],
  TooManyCodes: ['一次最多导入 5000 行，请分批导入', 'At most 5,000 lines at once: import them in parts'],
  CodesNotTaken: ['卡密有误，没有导入', 'Some lines are wrong; nothing was imported'],
  NumbersKnown: [
    '有卡号已在系统中，但密码或写法不同，未发货',
    'The shop has some of these numbers with another password or spelling; nothing was delivered',
  ],
  CodesNotFree: [
    '有卡密已售出或被订单占用，没有作废',
    'Some of these codes are sold or held by an order; none was voided',
  ],
  NothingUnsold: ['这一批已没有未售的卡密', 'This batch has no unsold codes'],
  LastManager: ['至少要保留一位店长', 'At least one manager has to stay'],
};
