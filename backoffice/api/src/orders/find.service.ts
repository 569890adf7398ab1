import type { AppContext } from '@shop/server/context';
import { refundState } from '@shop/server/orders/order-row';
import { orderText } from '@shop/server/orders/order-texts';
import { tailMark } from '@shop/server/platform/crypto/keyring';
import type { Database } from '@shop/server/platform/db/database';
import { CardState } from '@shop/server/platform/db/named-numbers';
import type { Sql } from '@shop/server/platform/db/sql';
import { ShopError } from '@shop/server/platform/http/errors';
import { suffixOf } from '@shop/server/platform/http/localised-text';
import type { Locale } from '@shop/server/platform/http/schemas';
import { possiblePhones } from '@shop/server/platform/phones/phone';
import { ErrorCode } from '@shop/shared/domain';
import { maskEmail, maskPhone } from '@shop/shared/domain/mask-phone';
import { plainText } from '@shop/shared/domain/plain-text';
import type { Sent } from '../calls';
import { maskedNumber } from '../catalogue/codes.service';
import { record } from '../people/record';
import type { StaffViewer } from '../people/staff-sessions.service';
import { amount, textIn } from '../sql';
import type { FoundOrder, FoundRecords, FoundUser, StaffOrder, StaffPayment, StaffShopper } from './find.schemas';

type Order = Sent<StaffOrder>;
type Shopper = Sent<StaffShopper>;
type StoredOrder = Order['order'] &
  Pick<Order, 'paid_at' | 'disputed' | 'refund_state'> & { id: number; pay_method: string | null };

const MOST_ORDERS = 50;
const MOST_SHOWN = 30;
/** The index payments_provider_ref begins with the method. */
const METHODS = ['wechat', 'alipay', 'stripe', 'sandbox'];

/** SQL: a FoundOrder of the order `o`. */
export const orderColumns = (locale: Locale) => `o.order_no, ${textIn("o.snapshot -> 'name'", locale)} as name,
  ${textIn("o.snapshot -> 'face_value'", locale)} as face_value, o.quantity, o.status, o.closed_at is not null as closed,
  ${amount('o.total_amount')} as amount, ${amount('o.refunded_amount')} as refunded, o.currency, o.created_at, o.user_id`;
export const userColumns = `u.id, coalesce(u.phone, '') as phone, coalesce(u.sign_in_email, '') as sign_in_email, u.email, u.nickname,
  u.is_usable <> 0 as is_usable, u.created_at`;

/** Not masked yet. */
export type UserRow = Omit<FoundUser, 'created_at'> & { created_at: Date };

/**
 * Records which users a search has found, or that it found no one. The typed text stays out of the log: it may be the phone of
 * someone who is not a user of the shop.
 */
export const auditSearch = (db: Database, text: string, { orders, people }: Sent<FoundRecords>) =>
  db.withTransaction(async (sql) => {
    const by = text.includes('@') ? 'email' : possiblePhones(text).length > 0 ? 'phone' : 'number';
    const enter = (subject: string, userId: number | null) =>
      record(sql, { action: 'person.find', subject, userId, detail: { by } });
    for (const { id } of people) await enter('', id);
    for (const { order_no, user_id } of orders) await enter(String(order_no), user_id);
    if (people.length + orders.length === 0) await enter('', null);
  });

/**
 * Searches by the number of an order, a payment, a recharge or a provider, by phone in any spelling, by email, or by the last
 * four characters of a code.
 */
export async function find(sql: Sql, text: string, secret: string, locale: Locale): Promise<Sent<FoundRecords>> {
  const q = plainText(text);
  const hasEmail = "u.sign_in_email = $1 or (u.email <> '' and lower(u.email) = $1)";
  if (q.includes('@')) return { orders: [], people: await peopleWhere(sql, hasEmail, q.toLowerCase()) };
  const phones = possiblePhones(q);
  if (phones.length > 0) {
    const people = await peopleWhere(sql, 'u.phone = any ($1)', phones);
    // The numbers of some providers look like a phone.
    if (people.length > 0) return { orders: [], people };
  }
  if (/^[0-9A-Za-z]{4}$/.test(q)) {
    const codes = 'select order_id as id from card_codes where tail_mark = $1 and order_id is not null';
    return { orders: await ordersOf(sql, codes, [tailMark(secret, q)], locale), people: [] };
  }
  const numbers = `
    select id from orders where order_no = $1
    union select order_id from payments where payment_no = $1
    union select order_id from payments where method = any ($3) and provider_ref = $2
    union select order_id from supplier_requests where reference = $2`;
  const people = `u.id in (
    select user_id from recharges where recharge_no = $1
    union select user_id from payments where order_id is null and (payment_no = $1 or (method = any ($3) and provider_ref = $2)))`;
  const values = [q.replace(/[ -]/g, '').toUpperCase(), q.replace(/ /g, ''), METHODS];
  return { orders: await ordersOf(sql, numbers, values, locale), people: await peopleWhere(sql, people, ...values) };
}

