import type { DomainOptions } from '../../context';
import { ok } from '../../http/envelope';
import type { App } from '../../http/request';
import { answer } from '../../http/schemas';
import { editRoutes } from '../edits/edits.routes';
import { serves } from '../staff-access';
import { CategoriesSchema, GoodsListSchema, GoodsQuerySchema, StaffGoodsSchema } from './goods.schemas';
import { goodsEditable, listCategories, listGoods } from './goods.service';

const stock = serves('stock');

/** The products of the shop. */
export function goodsRoutes(app: App, options: Pick<DomainOptions, 'context' | 'reads'>): void {
  const { reads } = options;
  app.get(
    '/staff/api/goods',
    { ...stock, schema: { querystring: GoodsQuerySchema, response: answer(GoodsListSchema) } },
    async (request) => ok(request, await listGoods(reads, request.query)),
  );
  app.get('/staff/api/categories', { ...stock, schema: { response: answer(CategoriesSchema) } }, async (request) =>
    ok(request, await listCategories(reads)),
  );
  editRoutes(app, options, { path: 'goods', schema: StaffGoodsSchema, roles: ['stock'], editable: goodsEditable });
}
