/** The pages of products and content in one file: they share components, and users who open one open others. */

export { CouponsPage } from './catalogue/coupons-page';
export { GoodsPage } from './catalogue/goods-page';
export { LevelsPage } from './catalogue/levels-page';
export { StockPage } from './catalogue/stock-page';
export { SuppliersPage } from './catalogue/suppliers-page';
export { ArticlesPage } from './shop/articles-page';
export { HomePage } from './shop/home-page';
