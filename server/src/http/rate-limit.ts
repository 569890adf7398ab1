import { ErrorCode } from '@shop/shared/domain';
import type { Sql } from '../db/sql';
import { ShopError } from './errors';

/** Counts a hit under `key`. Throws TooManyRequests beyond `most` hits in a window of `seconds`. */
export async function limitRate(sql: Sql, key: string, most: number, seconds: number): Promise<void> {
  if ((await hit(sql, key, seconds)) > most) throw new ShopError(ErrorCode.TooManyRequests);
}

export async function hit(sql: Sql, key: string, seconds: number): Promise<number> {
  return (await sql.one<{ hits: number }>('select rate_limit_hit($1, $2) as hits', [key, seconds])).hits;
}
