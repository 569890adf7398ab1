import { ErrorCode } from '@shop/shared/domain';
import { saveArticle, saveConfig } from '../content/content.service';
import type { AppContext } from '../context';
import { giveCoupon } from '../coupons/coupons.service';
import type { Sql } from '../db/sql';
import { messageOf, shopErrorOf } from '../http/errors';
import { fromWire, toWire } from '../http/money';
import type { Currency } from '../http/schemas';
import { refundPayment } from '../payments/remote-payments.service';
import { LogType, post } from '../wallet/wallet.service';

/** A mistake in what the staff typed: one clear line. */
export class StaffError extends Error {}

async function audit(sql: Sql, action: string, subject: string, detail: object = {}, userId: number | null = null) {
  await sql.run("insert into audit_log (actor, action, subject, detail, user_id) values ('staff', $1, $2, $3, $4)", [
    action,
    subject,
    JSON.stringify(detail),
    userId,
  ]);
}

async function userByPhone(sql: Sql, phone: string): Promise<number> {
  const row = await sql.row<{ id: number }>('select id from users where phone = $1', [phone]);
  if (!row) throw new StaffError(`There is no user with the phone ${phone}.`);
  return row.id;
}
async function orderByNo(sql: Sql, orderNo: string) {
  const row = await sql.row<{ id: number; user_id: number }>('select id, user_id from orders where order_no = $1', [
    orderNo,
  ]);
  if (!row) throw new StaffError(`There is no order ${orderNo}.`);
  return row;
}

export function waitingOrders({ db }: AppContext) {
  return db.rows(
    `select o.order_no, o.snapshot -> 'name' ->> 'zh-CN' as name, o.snapshot -> 'face_value' ->> 'zh-CN' as face_value,
            o.quantity, o.paid_at, o.refund_state, r.supplier, r.tries, r.detail
       from orders o left join supplier_requests r on r.order_id = o.id
      where o.status = 12 or o.refund_state = 'requested' order by o.paid_at limit 200`,
  );
}

/** What the buyer filled in, secrets too, for the operator who tops up by hand. The look is on record. */
export async function orderFields({ db, keyring }: AppContext, orderNo: string): Promise<Record<string, string>> {
  return db.withTransaction(async (sql) => {
    const { id } = await orderByNo(sql, orderNo);
    const row = await sql.one<{ fields_cipher: Buffer | null; fields_key: string }>(
      'select fields_cipher, fields_key from orders where id = $1',
      [id],
    );
    await audit(sql, 'order.fields', orderNo);
    if (!row.fields_cipher) return {};
    return (JSON.parse(keyring.decrypt(row.fields_key, row.fields_cipher)) as { fields: Record<string, string> })
      .fields;
  });
}

export async function deliver({ db }: AppContext, orderNo: string, note: string): Promise<void> {
  await db.withTransaction(async (sql) => {
    const order = await orderByNo(sql, orderNo);
    const { done } = await sql.one<{ done: boolean }>("select order_deliver($1, $2, 'staff') as done", [
      order.id,
      note,
    ]);
    if (!done) throw new StaffError(`Order ${orderNo} is not waiting for delivery.`);
    await sql.run('update supplier_requests set state = 2 where order_id = $1 and state in (0, 1)', [order.id]);
    await audit(sql, 'order.deliver', orderNo, { note }, order.user_id);
  });
}

export async function refund({ db }: AppContext, orderNo: string, reason: string): Promise<void> {
  await db.withTransaction(async (sql) => {
    const order = await orderByNo(sql, orderNo);
    const { done } = await sql.one<{ done: boolean }>("select order_refund($1, $2, 'staff') as done", [
      order.id,
      reason,
    ]);
    if (!done) throw new StaffError(`Order ${orderNo} has nothing to refund.`);
    await sql.run('update supplier_requests set state = 3 where order_id = $1 and state in (0, 1)', [order.id]);
    await audit(sql, 'order.refund', orderNo, { reason }, order.user_id);
  });
}

