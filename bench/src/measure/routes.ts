import type { Expectation } from './page-probe';

export interface MeasuredRoute {
  path: string;
  signedIn?: boolean;
  ready: Expectation[];
}

export const routes: readonly MeasuredRoute[] = [
  {
    path: '/home',
    ready: [
      { selector: 'main .catalog-banner', atLeast: 1 },
      { selector: 'main section.catalog-module', atLeast: 3 },
    ],
  },
  { path: '/goods', ready: [{ selector: 'main a[href^="/goods/"]', atLeast: 10 }] },
  {
    path: '/goods/1',
    ready: [
      { selector: 'main .catalog-hero', atLeast: 1 },
      { selector: 'main button', atLeast: 3 },
    ],
  },
  {
    path: '/search',
    ready: [
      { selector: 'main .catalog-search input', atLeast: 1 },
      { selector: 'main a[href^="/goods/"]', atLeast: 10 },
    ],
  },
  { path: '/article/privacy', ready: [{ selector: 'main .content-article__text', atLeast: 1 }] },
  { path: '/business', ready: [{ selector: 'main .content-business__way', atLeast: 2 }] },
  { path: '/youxi', ready: [{ selector: '.content-youxi main a', atLeast: 2 }] },
  { path: '/user/wallet', signedIn: true, ready: [{ selector: 'main .account-card__amount', atLeast: 1 }] },
  { path: '/order', signedIn: true, ready: [{ selector: 'main a[href^="/order/detail/"]', atLeast: 3 }] },
  {
    path: '/order/detail/:id',
    signedIn: true,
    ready: [
      { selector: 'main .orders-goods', atLeast: 1 },
      { selector: 'main .orders-facts__row', atLeast: 3 },
    ],
  },
  {
    path: '/user',
    signedIn: true,
    ready: [
      { selector: 'main .account-card__amount', atLeast: 1 },
      { selector: 'main .account-entry', atLeast: 4 },
    ],
  },
];
