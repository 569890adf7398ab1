/** Server state of every page (docs/adr/0010): an explicit subset of TanStack Query with the shop's settings. */
export {
  QueryClientProvider,
  queryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
export { getQuery, invalidate, prefetch, prefetchList, queryClient, resetQueries } from './client';
export { type ListResult, listQueryOptions, useListQuery } from './list';
