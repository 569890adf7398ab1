import { RechargeType } from '@shop/shared/domain';
import type { GoodsFilter } from '../common/goods.queries';
import { readKeyword } from '../common/keyword';

export const sortOrders = ['default', 'hot', 'new', 'price_asc', 'price_desc', 'name'] as const;
export type SortOrder = (typeof sortOrders)[number];

/** What the server's banners may call the same order. */
const otherNames: Record<string, SortOrder> = { sales: 'hot' };

/** The list's address is its state, so that it can be shared and "back" works. Anything unreadable is left out. */
export function readGoodsQuery(search: URLSearchParams): GoodsFilter {
  const letter = search.get('letter')?.toUpperCase() ?? '';
  const category = Number(search.get('category_id') ?? search.get('category'));
  const kind = Number(search.get('recharge_type'));
  const sort = readSort(search.get('sort'));
  const keyword = readKeyword(search.get('keyword'));
  return {
    ...(keyword ? { keyword } : {}),
    ...(/^[A-Z#]$/.test(letter) ? { letter } : {}),
    ...(Number.isSafeInteger(category) && category > 0 ? { category_id: category } : {}),
    ...(Object.values(RechargeType).some((known) => known === kind) ? { recharge_type: kind } : {}),
    ...(sort === 'default' ? {} : { sort }),
  };
}

function readSort(value: string | null): SortOrder {
  const name = value ? (otherNames[value] ?? value) : 'default';
  return sortOrders.find((known) => known === name) ?? 'default';
}

/** The address of the same list with one thing changed; an undefined value takes the thing away. */
export function writeGoodsQuery(query: GoodsFilter): URLSearchParams {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') search.set(name, String(value));
  }
  return search;
}
