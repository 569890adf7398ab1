import { useQuery } from '@shop/shared/query';
import { useSession } from '@shop/shared/session';
import { useEffect } from 'react';
import { favouriteIdsQuery, favourites } from './favourites.store';

const none: number[] = [];

/** Loads what the hearts of a page show, after its first render. Call it in an observer. */
export function useFavourites(): void {
  const session = useSession();
  const { data } = useQuery({ ...favouriteIdsQuery, enabled: session.hasUser });
  const shown = session.hasUser ? data : none;
  useEffect(() => {
    if (shown) favourites.show(shown);
  }, [shown]);
}
