import { useSession } from '@shop/shared/session';
import { observer } from '@shop/shared/state';
import { createContext, useContext, useMemo } from 'react';
import { useTexts } from '../texts';
import './heart.css';
import { del, get, isApiError, post } from '@shop/shared/http';
import { invalidate, queryClient, queryOptions, useQuery } from '@shop/shared/query';

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

/** The last call of each product; the next call waits for it. */
const calls = new Map<number, Promise<unknown>>();

async function setFavourite(goodsId: number, isFavourite: boolean): Promise<void> {
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

interface HeartProps {
  goods: { id: number; name: string };
  isOn: boolean;
  className?: string;
}

/** In a list, only the hearts whose state changes render again. */
export function Heart(props: Omit<HeartProps, 'isOn'>) {
  return <HeartButton {...props} isOn={useContext(FavouritesContext).has(props.goods.id)} />;
}

/** A guest signs in first; the favourite is added afterwards. */
export const HeartButton = observer(function HeartButton({ goods, isOn, className = '' }: HeartProps) {
  const { t } = useTexts();
  const session = useSession();
  const toggle = async () => {
    // Two quick clicks are handled before the component renders again.
    const ids = queryClient.getQueryData(favouriteIdsQuery.queryKey);
    if (session.hasToken) return setFavourite(goods.id, !ids?.includes(goods.id));
    if (await session.openLogin()) await setFavourite(goods.id, true);
  };
  return (
    <button
      type="button"
      className={`ui-icon-button catalog-heart ${className}`}
      aria-label={t('favourite.of', { name: goods.name })}
      aria-pressed={isOn}
      onClick={() => void toggle()}
    >
      <svg className="ui-icon" viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
        <path d="M12 20.3 4.7 13a4.9 4.9 0 0 1 0-6.9 4.8 4.8 0 0 1 6.8 0l.5.5.5-.5a4.8 4.8 0 0 1 6.8 0 4.9 4.9 0 0 1 0 6.9z" />
      </svg>
    </button>
  );
});
