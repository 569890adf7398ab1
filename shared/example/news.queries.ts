import { getQuery } from '@shop/shared/http';

export const newsQuery = (id: string) => getQuery('/api/front/article/info', ['news', id], { id });