/** Payments of an order or a recharge, or the one of this number, with what was paid back. */
export async function payments({ db }: AppContext, number: string) {
  const rows = await db.rows<{ amount: number; paid_back: number }>(
    `select p.payment_no, p.method, p.state, p.amount, p.currency, p.provider_ref, p.created_at, p.ended_at,
            coalesce((select sum(amount) from payment_refunds where payment_id = p.id and state = 'done'), 0)::bigint as paid_back,
            (select string_agg(refund_no || ' ' || state || ' ' || detail, '; ' order by id) from payment_refunds where payment_id = p.id) as refunds
       from payments p left join orders o on o.id = p.order_id left join recharges r on r.id = p.recharge_id
      where $1 in (p.payment_no, o.order_no, r.recharge_no) order by p.id`,
    [number],
  );
  return rows.map((row) => ({ ...row, amount: toWire(row.amount), paid_back: toWire(row.paid_back) }));
}

/** From the wallet back to where the payment's money came from; answers what has become of it. */
export async function payBack(context: AppContext, paymentNo: string, amount: string, reason: string): Promise<string> {
  const minor = fromWire(amount);
  if (!minor) throw new StaffError(`"${amount}" is not an amount like 12.34.`);
  const refundNo = await refundPayment(context, { paymentNo, amount: minor, reason, actor: 'staff' }).catch((error) => {
    const known = shopErrorOf(error);
    throw known ? new StaffError(payBackFaults[known.code] ?? messageOf(known.code, 'en')) : error;
  });
  const { state, detail } = await context.db.one<{ state: string; detail: string }>(
    'select state, detail from payment_refunds where refund_no = $1',
    [refundNo],
  );
  if (state === 'failed') throw new StaffError(`The provider refused, the wallet has the money again: ${detail}`);
  return state === 'done'
    ? `Paid back under ${refundNo}.`
    : `Under way under ${refundNo}; the shop asks the provider until it is done.`;
}
const payBackFaults: Partial<Record<number, string>> = {
  [ErrorCode.OrderNotFound]: 'There is no such payment.',
  [ErrorCode.WrongOrderState]: 'This payment brought no money.',
  [ErrorCode.BalanceTooLow]: 'The wallet holds less. Refund the order first: it pays into the wallet.',
  [ErrorCode.PaymentMethodUnavailable]: 'This method can not pay back, or is not configured.',
  [ErrorCode.PaidAmountMismatch]: 'That is more than is left of this payment.',
};

export async function refuseRefund({ db }: AppContext, orderNo: string, reason: string): Promise<void> {
  await db.withTransaction(async (sql) => {
    const order = await orderByNo(sql, orderNo);
    const changed = await sql.run(
      "update orders set refund_state = 'refused' where id = $1 and refund_state = 'requested'",
      [order.id],
    );
    if (!changed) throw new StaffError(`No refund was asked for order ${orderNo}.`);
    await sql.run(
      `insert into order_events (order_id, kind, status, delivery_status, note, actor)
       select id, 'refund_refused', status, delivery_status, $2, 'staff' from orders where id = $1`,
      [order.id, reason],
    );
    await audit(sql, 'order.refuse-refund', orderNo, { reason }, order.user_id);
  });
}

export async function give({ db }: AppContext, phone: string, couponKey: string): Promise<void> {
  await db.withTransaction(async (sql) => {
    const userId = await userByPhone(sql, phone);
    const coupon = await sql.row<{ id: number }>('select id from coupons where key = $1', [couponKey]);
    if (!coupon) throw new StaffError(`There is no coupon "${couponKey}".`);
    await giveCoupon(sql, userId, coupon.id);
    await audit(sql, 'coupon.give', couponKey, {}, userId);
  });
}

export const coupons = ({ db }: AppContext) =>
  db.rows('select key, name_zh as name, coupon_type, status, received, total, redeem_code from coupons order by id');

export type WalletAction = 'adjust' | 'freeze' | 'thaw';

