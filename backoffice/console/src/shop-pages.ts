/** The pages of what the shop sells and shows, in one file: they are made of the same parts, and whoever opens one opens others. */
export { ArticlesPage } from './articles/articles-page';
export { CouponsPage } from './coupons/coupons-page';
export { GoodsPage } from './goods/goods-page';
export { HomePage } from './home/home-page';
export { LevelsPage } from './levels/levels-page';
export { StockPage } from './stock/stock-page';
