/** Server state of every page (docs/adr/0010): an explicit subset of TanStack Query with the shop's settings. */
import {
  type FetchInfiniteQueryOptions,
  type FetchQueryOptions,
  onlineManager,
  QueryClient,
  type QueryKey,
} from '@tanstack/react-query';
import type { PageParam } from './list';

export {
  QueryClientProvider,
  queryOptions,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
export { type ListResult, listQueryOptions, useListQuery } from './list';

/** Milliseconds in which data, or a failure, is shown again without a request. */
const freshForMs = 5_000;

/** Queries that no component uses are removed beyond this number, the oldest first. */
const maxQueries = 200;

/** The tab's client, which the shell provides to every page. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: freshForMs,
      // A kept-alive page shows its data however long it was hidden.
      gcTime: Number.POSITIVE_INFINITY,
      // Pages offer "try again". A failure counts as fresh too: a page does not repeat the request that its loader started and
      // that failed before it was mounted.
      retry: false,
      retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > freshForMs,
      refetchOnWindowFocus: false,
      refetchOnReconnect: true,
      // Offline, the HTTP client fails at once and the page shows the error; a paused query would show a skeleton.
      networkMode: 'always',
    },
  },
});

const cache = queryClient.getQueryCache();
cache.subscribe(({ type }) => {
  if (type !== 'added') return;
  const queries = cache.getAll();
  const idle = queries.filter((query) => !query.isActive() && query.state.fetchStatus === 'idle');
  for (const query of idle.slice(0, Math.max(0, queries.length - maxQueries))) cache.remove(query);
});

// TanStack Query assumes a connection at start; a tab opened offline would not notice that the connection is back.
if (globalThis.navigator?.onLine === false) onlineManager.setOnline(false);

/** Starts the request of a page's `loader`, unless it is in flight or its data is fresh. The page shows a failure. */
export function prefetch<Data, Key extends QueryKey>(query: FetchQueryOptions<Data, Error, Data, Key>): void {
  queryClient.query(query).catch(() => {});
}

/** `prefetch` for the first page of a list. */
export function prefetchList<Data, Key extends QueryKey>(
  query: FetchInfiniteQueryOptions<Data, Error, Data, Key, PageParam>,
): void {
  queryClient.infiniteQuery(query).catch(() => {});
}

/** After an action: refetches the mounted queries of every key that begins with `prefix`, the others when they are mounted. */
export function invalidate(prefix: QueryKey): Promise<void> {
  void queryClient.cancelQueries({ queryKey: prefix });
  return queryClient.invalidateQueries({ queryKey: prefix });
}

/** After a sign-out, another user or another language: removes all data and pending answers, and refetches mounted queries. */
export function resetQueries(): Promise<void> {
  return queryClient.resetQueries();
}
