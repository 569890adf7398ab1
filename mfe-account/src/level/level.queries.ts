import { get } from '@shop/shared/http';
import { queryOptions } from '@shop/shared/query';

const quiet = { quiet: true };

/** All users get the same answer; it is empty in a shop without levels. */
export const levelsQuery = queryOptions({
  queryKey: ['account', 'levels'],
  queryFn: () => get('/api/front/level/list', undefined, quiet),
});

export const ownLevelQuery = queryOptions({
  queryKey: ['account', 'own-level'],
  queryFn: () => get('/api/front/user/level', undefined, quiet),
});
