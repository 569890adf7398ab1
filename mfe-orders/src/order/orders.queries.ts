import type { OrderTab } from '@shop/server/wire';
import { get } from '@shop/shared/http';
import { invalidate, listQueryOptions, queryClient, queryOptions } from '@shop/shared/query';
import { isAwaited, type Order, type OrderSummary, toOrder } from './order';

const pollProcessingMs = 15_000;
const quiet = { quiet: true };

export interface OrderFilter {
  tab: OrderTab;
  keyword: string;
}

export const orderListPrefix = ['orders', 'list'];

export const orderListQuery = ({ tab, keyword }: OrderFilter) =>
  listQueryOptions(
    [...orderListPrefix, tab, keyword],
    async (page, cursor) => {
      const answer = await get('/api/front/order/list', { tab, page, cursor, ...(keyword ? { keyword } : {}) }, quiet);
      return { ...answer, list: answer.list.map(toOrder) };
    },
    ({ order_no }) => order_no,
  );

export const unpaidCountQuery = queryOptions({
  queryKey: [...orderListPrefix, 'unpaid-count'],
  queryFn: async () => (await get('/api/front/order/list', { tab: 'unpaid', limit: 1 }, quiet)).total,
});

const isListedOtherwise = ({ order_no, phase }: Order): boolean =>
  queryClient
    .getQueriesData<{ pages?: Array<{ list: OrderSummary[] }> }>({ queryKey: orderListPrefix })
    .flatMap(([, orders]) => orders?.pages ?? [])
    .some(({ list }) => list.some((listed) => listed.order_no === order_no && listed.phase !== phase));

export const orderDetailQuery = (orderNo: string) =>
  queryOptions({
    queryKey: ['orders', 'detail', orderNo],
    queryFn: async () => {
      const order = toOrder(await get('/api/front/order/info', { order_no: orderNo }, quiet));
      // A list never goes stale by itself.
      if (isListedOtherwise(order)) void invalidate(orderListPrefix);
      return order;
    },
    refetchInterval: ({ state }) => isAwaited(state.data?.phase) && pollProcessingMs,
    // The order may have been paid or cancelled in another tab.
    refetchOnWindowFocus: ({ state }) => state.data?.phase === 'unpaid' || isAwaited(state.data?.phase),
  });
