import type { Sql } from '../db/sql';
import { tooManyRequests } from './errors';
import { networksOf } from './networks';

/** Counts a hit under `key`. Throws TooManyRequests beyond `most` hits in a window of `seconds`. */
export async function limitRate(sql: Sql, key: string, most: number, seconds: number): Promise<void> {
  if ((await hit(sql, key, seconds)) > most) throw tooManyRequests(await secondsLeft(sql, [key]));
}

export async function secondsLeft(sql: Sql, keys: string[]): Promise<number> {
  const left = await sql.value<number | null>(
    'select ceil(extract(epoch from max(resets_at) - clock_timestamp()))::integer from rate_limits where key = any ($1)',
    [keys],
  );
  return Math.max(1, left ?? 0);
}

export const hit = (sql: Sql, key: string, seconds: number): Promise<number> =>
  sql.value('select hits from rate_limit_hits(array[$1::text], $2)', [key, seconds]);

interface NetworkLimit {
  name: string;
  address: string;
  most: number;
  /** An hour by default. */
  seconds?: number;
}

/** Counts a hit for a network and its wider prefixes. Throws TooManyRequests beyond `most` hits of one visitor's network. */
export async function limitNetwork(sql: Sql, limit: NetworkLimit): Promise<void> {
  const { load, key } = await networkLoad(sql, limit);
  if (load > 1) throw tooManyRequests(await secondsLeft(sql, [key]));
}

/** Counts a hit. Returns, of the prefixes of the address, the one that has used the largest share of its limit, and that share. */
export async function networkLoad(
  sql: Sql,
  { name, address, most, seconds = 3600 }: NetworkLimit,
): Promise<{ load: number; key: string }> {
  const networks = networksOf(address);
  const rows = await sql.rows<{ key: string; hits: number }>('select key, hits from rate_limit_hits($1, $2)', [
    networks.map(({ block }) => `${name}:${block}`),
    seconds,
  ]);
  const bounds = new Map(networks.map(({ block, factor }) => [`${name}:${block}`, most * factor]));
  return rows
    .map(({ key, hits }) => ({ key, load: hits / (bounds.get(key) ?? most) }))
    .reduce((highest, next) => (next.load > highest.load ? next : highest));
}
