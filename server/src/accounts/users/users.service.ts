import { ErrorCode, GoodsStatus } from '@shop/shared/domain';
import type { GoodsField } from '../../catalogue/catalogue.schemas';
import type { AppContext } from '../../context';
import type { Sql } from '../../platform/db/sql';
import { fieldError, ShopError } from '../../platform/http/errors';
import { fieldText } from '../../platform/http/field-messages';
import { toWire } from '../../platform/http/money';
import { plainText } from '../../platform/http/plain-text';
import type { Viewer } from '../../platform/http/request';
import type { Currency, Locale, Sent } from '../../platform/http/schemas';
import { invitationsAreOpen } from '../invitations/invitations.service';
import type { GameAccount, SaveGameAccountBody, UpdateUserBody, UserInfo } from './users.schemas';

type UserRow = Omit<UserInfo, 'balance' | 'balances' | 'currency' | 'frozen'> &
  Record<'cny' | 'usd' | 'frozen', number>;

export async function userInfo(sql: Sql, viewer: Viewer, currency: Currency): Promise<UserInfo> {
  const { cny, usd, frozen, ...user } = await sql.one<UserRow>(
    `select u.id, coalesce(u.phone, '') as phone, coalesce(u.sign_in_email, '') as sign_in_email,
            u.password_hash is not null as has_password, coalesce(u.openid, '') as openid, u.nickname, u.name, u.avatar, u.email,
            u.birthday, u.sex, u.id_card_masked as id_card_code, u.is_real, u.is_usable, u.is_vip,
            case when ${invitationsAreOpen} then u.invite_code else '' end as invite_code,
            coalesce((select balance from wallets where user_id = u.id and currency = 'CNY'), 0) as cny,
            coalesce((select balance from wallets where user_id = u.id and currency = 'USD'), 0) as usd,
            coalesce((select frozen from wallets where user_id = u.id and currency = $2), 0) as frozen,
            (select count(*) from order_notices(u.id, u.notices_read) n where not n.read) as unread_notices
       from users u where u.id = $1`,
    [viewer.id, currency],
  );
  const balances = { CNY: toWire(cny), USD: toWire(usd) };
  return { ...user, balance: balances[currency], balances, frozen: toWire(frozen), currency };
}

export async function updateUser(
  { db, keyring }: AppContext,
  viewer: Viewer,
  body: UpdateUserBody,
  locale: Locale,
): Promise<void> {
  const { name, id_card_code, ...changes } = body;
  const wrong = (field: string, rule = 'other') => fieldError({ [field]: fieldText(rule, locale) });
  if ((name === undefined) !== (id_card_code === undefined)) {
    throw wrong(name === undefined ? 'name' : 'id_card_code', 'required');
  }
  if (id_card_code !== undefined && !isIdCard(id_card_code)) throw wrong('id_card_code', 'pattern');
  if (changes.birthday && !isPastDay(changes.birthday)) throw wrong('birthday');
  if (changes.nickname !== undefined) changes.nickname = plainText(changes.nickname);
  if (changes.nickname === '') throw wrong('nickname');
  await db.withTransaction(async (sql) => {
    if (changes.avatar && !(await isOwnPicture(sql, viewer, changes.avatar))) throw wrong('avatar');
    const columns = Object.keys(changes);
    if (columns.length) {
      // Column names come from the schema's list of fields, never from the request.
      const set = columns.map((column, index) => `${column} = $${index + 2}`).join(', ');
      await sql.run(`update users set ${set} where id = $1`, [viewer.id, ...Object.values(changes)]);
    }
    if (name !== undefined && id_card_code !== undefined) {
      const changed = await sql.run(
        `update users set name = $2, id_card_cipher = $3, id_card_key = $4, id_card_masked = $5, is_real = 1 where id = $1 and is_real = 0`,
        [viewer.id, plainText(name), keyring.encrypt(id_card_code), keyring.currentId, maskIdCard(id_card_code)],
      );
      if (!changed) throw wrong('id_card_code'); // verified once; the user cannot change it
    }
  });
}

/** 18 digits with the check digit of GB 11643. */
function isIdCard(code: string): boolean {
  const match = /^(\d{17})([\dXx])$/.exec(code);
  if (!match) return false;
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  const sum = weights.reduce((total, weight, index) => total + weight * Number(code[index]), 0);
  return '10X98765432'[sum % 11] === match[2]?.toUpperCase();
}
const maskIdCard = (code: string) => `${code.slice(0, 3)}***********${code.slice(-4)}`;

function isPastDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  return (
    !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day) && date.getTime() < Date.now() && day >= '1900'
  );
}

async function isOwnPicture(sql: Sql, viewer: Viewer, address: string): Promise<boolean> {
  if (/^\/media\/[\w./-]+$/.test(address) && !address.includes('..')) return true;
  // The row is locked, so that the picture is not removed as unused meanwhile.
  const upload = await sql.row(
    'select 1 from uploads where user_id = $1 and path = $2 and removed_at is null for share',
    [viewer.id, address],
  );
  return upload !== undefined;
}

const MAX_GAME_ACCOUNTS = 50;

export const gameAccounts = (sql: Sql, viewer: Viewer, goodsId: number | undefined): Promise<Sent<GameAccount>[]> =>
  sql.rows(
    `select id, goods_id, label, fields, created_at from game_accounts
      where user_id = $1 and ($2::bigint is null or goods_id = $2) order by id desc limit ${MAX_GAME_ACCOUNTS}`,
    [viewer.id, goodsId ?? null],
  );

/** Stores only the fields that the goods allow to remember, never a password. */
export async function saveGameAccount(sql: Sql, viewer: Viewer, body: SaveGameAccountBody): Promise<Sent<GameAccount>> {
  const goods = await sql.row<{ fields: GoodsField[] }>(
    `select fields from goods where id = $1 and status <> ${GoodsStatus.OffShelf}`,
    [body.goods_id],
  );
  if (!goods) throw new ShopError(ErrorCode.GoodsUnavailable);
  const fields = Object.fromEntries(
    goods.fields
      .filter(({ key, remember, type }) => remember && type !== 'password' && body.fields[key])
      .map(({ key }) => [key, plainText(body.fields[key] ?? '')]),
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
  return sql.one(
    `insert into game_accounts (user_id, goods_id, label, fields) values ($1, $2, $3, $4)
     returning id, goods_id, label, fields, created_at`,
    [viewer.id, body.goods_id, label, JSON.stringify(fields)],
  );
}

export async function deleteGameAccount(sql: Sql, viewer: Viewer, id: number): Promise<boolean> {
  return (await sql.run('delete from game_accounts where id = $1 and user_id = $2', [id, viewer.id])) > 0;
}
