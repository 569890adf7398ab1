import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { callsFor } from '../calls';
import { editRoutes } from '../edits/edits.routes';
import { CategoriesSchema, GoodsListSchema, GoodsQuerySchema, StaffGoodsSchema } from './goods.schemas';
import { goodsEditable, listCategories, listGoods } from './goods.service';

/** The products of the shop. */
export function goodsRoutes(app: App, options: DomainOptions): void {
  const { reads } = options;
  const { get } = callsFor(app, 'stock');
  get('goods', { query: GoodsQuerySchema, answer: GoodsListSchema }, ({ query }) => listGoods(reads, query));
  get('categories', { answer: CategoriesSchema }, () => listCategories(reads));
  editRoutes(app, options, { path: 'goods', schema: StaffGoodsSchema, editable: goodsEditable });
}
