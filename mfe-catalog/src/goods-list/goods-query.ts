import type { GoodsCount } from '@shop/server/wire';
import { RechargeType } from '@shop/shared/domain';
import { type GoodsFilter, readKeyword } from '../common/goods.queries';

export const sortOrders = ['default', 'hot', 'new', 'price_asc', 'price_desc', 'name'] as const;
export type SortOrder = (typeof sortOrders)[number];

export const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ#'];

/** The list's state is in the URL, so that it can be shared and Back works. Invalid values are ignored. */
export function readGoodsQuery(search: URLSearchParams): GoodsFilter {
  const letter = search.get('letter')?.toUpperCase() ?? '';
  const category = Number(search.get('category_id') ?? search.get('category'));
  const kind = Number(search.get('recharge_type'));
  const sort = search.get('sort');
  // Banners name it by sales.
  const order = sort === 'sales' ? 'hot' : sortOrders.find((each) => each === sort);
  const keyword = readKeyword(search.get('keyword'));
  return {
    ...(keyword ? { keyword } : {}),
    ...(/^[A-Z#]$/.test(letter) ? { letter } : {}),
    ...(Number.isSafeInteger(category) && category > 0 ? { category_id: category } : {}),
    ...(Object.values(RechargeType).some((type) => type === kind) ? { recharge_type: kind } : {}),
    ...(order && order !== 'default' ? { sort: order } : {}),
  };
}

export function writeGoodsQuery(query: GoodsFilter): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  return search;
}

export const filterNames = ['category_id', 'recharge_type', 'letter'] as const;

export function countGoods(counts: readonly GoodsCount[], filter: GoodsFilter): number {
  return counts
    .filter((count) => filterNames.every((name) => filter[name] === undefined || count[name] === filter[name]))
    .reduce((sum, { goods }) => sum + goods, 0);
}
