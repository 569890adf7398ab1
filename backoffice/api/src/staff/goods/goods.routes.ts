import type { DomainOptions } from '@shop/server/context';
import type { App } from '@shop/server/platform/http/request';
import { callsFor } from '../calls';
import { editRoutes } from '../edits/edits.routes';
import { EditParamsSchema } from '../edits/edits.schemas';
import { CategoriesSchema, GoodsListSchema, GoodsQuerySchema, StaffGoodsSchema } from './goods.schemas';
import { goodsEditable, listCategories, listGoods } from './goods.service';
import { PriceChangeBodySchema, PriceChangeIdSchema, PriceChangesSchema } from './price-changes.schemas';
import { addPriceChange, cancelPriceChange, listPriceChanges } from './price-changes.service';

/** The products of the shop. */
export function goodsRoutes(app: App, options: DomainOptions): void {
  const { context, reads } = options;
  const { db } = context;
  const { get, post } = callsFor(app, 'stock');
  get('goods', { query: GoodsQuerySchema, answer: GoodsListSchema }, ({ query }) => listGoods(reads, query));
  get('categories', { answer: CategoriesSchema }, () => listCategories(reads));
  get('goods/:key/price-changes', { params: EditParamsSchema, answer: PriceChangesSchema }, ({ params }) =>
    listPriceChanges(reads, params.key),
  );
  post('goods/price-changes', { body: PriceChangeBodySchema, answer: PriceChangesSchema }, async ({ body, locale }) => {
    await addPriceChange(db, body, locale);
    return listPriceChanges(db, body.goods);
  });
  post('goods/price-changes/cancel', { body: PriceChangeIdSchema, answer: PriceChangesSchema }, async ({ body }) =>
    listPriceChanges(db, await cancelPriceChange(db, body.id)),
  );
  editRoutes(app, options, { path: 'goods', schema: StaffGoodsSchema, editable: goodsEditable });
}
