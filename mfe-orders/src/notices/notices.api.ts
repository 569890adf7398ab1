import { get, post } from '@shop/shared/http';
import { queryOptions } from '@shop/shared/query';

const notices = '/api/front/order/notices';

export const noticesQuery = queryOptions({
  queryKey: ['orders', 'notices'],
  queryFn: () => get(notices, undefined, { quiet: true }),
});

export const readNotices = (lastId: number) => post(`${notices}/read`, { last_id: lastId }, { quiet: true });
