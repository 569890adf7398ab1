import { get } from '@shop/shared/http';
import { queryOptions } from '@shop/shared/query';

/** The page shows a failure itself, so the client shows no toast. */
export const newsQuery = (id: string) =>
  queryOptions({
    queryKey: ['news', id],
    queryFn: () => get('/api/front/article/info', { id }, { quiet: true }),
  });
