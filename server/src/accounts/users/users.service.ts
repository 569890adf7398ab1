import type { AppContext } from '../../context';
import type { Sql } from '../../platform/db/sql';
import { fieldError, type ShopError } from '../../platform/http/errors';
import { fieldText } from '../../platform/http/field-messages';
import { toWire } from '../../platform/http/money';
import { plainText } from '../../platform/http/plain-text';
import type { Viewer } from '../../platform/http/request';
import type { Currency, Locale } from '../../platform/http/schemas';
import { invitationsAreOpen } from '../invitations/invitations.service';
import type { UpdateUserBody, UserInfo } from './users.schemas';

interface UserRow {
  id: number;
  phone: string | null;
  sign_in_email: string | null;
  has_password: boolean;
  openid: string | null;
  nickname: string;
  name: string;
  avatar: string;
  email: string;
  birthday: string;
  sex: number;
  id_card_masked: string;
  is_real: number;
  is_usable: number;
  is_vip: boolean;
  invite_code: string;
  cny: number;
  usd: number;
  unread_notices: number;
  frozen: number;
}

export async function userInfo(sql: Sql, viewer: Viewer, currency: Currency): Promise<UserInfo> {
  const row = await sql.one<UserRow>(
    `select u.id, u.phone, u.sign_in_email, u.password_hash is not null as has_password, u.openid, u.nickname, u.name, u.avatar, u.email,
            u.birthday, u.sex, u.id_card_masked, u.is_real, u.is_usable, u.is_vip,
            case when ${invitationsAreOpen} then u.invite_code else '' end as invite_code,
            coalesce((select balance from wallets where user_id = u.id and currency = 'CNY'), 0) as cny,
            coalesce((select balance from wallets where user_id = u.id and currency = 'USD'), 0) as usd,
            coalesce((select frozen from wallets where user_id = u.id and currency = $2), 0) as frozen,
            (select count(*) from order_notices(u.id, u.notices_read) n where not n.read) as unread_notices
       from users u where u.id = $1`,
    [viewer.id, currency],
  );
  const balances = { CNY: toWire(row.cny), USD: toWire(row.usd) };
  return {
    id: row.id,
    avatar: row.avatar,
    balance: balances[currency],
    balances,
    frozen: toWire(row.frozen),
    currency,
    birthday: row.birthday,
    email: row.email,
    id_card_code: row.id_card_masked,
    is_real: row.is_real,
    is_usable: row.is_usable,
    is_vip: row.is_vip,
    name: row.name,
    nickname: row.nickname,
    openid: row.openid ?? '',
    phone: row.phone ?? '',
    sign_in_email: row.sign_in_email ?? '',
    sex: row.sex,
    has_password: row.has_password,
    invite_code: row.invite_code,
    unread_notices: row.unread_notices,
  };
}

export async function updateUser(
  { db, keyring }: AppContext,
  viewer: Viewer,
  body: UpdateUserBody,
  locale: Locale,
): Promise<void> {
  const { name, id_card_code, avatar, birthday, ...plain } = body;
  const wrong = (field: string, rule = 'other') => fieldError({ [field]: fieldText(rule, locale) });
  if ((name === undefined) !== (id_card_code === undefined)) {
    throw wrong(name === undefined ? 'name' : 'id_card_code', 'required');
  }
  if (id_card_code !== undefined && !isIdCard(id_card_code)) throw wrong('id_card_code', 'pattern');
  if (birthday && !isPastDay(birthday)) throw wrong('birthday');
  await db.withTransaction(async (sql) => {
    if (avatar) await requireOwnPicture(sql, viewer, avatar, () => wrong('avatar'));
    const changes: Record<string, unknown> = { ...plain };
    if (plain.nickname !== undefined) {
      changes.nickname = plainText(plain.nickname);
      if (!changes.nickname) throw wrong('nickname');
    }
    if (avatar !== undefined) changes.avatar = avatar;
    if (birthday !== undefined) changes.birthday = birthday;
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

async function requireOwnPicture(sql: Sql, viewer: Viewer, address: string, refuse: () => ShopError): Promise<void> {
  if (/^\/media\/[\w./-]+$/.test(address) && !address.includes('..')) return;
  // The row is locked, so that the picture is not removed as unused meanwhile.
  const upload = await sql.row(
    'select 1 from uploads where user_id = $1 and path = $2 and removed_at is null for share',
    [viewer.id, address],
  );
  if (!upload) throw refuse();
}