const ordersOf = (sql: Sql, ids: string, values: unknown[], locale: Locale) =>
  sql.rows<Sent<FoundOrder>>(
    `select ${orderColumns(locale)} from orders o where o.id in (${ids}) order by o.id desc limit ${MOST_ORDERS}`,
    values,
  );

async function peopleWhere(sql: Sql, where: string, ...values: unknown[]) {
  const rows = await sql.rows<UserRow>(
    `select ${userColumns} from users u where u.erased_at is null and (${where}) limit ${MOST_SHOWN}`,
    values,
  );
  return rows.map(toFoundUser);
}

export const toFoundUser = (row: UserRow): Sent<FoundUser> => ({
  ...row,
  phone: maskPhone(row.phone),
  sign_in_email: maskEmail(row.sign_in_email),
  email: maskEmail(row.email),
});

/** Returns all data of one order, and records the access in the audit log. Throws OrderNotFound. */
export async function staffOrder(
  { db: sql, keyring }: Pick<AppContext, 'db' | 'keyring'>,
  orderNo: string,
  locale: Locale,
): Promise<Order> {
  const row = await sql.row<StoredOrder>(
    `select ${orderColumns(locale)}, o.id, o.pay_method, o.paid_at, o.disputed, o.refund_state from orders o where o.order_no = $1`,
    [orderNo],
  );
  if (!row) throw new ShopError(ErrorCode.OrderNotFound);
  const of = <T>(text: string) => sql.rows<T>(text, [row.id]);
  const user = await userRow(sql, row.user_id);
  const events = await of<{ at: Date; kind: string; note: string; actor: string }>(
    'select at, kind, note, actor from order_events where order_id = $1 order by id',
  );
  const codes = await of<{ id: number; key_id: string; card_no: Buffer }>(
    `select id, key_id, card_no from card_codes where order_id = $1 and state = ${CardState.Sold} order by id`,
  );
  const [supplier = null] = await of<Order['supplier']>(
    'select supplier, state, tries, detail from supplier_requests where order_id = $1',
  );
  const acts = await sql.rows<Order['acts'][number]>(
    `select at, actor, action from audit_log where user_id = $1 and subject = $2 and action <> 'order.view' order by id limit 100`,
    [row.user_id, orderNo],
  );
  await record(sql, { action: 'order.view', subject: orderNo, userId: row.user_id });
  return {
    ...row,
    order: row,
    user: toFoundUser(user as UserRow),
    pay_method: row.pay_method && orderText(row.pay_method, locale),
    reveals: acts.filter(({ action }) => action === 'cards.reveal').map(({ at }) => at),
    codes: codes.map(({ id, key_id, card_no }) => ({ id, number: maskedNumber(keyring.decrypt(key_id, card_no)) })),
    supplier,
    events: events.map(({ kind, note, ...event }) => ({
      ...event,
      kind,
      text: orderText(kind === 'closed' ? `closed_${note}` : kind, locale),
      note: kind === 'closed' ? '' : note,
    })),
    payments: await paymentsOf(sql, 'p.order_id = $1', row.id),
    refunds: await of(
      `select r.refund_no, ${amount('r.amount')} as amount, r.target, r.reason, r.created_at as at, ${refundState} as state
         from order_refunds r where r.order_id = $1 order by r.id`,
    ),
    acts: acts.filter(({ action }) => action !== 'cards.reveal'),
  };
}

