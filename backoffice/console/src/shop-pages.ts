/** The pages of what the shop sells and shows, in one file: they are made of the same parts, and whoever opens one opens others. */

export { CouponsPage } from './catalogue/coupons-page';
export { GoodsPage } from './catalogue/goods-page';
export { LevelsPage } from './catalogue/levels-page';
export { StockPage } from './catalogue/stock-page';
export { ArticlesPage } from './shop/articles-page';
export { HomePage } from './shop/home-page';
