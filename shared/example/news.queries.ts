import { get } from '@shop/shared/http';
import { queryOptions } from '@shop/shared/query';

/** Quiet: the page shows a failure itself. */
export const newsQuery = (id: string) =>
  queryOptions({
    queryKey: ['news', id],
    queryFn: () => get('/api/front/article/info', { id }, { quiet: true }),
  });
