import { ErrorCode, GoodsStatus } from '@shop/shared/domain';
import type { GoodsField } from '../../catalogue/catalogue.schemas';
import type { Sql } from '../../platform/db/sql';
import { ShopError } from '../../platform/http/errors';
import { plainText } from '../../platform/http/plain-text';
import type { Viewer } from '../../platform/http/request';
import type { GameAccount, SaveGameAccountBody } from './users.schemas';

const MAX_GAME_ACCOUNTS = 50;

export async function gameAccounts(sql: Sql, viewer: Viewer, goodsId: number | undefined): Promise<GameAccount[]> {
  const rows = await sql.rows<Omit<GameAccount, 'created_at'> & { created_at: Date }>(
    `select id, goods_id, label, fields, created_at from game_accounts
      where user_id = $1 and ($2::bigint is null or goods_id = $2) order by id desc limit ${MAX_GAME_ACCOUNTS}`,
    [viewer.id, goodsId ?? null],
  );
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}

/** Stores only the fields that the goods allow to remember, never a password. */
export async function saveGameAccount(sql: Sql, viewer: Viewer, body: SaveGameAccountBody): Promise<GameAccount> {
  const goods = await sql.row<{ fields: GoodsField[] }>(
    `select fields from goods where id = $1 and status <> ${GoodsStatus.OffShelf}`,
    [body.goods_id],
  );
  if (!goods) throw new ShopError(ErrorCode.GoodsUnavailable);
  const rememberedKeys = goods.fields
    .filter((field) => field.remember && field.type !== 'password')
    .map((field) => field.key);
  const fields = Object.fromEntries(
    rememberedKeys.filter((key) => body.fields[key]).map((key) => [key, plainText(body.fields[key] ?? '')]),
  );
  const label = plainText(body.label ?? '') || Object.values(fields)[0] || '';
  await sql.run('delete from game_accounts where user_id = $1 and goods_id = $2 and fields = $3::jsonb', [
    viewer.id,
    body.goods_id,
    JSON.stringify(fields),
  ]);
  await sql.run(
    `delete from game_accounts where id in
       (select id from game_accounts where user_id = $1 order by id desc offset ${MAX_GAME_ACCOUNTS - 1})`,
    [viewer.id],
  );
  const row = await sql.one<Omit<GameAccount, 'created_at'> & { created_at: Date }>(
    `insert into game_accounts (user_id, goods_id, label, fields) values ($1, $2, $3, $4)
     returning id, goods_id, label, fields, created_at`,
    [viewer.id, body.goods_id, label, JSON.stringify(fields)],
  );
  return { ...row, created_at: row.created_at.toISOString() };
}

export async function deleteGameAccount(sql: Sql, viewer: Viewer, id: number): Promise<boolean> {
  return (await sql.run('delete from game_accounts where id = $1 and user_id = $2', [id, viewer.id])) > 0;
}
