import { del, get, isApiError, post } from '@shop/shared/http';
import { invalidate, queryClient, queryOptions, useQuery } from '@shop/shared/query';
import { useSession } from '@shop/shared/session';
import { createContext, useMemo } from 'react';

const favouriteIdsQuery = queryOptions({
  queryKey: ['favourites', 'ids'],
  queryFn: async () => (await get('/api/front/user/favourite/ids', undefined, { quiet: true })).goods_ids,
});

type Favourites = ReadonlySet<number>;
const none: Favourites = new Set();
export const FavouritesContext = createContext(none);

export function useFavourites(): Favourites {
  const { hasUser } = useSession();
  const { data } = useQuery({ ...favouriteIdsQuery, enabled: hasUser });
  return useMemo(() => (hasUser && data ? new Set(data) : none), [hasUser, data]);
}

/** Reads the cache, because two quick clicks are handled before the component renders again. */
export function toggleFavourite(goodsId: number): Promise<void> {
  return setFavourite(goodsId, !queryClient.getQueryData(favouriteIdsQuery.queryKey)?.includes(goodsId));
}

/** The last call of each product; the next call waits for it. */
const calls = new Map<number, Promise<unknown>>();

export async function setFavourite(goodsId: number, isFavourite: boolean): Promise<void> {
  mark(goodsId, isFavourite);
  const send = () =>
    isFavourite
      ? post('/api/front/user/favourite', { goods_id: goodsId })
      : del('/api/front/user/favourite', { goods_id: goodsId });
  const call = (calls.get(goodsId) ?? Promise.resolve()).then(send, send);
  calls.set(goodsId, call);
  try {
    await call;
  } catch (error) {
    if (calls.get(goodsId) === call) mark(goodsId, !isFavourite);
    if (!isApiError(error)) throw error;
  } finally {
    if (calls.get(goodsId) === call) calls.delete(goodsId);
    // A refetch now would lack the changes that are still being sent.
    if (calls.size === 0) void invalidate(['favourites']);
  }
}

function mark(goodsId: number, isFavourite: boolean): void {
  const { queryKey } = favouriteIdsQuery;
  // A pending answer may be older than the change.
  void queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, (ids = []) => [
    ...ids.filter((id) => id !== goodsId),
    ...(isFavourite ? [goodsId] : []),
  ]);
}