/** adjust takes a signed amount: plus is a refund-like credit (type 1), minus a deduction (type 3). Answers the balance. */
export async function changeWallet(
  { db }: AppContext,
  action: WalletAction,
  { phone, amount, currency, reason }: { phone: string; amount: string; currency: string; reason: string },
): Promise<string> {
  const sign = amount.startsWith('-') ? -1 : 1;
  const minor = fromWire(amount.replace(/^[+-]/, ''));
  if (!minor || (action !== 'adjust' && sign < 0)) throw new StaffError(`"${amount}" is not an amount like 12.34.`);
  if (currency !== 'CNY' && currency !== 'USD') throw new StaffError(`"${currency}" is not CNY or USD.`);
  if (!reason) throw new StaffError('A reason is needed: --reason "…".');
  return db.withTransaction(async (sql) => {
    const userId = await userByPhone(sql, phone);
    const moves = {
      adjust: { type: sign > 0 ? LogType.Recharge : LogType.Deduction, available: sign * minor, frozen: 0 },
      freeze: { type: LogType.Freeze, available: -minor, frozen: minor },
      thaw: { type: LogType.Thaw, available: minor, frozen: -minor },
    }[action];
    const posting = {
      userId,
      currency: currency as Currency,
      counter: 'adjustment' as const,
      remark: reason,
      actor: 'staff',
    };
    const balance = await post(sql, { ...posting, ...moves });
    await audit(sql, `wallet.${action}`, phone, { amount, currency, reason }, userId);
    return toWire(balance);
  });
}

export async function setUser(
  { db }: AppContext,
  phone: string,
  change: 'disable' | 'enable' | 'vip' | 'no-vip' | 'lock' | 'unlock',
) {
  await db.withTransaction(async (sql) => {
    const userId = await userByPhone(sql, phone);
    const statements = {
      disable: 'update users set is_usable = 0 where id = $1',
      enable: 'update users set is_usable = 1 where id = $1',
      vip: 'update users set is_vip = true where id = $1',
      'no-vip': 'update users set is_vip = false where id = $1',
      lock: 'update wallets set locked = true where user_id = $1',
      unlock: 'update wallets set locked = false where user_id = $1',
    };
    await sql.run(statements[change], [userId]);
    if (change === 'disable') await sql.run('delete from sessions where user_id = $1', [userId]);
    await audit(sql, `user.${change}`, phone, {}, userId);
  });
}

export async function setArticle(
  { db }: AppContext,
  id: string,
  texts: { titleZh: string; titleEn: string; zh: string; en: string; sort: number },
) {
  if (!/^[a-z0-9-]{1,60}$/.test(id)) throw new StaffError(`"${id}" is not a word for an address (a-z, 0-9, -).`);
  await db.withTransaction(async (sql) => {
    const title = { 'zh-CN': texts.titleZh, en: texts.titleEn };
    await saveArticle(sql, { id, title, content: { 'zh-CN': texts.zh, en: texts.en }, sort: texts.sort });
    await audit(sql, 'article.set', id);
  });
}

export async function setConfig({ db }: AppContext, key: string, text: string): Promise<void> {
  let value: unknown = text;
  if (/^[[{"]/.test(text)) {
    try {
      value = JSON.parse(text);
    } catch {
      throw new StaffError('The value looks like JSON but is not.');
    }
  }
  await db.withTransaction(async (sql) => {
    await saveConfig(sql, key, value);
    await audit(sql, 'config.set', key);
  });
}

export async function figures({ db }: AppContext, day: string) {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day)))
    throw new StaffError(`"${day}" is not a day like 2026-01-31.`);
  const rows = await db.rows<{ currency: string; paid: number; sales: number; refunds: number; recharged: number }>(
    `with span as (select $1::timestamptz as start, $1::timestamptz + interval '1 day' as stop)
     select c.currency,
       (select count(*) from orders, span where currency = c.currency and paid_at >= start and paid_at < stop) as paid,
       (select coalesce(sum(total_amount), 0)::bigint from orders, span where currency = c.currency and paid_at >= start and paid_at < stop) as sales,
       (select coalesce(sum(total_amount), 0)::bigint from orders, span where currency = c.currency and refunded_at >= start and refunded_at < stop) as refunds,
       (select coalesce(sum(amount), 0)::bigint from recharges, span where currency = c.currency and paid_at >= start and paid_at < stop) as recharged
       from (values ('CNY'), ('USD')) c (currency)`,
    [`${day}T00:00:00Z`],
  );
  return rows.map((row) => ({
    ...row,
    sales: toWire(row.sales),
    refunds: toWire(row.refunds),
    recharged: toWire(row.recharged),
  }));
}
