// Written by `npm run pages` from each remote.json; npm run check keeps it so.

declare module './index' {
  interface Pages {
    agreement: { path: '/article/agreement'; query: never };
    article: { path: '/article/:id'; query: never };
    business: { path: '/business'; query: never };
    coupon: { path: '/user/coupon'; query: never };
    favourite: { path: '/user/favourite'; query: never };
    'goods-detail': { path: '/goods/:id'; query: 'spec_id' | 'custom_value' | 'quantity' };
    'goods-list': {
      path: '/goods';
      query: 'keyword' | 'letter' | 'category' | 'category_id' | 'recharge_type' | 'sort';
    };
    guide: { path: '/article/guide'; query: never };
    home: { path: '/home'; query: never };
    invitation: { path: '/invite'; query: never };
    invite: { path: '/user/invite'; query: never };
    log: { path: '/user/log'; query: 'type' };
    'notice-settings': { path: '/user/notices'; query: never };
    notices: { path: '/order/notices'; query: never };
    'order-detail': { path: '/order/detail/:id'; query: never };
    'order-list': { path: '/order'; query: 'tab' | 'keyword' };
    password: { path: '/user/password'; query: never };
    privacy: { path: '/article/privacy'; query: never };
    receipt: { path: '/order/receipt/:id'; query: never };
    recharge: { path: '/user/recharge'; query: never };
    search: { path: '/search'; query: 'keyword' };
    sessions: { path: '/user/sessions'; query: never };
    setting: { path: '/user/setting'; query: never };
    user: { path: '/user'; query: never };
    wallet: { path: '/user/wallet'; query: never };
    youxi: { path: '/youxi'; query: never };
  }
}

export const paths: Readonly<Record<string, string>> = {
  agreement: '/article/agreement',
  article: '/article/:id',
  business: '/business',
  coupon: '/user/coupon',
  favourite: '/user/favourite',
  'goods-detail': '/goods/:id',
  'goods-list': '/goods',
  guide: '/article/guide',
  home: '/home',
  invitation: '/invite',
  invite: '/user/invite',
  log: '/user/log',
  'notice-settings': '/user/notices',
  notices: '/order/notices',
  'order-detail': '/order/detail/:id',
  'order-list': '/order',
  password: '/user/password',
  privacy: '/article/privacy',
  receipt: '/order/receipt/:id',
  recharge: '/user/recharge',
  search: '/search',
  sessions: '/user/sessions',
  setting: '/user/setting',
  user: '/user',
  wallet: '/user/wallet',
  youxi: '/youxi',
};
