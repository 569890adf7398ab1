import type { BalanceLogQuery } from '@shop/server/wire';
import { get } from '@shop/shared/http';
import { listQueryOptions, queryOptions } from '@shop/shared/query';

const front = '/api/front';
const quiet = { quiet: true };

const fetchLog = (query: BalanceLogQuery) => get(`${front}/user/balanceLog`, { ...query }, quiet);

export const logQuery = (filter: BalanceLogQuery) =>
  listQueryOptions(['account', 'log', filter], (page, cursor) => fetchLog({ ...filter, page, cursor }));

export const logSummaryQuery = (filter: BalanceLogQuery) =>
  queryOptions({
    queryKey: ['account', 'log-summary', filter],
    queryFn: async () => (await fetchLog({ ...filter, limit: 1 })).summary,
  });

export const recentLogQuery = queryOptions({
  queryKey: ['account', 'recent-log'],
  queryFn: () => fetchLog({ limit: 5 }),
});

export const rechargeOptionsQuery = queryOptions({
  queryKey: ['account', 'recharge-options'],
  queryFn: () => get(`${front}/recharge/options`, undefined, quiet),
});

export const rechargeInfoQuery = (recharge_no: string) =>
  queryOptions({
    queryKey: ['account', 'recharge-info', recharge_no],
    queryFn: () => get(`${front}/recharge/info`, { recharge_no }, quiet),
  });

export const rechargeMethodsQuery = queryOptions({
  queryKey: ['account', 'recharge-methods'],
  queryFn: () => get(`${front}/payment/methods`, { scene: 'recharge' }, quiet),
});

/** The key has the prefix of the order lists, so a change of a list refetches it. */
export const unpaidCountQuery = queryOptions({
  queryKey: ['orders', 'list', 'unpaid-count'],
  queryFn: async () => (await get(`${front}/order/list`, { tab: 'unpaid', limit: 1 }, quiet)).total,
});

export const couponsQueryPrefix = ['account', 'coupons'];

/** `status` is '1' unused, '2' used, '3' expired. */
export const couponsQuery = (status: string) =>
  queryOptions({
    queryKey: [...couponsQueryPrefix, status],
    queryFn: () => get(`${front}/coupon/getUserCouponList`, { status: Number(status) }, quiet),
  });

/** All users get the same answer; it is empty in a shop without levels. */
export const levelsQuery = queryOptions({
  queryKey: ['account', 'levels'],
  queryFn: () => get(`${front}/level/list`, undefined, quiet),
});

export const ownLevelQuery = queryOptions({
  queryKey: ['account', 'own-level'],
  queryFn: () => get(`${front}/user/level`, undefined, quiet),
});
