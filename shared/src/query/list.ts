import { infiniteQueryOptions, type QueryKey, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';

export interface ListPage<Item> {
  list: Item[];
  total: number;
  page: number;
  limit: number;
  has_more: boolean;
}

/** Options of an infinite list; `fetchPage` counts from 1. */
export function listQueryOptions<Item>(queryKey: QueryKey, fetchPage: (page: number) => Promise<ListPage<Item>>) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam }) => fetchPage(pageParam),
    initialPageParam: 1,
    getNextPageParam: (last, _pages, page) => (last.has_more ? page + 1 : undefined),
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

const none: never[] = [];

export function useListQuery<Item>(query: ListQuery<Item>): ListResult<Item> {
  const client = useQueryClient();
  const { data, error, isLoading, isFetching, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } =
    useInfiniteQuery(query);
  const items = useMemo(() => data?.pages.flatMap((page) => page.list) ?? none, [data]);
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
