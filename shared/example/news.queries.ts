import { getQuery } from '@shop/shared/query';

export const newsQuery = (id: string) => getQuery(['news', id], '/api/front/article/info', { id });
