import { get } from '@shop/shared/http';
import { queryOptions } from '@shop/shared/query';

export const articlesQuery = queryOptions({
  queryKey: ['shell', 'articles'],
  queryFn: () => get('/api/front/article/all', undefined, { quiet: true }),
});
