import type { DomainOptions } from '@shop/server/context';
import { ok } from '@shop/server/platform/http/envelope';
import type { App } from '@shop/server/platform/http/request';
import { answer } from '@shop/server/platform/http/schemas';
import { editRoutes } from '../edits/edits.routes';
import { EditParamsSchema } from '../edits/edits.schemas';
import { serves } from '../staff-access';
import { CategoriesSchema, GoodsListSchema, GoodsQuerySchema, StaffGoodsSchema } from './goods.schemas';
import { goodsEditable, listCategories, listGoods } from './goods.service';
import { PriceChangeBodySchema, PriceChangeIdSchema, PriceChangesSchema } from './price-changes.schemas';
import { addPriceChange, cancelPriceChange, listPriceChanges } from './price-changes.service';

const stock = serves('stock');

/** The products of the shop. */
export function goodsRoutes(app: App, options: Pick<DomainOptions, 'context' | 'reads'>): void {
  const { context, reads } = options;
  const { db } = context;
  app.get(
    '/staff/api/goods',
    { ...stock, schema: { querystring: GoodsQuerySchema, response: answer(GoodsListSchema) } },
    async (request) => ok(request, await listGoods(reads, request.query)),
  );
  app.get('/staff/api/categories', { ...stock, schema: { response: answer(CategoriesSchema) } }, async (request) =>
    ok(request, await listCategories(reads)),
  );
  app.get(
    '/staff/api/goods/:key/price-changes',
    { ...stock, schema: { params: EditParamsSchema, response: answer(PriceChangesSchema) } },
    async (request) => ok(request, await listPriceChanges(reads, request.params.key)),
  );
  app.post(
    '/staff/api/goods/price-changes',
    { ...stock, schema: { body: PriceChangeBodySchema, response: answer(PriceChangesSchema) } },
    async (request) => {
      await addPriceChange(db, request.body, request.locale);
      return ok(request, await listPriceChanges(db, request.body.goods));
    },
  );
  app.post(
    '/staff/api/goods/price-changes/cancel',
    { ...stock, schema: { body: PriceChangeIdSchema, response: answer(PriceChangesSchema) } },
    async (request) => ok(request, await listPriceChanges(db, await cancelPriceChange(db, request.body.id))),
  );
  editRoutes(app, options, { path: 'goods', schema: StaffGoodsSchema, roles: ['stock'], editable: goodsEditable });
}
