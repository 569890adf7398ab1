import { infiniteQueryOptions, type QueryKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';

export interface ListPage<Item> {
  list: Item[];
  total: number;
  page: number;
  limit: number;
  has_more: boolean;
  /** Cursor of the next page. */
  next?: string;
}

export interface PageParam {
  page: number;
  cursor?: string;
}

const idOf = (item: unknown): unknown => (item as { id?: unknown } | null)?.id ?? item;

/**
 * Options of an infinite list; `fetchPage` counts from 1, and gets the cursor that the page before has named. By a cursor, rows that
 * arrive or go meanwhile move no other row. Of rows with the same `keyOf`, by default their `id`, the list has the first.
 */
export function listQueryOptions<Item>(
  queryKey: QueryKey,
  fetchPage: (page: number, cursor?: string) => Promise<ListPage<Item>>,
  keyOf: (item: Item) => unknown = idOf,
) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam: { page, cursor } }) => fetchPage(page, cursor),
    initialPageParam: { page: 1 } as PageParam,
    getNextPageParam: (last, _pages, { page }): PageParam | undefined =>
      last.has_more ? { page: page + 1, cursor: last.next || undefined } : undefined,
    meta: { keyOf },
    // A refetch costs one request per loaded page, so only an invalidation or the user causes one.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

type ListQuery<Item> = ReturnType<typeof listQueryOptions<Item>>;

export interface ListResult<Item> {
  items: Item[];
  total: number;
  error: Error | null;
  isLoading: boolean;
  isLoadingMore: boolean;
  hasMore: boolean;
  loadMore(): void;
  /** Goes back to the first page and refetches it. */
  refresh(): Promise<void>;
}

export function useListQuery<Item>(query: ListQuery<Item>): ListResult<Item> {
  const client = useQueryClient();
  const { data, error, isLoading, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery(query);
  const items = useMemo(() => {
    const keyOf = (query.meta?.keyOf ?? idOf) as (item: Item) => unknown;
    const itemsByKey = new Map<unknown, Item>();
    for (const item of data?.pages.flatMap((page) => page.list) ?? [])
      if (!itemsByKey.has(keyOf(item))) itemsByKey.set(keyOf(item), item);
    return [...itemsByKey.values()];
  }, [data, query.meta?.keyOf]);
  return {
    items,
    total: data?.pages[0]?.total ?? 0,
    error,
    isLoading,
    isLoadingMore: isFetchingNextPage,
    hasMore: hasNextPage,
    loadMore: () => {
      if (hasNextPage && !isFetching) void fetchNextPage();
    },
    refresh: async () => {
      client.setQueryData(
        query.queryKey,
        (loaded) => loaded && { pages: loaded.pages.slice(0, 1), pageParams: loaded.pageParams.slice(0, 1) },
      );
      await refetch();
    },
  };
}
