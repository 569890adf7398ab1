import { ErrorCode } from '@shop/shared/domain';
import type { Sql } from '../db/sql';
import { ShopError } from './errors';
import { networksOf } from './networks';

/** Counts a hit under `key`. Throws TooManyRequests beyond `most` hits in a window of `seconds`. */
export async function limitRate(sql: Sql, key: string, most: number, seconds: number): Promise<void> {
  if ((await hit(sql, key, seconds)) > most) throw new ShopError(ErrorCode.TooManyRequests);
}

export async function hit(sql: Sql, key: string, seconds: number): Promise<number> {
  return (await sql.one<{ hits: number }>('select rate_limit_hit($1, $2) as hits', [key, seconds])).hits;
}

/** Counts a hit for a network and the wider ones around it. Throws TooManyRequests beyond `most` hits of one visitor's network. */
export async function limitNetwork(
  sql: Sql,
  { name, address, most, seconds }: { name: string; address: string; most: number; seconds: number },
): Promise<void> {
  if ((await networkLoad(sql, { name, address, most, seconds })) > 1) throw new ShopError(ErrorCode.TooManyRequests);
}

/** Counts a hit; the share of their bounds that the networks of the address have used, of the one that used most. */
export async function networkLoad(
  sql: Sql,
  { name, address, most, seconds }: { name: string; address: string; most: number; seconds: number },
): Promise<number> {
  const networks = networksOf(address);
  const rows = await sql.rows<{ key: string; hits: number }>('select key, hits from rate_limit_hits($1, $2)', [
    networks.map(({ block }) => `${name}:${block}`),
    seconds,
  ]);
  const bounds = new Map(networks.map(({ block, factor }) => [`${name}:${block}`, most * factor]));
  return Math.max(...rows.map(({ key, hits }) => hits / (bounds.get(key) ?? most)));
}
