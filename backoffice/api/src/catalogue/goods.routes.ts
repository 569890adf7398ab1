import type { DomainOptions } from '@shop/server/context';
import { callFor } from '../calls';
import { editCalls } from '../edits/edits.routes';
import { GoodsQuerySchema, StaffGoodsSchema } from './goods.schemas';
import { goodsEditable, listCategories, listGoods } from './goods.service';

const call = callFor('goods');

export const goodsCalls = (options: DomainOptions) => ({
  'GET goods': call({ query: GoodsQuerySchema }, ({ query }) => listGoods(options.reads, query)),
  'GET categories': call({}, () => listCategories(options.reads)),
  ...editCalls(options, { path: 'goods', area: 'goods', schema: StaffGoodsSchema, editable: goodsEditable }),
});
