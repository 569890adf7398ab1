export interface MeasuredRoute {
  path: string;
  signedIn?: boolean;
  /** Selector of content that comes with the page's data. */
  content: string;
}

export const routes: readonly MeasuredRoute[] = [
  { path: '/home', content: 'main section.catalog-module' },
  { path: '/goods', content: 'main a[href^="/goods/"]' },
  { path: '/goods/1', content: 'main .catalog-hero' },
  { path: '/search', content: 'main .catalog-words button' },
  { path: '/article/privacy', content: 'main .content-article__text' },
  { path: '/business', content: 'main .content-business__lead' },
  { path: '/youxi', content: '.content-youxi main a' },
  { path: '/user/wallet', signedIn: true, content: 'main .account-card__amount' },
  { path: '/order', signedIn: true, content: 'main a[href^="/order/detail/"]' },
  { path: '/order/detail/:id', signedIn: true, content: 'main .orders-facts__row' },
  { path: '/user', signedIn: true, content: 'main .account-card__amount' },
];
