/** The shop's addresses; the remote.json files declare them. */
export const openRoutes = [
  '/home',
  '/goods',
  '/goods/1',
  '/goods/2',
  '/search',
  '/article/agreement',
  '/article/guide',
  '/article/privacy',
  '/business',
  '/youxi',
  '/invite',
  '/403',
  '/404',
] as const;

export const guardedRoutes = [
  '/user',
  '/user/wallet',
  '/user/coupon',
  '/user/favourite',
  '/user/invite',
  '/user/recharge',
  '/user/log',
  '/user/password',
  '/user/notices',
  '/user/sessions',
  '/user/setting',
  '/order',
  '/order/notices',
] as const;