const paymentsOf = (sql: Sql, where: string, id: number) =>
  sql.rows<Sent<StaffPayment>>(
    `select p.payment_no, p.method, p.state, ${amount('p.amount')} as amount, p.currency, p.provider_ref, p.created_at,
            ${amount('payment_paid_back(p.id)')} as paid_back,
            coalesce((select string_agg(provider_id || ' ' || state || ' ' || reason, '; ' order by id)
                        from payment_disputes where payment_id = p.id), '') as disputes
       from payments p where ${where} order by p.id desc limit ${MOST_SHOWN}`,
    [id],
  );

const userRow = (sql: Sql, id: number) =>
  sql.row<UserRow & { is_vip: boolean }>(`select ${userColumns}, u.is_vip from users u where u.id = $1`, [id]);

/** Returns all data of one user, and records the access in the audit log. Throws NotFound. */
export async function staffShopper(sql: Sql, id: number, idleSeconds: number, locale: Locale): Promise<Shopper> {
  const row = await userRow(sql, id);
  if (!row) throw new ShopError(ErrorCode.NotFound);
  await record(sql, { action: 'person.view', userId: id });
  const of = <T>(text: string) => sql.rows<T>(text, [id]);
  const name = `name_${suffixOf(locale)}`;
  const [given = null] = await of<Shopper['level']['given']>(
    `select l.key, l.${name} as name, v.until, v.given_by as by, v.given_at as at
       from given_levels v join levels l on l.id = v.level_id where v.user_id = $1`,
  );
  const [own = null] = await of<Shopper['level']['own']>(
    `select key, ${name} as name from levels where id = shopper_level($1)`,
  );
  return {
    user: toFoundUser(row),
    is_vip: row.is_vip,
    level: { own, given },
    orders: await of(
      `select ${orderColumns(locale)} from orders o where o.user_id = $1 and o.hidden_at is null order by o.id desc limit ${MOST_SHOWN}`,
    ),
    notes: await of(
      `select n.id, n.at, p.name as by, n.note from person_notes n join staff_people p on p.id = n.staff_id
        where n.user_id = $1 order by n.id desc limit ${MOST_SHOWN}`,
    ),
    wallets: await of(
      `select currency, ${amount('balance')} as balance, ${amount('frozen')} as frozen, locked
         from wallets where user_id = $1 order by currency`,
    ),
    payments: await paymentsOf(sql, 'p.user_id = $1', id),
    ledger: await of(
      `select e.id, t.created_at as at, t.type, ${amount('e.amount')} as amount, ${amount('e.balance_after')} as balance_after, e.currency,
              o.order_no, t.remark
         from ledger_entries e join ledger_transactions t on t.id = e.transaction_id left join orders o on o.id = t.order_id
        where e.user_id = $1 and e.account = 'available' order by e.id desc limit ${MOST_SHOWN}`,
    ),
    coupons: await of(
      `select uc.id, c.${name} as name, uc.use_status, uc.end_time
         from user_coupons uc join coupons c on c.id = uc.coupon_id where uc.user_id = $1 order by uc.id desc limit ${MOST_SHOWN}`,
    ),
    sessions: await sql.rows(
      `select id, browser, system, created_at, seen_at from sessions
        where user_id = $1 and expires_at > clock_timestamp() and seen_at > clock_timestamp() - make_interval(secs => $2)
        order by seen_at desc limit ${MOST_SHOWN}`,
      [id, idleSeconds],
    ),
  };
}

/** Throws NotFound, also for an erased user. */
export async function lockShopper(sql: Sql, id: number): Promise<void> {
  if (!(await sql.row('select 1 from users where id = $1 and erased_at is null for update', [id])))
    throw new ShopError(ErrorCode.NotFound);
}

/** Ignores a note that repeats the newest one. Throws NotFound. */
export async function addNote(sql: Sql, staff: StaffViewer, id: number, note: string): Promise<void> {
  await lockShopper(sql, id);
  const added = await sql.run(
    `insert into person_notes (user_id, staff_id, note) select $1, $2, $3
      where not exists (select 1 from person_notes where id = (select max(id) from person_notes where user_id = $1)
                          and staff_id = $2 and note = $3)`,
    [id, staff.id, note],
  );
  if (added) await record(sql, { action: 'person.note', detail: { note }, userId: id });
}
