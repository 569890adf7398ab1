import { useQuery } from '@shop/shared/query';
import { useSession } from '@shop/shared/session';
import { useEffect } from 'react';
import { favouriteIdsQuery, favourites } from './favourites.store';

/** Loads what the hearts of a page show, after its first render. Call it in an observer. */
export function useFavourites(): void {
  const session = useSession();
  const { hasUser } = session;
  const { data } = useQuery({ ...favouriteIdsQuery, enabled: hasUser });
  useEffect(() => {
    if (!hasUser) favourites.clear();
    else if (data) favourites.show(data);
  }, [hasUser, data]);
}
