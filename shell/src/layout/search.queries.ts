import { get } from '@shop/shared/http';
import { queryOptions } from '@shop/shared/query';

export const suggestionsQuery = (keyword: string) =>
  queryOptions({
    queryKey: ['shell', 'suggestions', keyword],
    queryFn: () => get('/api/front/search/suggest', { keyword }, { quiet: true }),
  });
