import type { Page } from './schemas';

export interface Paging {
  page: number;
  limit: number;
  offset: number;
}

export function pagingOf(query: { page?: number; limit?: number }): Paging {
  const { page = 1, limit = 20 } = query;
  return { page, limit, offset: (page - 1) * limit };
}

export function pageOf<T>(list: T[], total: number, { page, limit }: Paging): Page<T> {
  return { list, total, page, limit, has_more: page * limit < total };
}
