import { pairTexts } from '../pair-texts';

const kindTexts = {
  session: ['登录', 'Sign-ins'],
  order: ['订单', 'Orders'],
  refund: ['退款审批', 'Refund approvals'],
  user: ['买家资料', 'Buyers'],
  staff: ['店员账号', 'Staff accounts'],
  goods: ['商品', 'Products'],
  prices: ['价格表', 'Price lists'],
  codes: ['卡密', 'Codes'],
  stock: ['库存', 'Stock'],
  supplier: ['供应商', 'Suppliers'],
  coupon: ['优惠券', 'Coupons'],
  hold: ['核查规则', 'Rules of checks'],
  invitation: ['邀请', 'Invitations'],
  article: ['文章', 'Articles'],
  banner: ['轮播图', 'Banners'],
  module: ['首页模块', 'Home page'],
  enquiry: ['咨询', 'Enquiries'],
  audit: ['查看本记录', 'Views of this log'],
  wallet: ['钱包', 'Wallets'],
  payment: ['付款', 'Payments'],
  account: ['买家账号', 'Buyers’ accounts'],
  closure: ['等待注销的账号', 'Accounts being closed'],
  config: ['商店设置', 'Shop settings'],
  release: ['发布', 'Releases'],
  chat: ['群通知', 'Group chats'],
  level: ['会员等级', 'Customer levels'],
  keys: ['密钥轮换', 'Key rotation'],
} as const;

export const kinds = Object.keys(kindTexts) as Array<keyof typeof kindTexts>;

export const { useTexts } = pairTexts('staff-audit', {
  user: ['人员', 'Staff member'],
  everybody: ['全部人员', 'Everyone'],
  kind: ['类别', 'Kind'],
  all: ['全部类别', 'All kinds'],
  none: ['没有符合条件的记录', 'No matching entries'],
  more: ['更早的记录', 'Older entries'],
  notShown: ['还有 {{count}} 项未显示', '{{count}} more not shown', '1 more not shown'],
  buyer: ['相关买家', 'Buyer'],
  kinds: kindTexts,
});
