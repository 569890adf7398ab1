import { currencies } from '@shop/shared/domain/lists';
import type { AppContext } from '../../context';
import { wireAmount } from '../../platform/http/money';

type Row = Record<string, unknown>;

const PAGE = 500;
/** $2 is the key after which the page begins. */
const pageOf = (rows: string) => `select * from (${rows}) rows where key > $2 order by key limit ${PAGE}`;
const counted = (order: string) => `row_number() over (order by ${order}) as key`;
/** Columns of minor units, as amounts of the wire. */
const wire = (...columns: string[]) =>
  columns.map((column) => `${wireAmount(column)} as ${column.replace(/^.*\./, '')}`).join(', ');

const orders = (hidden: string) =>
  `select id as key, order_no, snapshot -> 'name' as goods, snapshot -> 'face_value' as face_value, quantity, currency, ${wire('unit_price')},
          snapshot -> 'price' as price_rules, ${wire('original_amount', 'coupon_discount', 'total_amount', 'refunded_amount')},
          status, delivery_status, pay_method, fields_masked as account_fields, network, refund_reason, created_at, paid_at, finished_at, refunded_at,
          closed_at, hidden_at,
          (select json_agg(json_build_object('at', at, 'kind', kind, 'note', note, 'actor', actor) order by id)
             from order_events where order_id = o.id) as history,
          (select json_agg(json_build_object('at', created_at, 'minor_units', amount, 'quantity', quantity, 'target', target, 'reason', reason)
             order by id) from order_refunds where order_id = o.id) as refunds
     from orders o where user_id = $1 and ${hidden}`;
const fundsLog = (currency: string) =>
  `select e.id as key, t.created_at, t.type, e.currency, ${wire('e.amount', 'e.balance_after', 'e.frozen_after')}, o.order_no, r.recharge_no, t.remark
     from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
     left join orders o on o.id = t.order_id and o.user_id = e.user_id left join recharges r on r.id = t.recharge_id
    where e.user_id = $1 and e.account = 'available' and e.currency = '${currency}'`;

/**
 * SQL of the data that the shop holds about a user ($1), as one part or parts that follow each other. `key` orders the rows of a part and
 * is not exported. Card codes are left out: the order page shows them after another proof of the owner, and a file that can be copied
 * must not be worth money.
 */
const sections: Record<string, string | string[]> = {
  wallets: `select ${counted('currency')}, currency, ${wire('balance', 'frozen')}, locked from wallets where user_id = $1`,
  sessions: `select ${counted('created_at, token_hash')}, address, browser, system, created_at, seen_at, expires_at from sessions where user_id = $1`,
  sign_in_networks: `select ${counted('address')}, address as network, seen_at from known_addresses where user_id = $1`,
  game_accounts: `select a.id as key, g.name_zh as goods, a.label, a.fields, a.created_at from game_accounts a join goods g on g.id = a.goods_id
     where a.user_id = $1`,
  favourites: `select ${counted('f.created_at, f.goods_id')}, g.name_zh as goods, f.created_at from favourites f join goods g on g.id = f.goods_id
     where f.user_id = $1`,
  // Two parts, to match the indexes.
  orders: [orders('hidden_at is null'), orders('hidden_at is not null')],
  payments: `select p.id as key, p.payment_no, o.order_no, r.recharge_no, p.method, p.currency, ${wire('p.amount')}, p.state, p.created_at, p.ended_at
      from payments p left join orders o on o.id = p.order_id left join recharges r on r.id = p.recharge_id where p.user_id = $1`,
  recharges: `select id as key, recharge_no, currency, ${wire('amount')}, method, state, created_at, paid_at
      from recharges where user_id = $1`,
  funds_log: currencies.map(fundsLog),
  coupons: `select u.id as key, c.name_zh as name, c.name_en, u.use_status, u.received_at, u.start_time, u.end_time, o.order_no
      from user_coupons u join coupons c on c.id = u.coupon_id left join orders o on o.id = u.order_id where u.user_id = $1`,
  level: `select ${counted('given_at')}, l.name_zh as name, l.name_en, v.until, v.given_at from given_levels v join levels l on l.id = v.level_id
     where v.user_id = $1`,
  notice_settings: `select ${counted('user_id')}, confirmed_email, locale, choices from notice_settings where user_id = $1`,
  push_browsers: `select id as key, endpoint, created_at from push_subscriptions where user_id = $1`,
  // The data of a confirmation is left out because it is a key.
  notices: `select id as key, channel, kind, case when kind <> 'confirm' then data end as data, state, created_at, ended_at
      from notices where user_id = $1`,
  stock_wishes: `select w.id as key, g.name_zh as goods, s.name_zh as face_value, w.created_at, w.told_at from stock_wishes w
      join goods_specs s on s.id = w.spec_id join goods g on g.id = s.goods_id where w.user_id = $1`,
  // Of other users only the fact is exported: their identity is their data.
  invitations: `select ${counted('created_at, invitee_id')}, case when invitee_id = $1 then 'was invited' else 'has invited' end as what, state,
           created_at from invitations where invitee_id = $1 or inviter_id = $1`,
  pictures: `select ${counted('created_at, path')}, path, mime, size, created_at from uploads where user_id = $1 and removed_at is null`,
  // Of phone and email only the one that the account signs in with, and no network address: no one proved those of an enquiry,
  // so they may be someone else's.
  enquiries: `select e.id as key, e.company, e.contact, case when u.sign_in_email is null then e.phone end as phone, e.type, e.content, e.answer,
           e.created_at from business_enquiries e
      join users u on regexp_replace(e.phone, '[^+0-9]', '', 'g') in (u.phone, '+86' || u.phone) or lower(e.email) = u.sign_in_email
     where u.id = $1`,
  notes: `select id as key, at, note from person_notes where user_id = $1`,
  // Staff names and networks are left out: "ann (staff)" becomes "staff".
  audit: `select id as key, at, regexp_replace(actor, '^.*\\((\\w+)\\)$', '\\1') as actor, action, subject, detail,
           case when actor = 'user' then network end as network, case when actor = 'user' then session end as session
      from audit_log where user_id = $1`,
};

/** The file in pieces; one page of one table is in memory at a time. */
export async function* exportFile(context: AppContext, userId: number): AsyncGenerator<string> {
  yield `{"exported_at":${JSON.stringify(new Date())},\n"profile":[${JSON.stringify(await profileOf(context, userId))}`;
  for (const [name, parts] of Object.entries(sections)) {
    yield `],\n${JSON.stringify(name)}:[`;
    let separator = '';
    for (const part of [parts].flat())
      for (let key = 0, isLast = false; !isLast; ) {
        const rows = await context.db.rows<Row & { key: number }>(pageOf(part), [userId, key]);
        for (const { key: _key, ...row } of rows) {
          yield separator + JSON.stringify(row);
          separator = ',\n';
        }
        isLast = rows.length < PAGE;
        key = rows.at(-1)?.key ?? 0;
      }
  }
  yield ']}\n';
}

async function profileOf({ db, keyring }: AppContext, userId: number): Promise<Row> {
  const { id_card_cipher, id_card_key, ...profile } = await db.one<
    Row & { id_card_cipher: Buffer | null; id_card_key: string }
  >(
    `select phone, sign_in_email, openid, unionid, nickname, name, avatar, email, birthday, sex, is_real, is_usable, is_vip, invite_code, created_at,
            password_hash is not null as has_password, id_card_cipher, id_card_key from users where id = $1`,
    [userId],
  );
  return { ...profile, id_card_code: id_card_cipher ? keyring.decrypt(id_card_key, id_card_cipher) : '' };
}
