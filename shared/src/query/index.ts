/** Server state of every page (docs/adr/0010): TanStack Query's explicit subset, with the shop's settings. */
export {
  QueryClientProvider,
  queryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
export { invalidate, prefetch, prefetchList, queryClient, resetQueries } from './client';
export { type ListResult, listQueryOptions, useListQuery } from './list';
