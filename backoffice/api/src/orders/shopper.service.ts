import { eraseAccount, requireNothingOpen } from '@shop/server/accounts/privacy/closure.service';
import type { AppContext } from '@shop/server/context';
import { giveCoupon } from '@shop/server/coupons/coupons.service';
import { staffActor } from '@shop/server/platform/audit/audit';
import type { Database } from '@shop/server/platform/db/database';
import type { Sql } from '@shop/server/platform/db/sql';
import { EditKeySchema, InstantSchema } from '@shop/server/platform/http/edit-schemas';
import { fieldError, ShopError } from '@shop/server/platform/http/errors';
import { fieldText } from '@shop/server/platform/http/field-messages';
import { type Currency, IdSchema, type Locale, Nullable, TimeSchema } from '@shop/server/platform/http/schemas';
import { CouponType, ErrorCode } from '@shop/shared/domain';
import { currencies } from '@shop/shared/domain/lists';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { type Static, Type } from 'typebox';
import type { Sent } from '../calls';
import { isWithinDay } from '../people/approvals';
import { record } from '../people/record';
import type { StaffViewer } from '../people/staff-sessions.service';
import { FoundUserSchema } from './find.schemas';
import { lockShopper, toFoundUser, type UserRow, userColumns } from './find.service';
import { reasonSchema } from './refunds.service';

export const ShopperChangeBodySchema = Type.Object({
  id: IdSchema,
  /** False also ends the sessions. */
  is_usable: Type.Optional(Type.Boolean()),
  is_vip: Type.Optional(Type.Boolean()),
  wallet_locked: Type.Optional(Type.Boolean()),
  reason: reasonSchema,
});
export type ShopperChangeBody = Static<typeof ShopperChangeBodySchema>;

export const GiveCouponBodySchema = Type.Object({
  id: IdSchema,
  coupon: Type.String({ minLength: 1, maxLength: 60 }),
});

export const GiveLevelBodySchema = Type.Object({
  id: IdSchema,
  /** The key from the list of levels; null withdraws the granted level. */
  level: Nullable(EditKeySchema),
  until: Nullable(InstantSchema),
  reason: reasonSchema,
});
export type GiveLevelBody = Static<typeof GiveLevelBodySchema>;

export const EraseShopperBodySchema = Type.Object({ id: IdSchema, reason: reasonSchema });

export const ClosingSchema = Type.Object({
  user: FoundUserSchema,
  closed_at: TimeSchema,
  erased_at: TimeSchema,
  /** Any of balance, orders, recharges, refunds, disputes. */
  waits_for: Type.Array(Type.String()),
});
export type Closing = Static<typeof ClosingSchema>;

const enter = (sql: Sql, userId: number, action: string, detail: object, subject = '') =>
  record(sql, { action, subject, detail, userId });

/** Throws NotFound. */
export const changeShopper = (db: Database, { id, reason, ...change }: ShopperChangeBody) =>
  db.withTransaction(async (sql) => {
    await lockShopper(sql, id);
    const { is_usable, is_vip, wallet_locked } = change;
    await sql.run(
      'update users set is_usable = coalesce($2::boolean::integer, is_usable), is_vip = coalesce($3, is_vip) where id = $1',
      [id, is_usable ?? null, is_vip ?? null],
    );
    if (is_usable === false) await sql.run('delete from sessions where user_id = $1', [id]);
    if (wallet_locked !== undefined)
      await sql.run('update wallets set locked = $2 where user_id = $1', [id, wallet_locked]);
    await enter(sql, id, 'person.change', { after: change, reason });
  });

/**
 * Counts towards the staff member's daily limit: a reduction with its amount, a discount with its share of the largest gift to
 * one user. Throws NotFound, CouponNotFound, CouponAlreadyReceived, NoCouponsLeft, and SecondPersonNeeded above the daily limit.
 */
export const giveShopperCoupon = ({ db, config }: AppContext, staff: StaffViewer, id: number, key: string) =>
  db.withTransaction(async (sql) => {
    await lockShopper(sql, id);
    const coupon = await sql.row<{ id: number; discount: number | null; amounts: Partial<Record<Currency, number>> }>(
      `select id, case coupon_type when ${CouponType.Discount} then 1000 - discount_tenths * 10 end as discount,
              coalesce((select jsonb_object_agg(currency, reduce_price) from coupon_amounts where coupon_id = c.id), '{}') as amounts
         from coupons c where key = $1`,
      [key],
    );
    if (!coupon) throw new ShopError(ErrorCode.CouponNotFound);
    await giveCoupon(sql, id, coupon.id, config.timeZone);
    for (const currency of currencies) {
      const share = Math.floor(((config.staffRefundAbove[currency] ?? 0) * (coupon.discount ?? 0)) / 1000);
      const amount = coupon.discount === null ? (coupon.amounts[currency] ?? 0) : share;
      if (!(await isWithinDay(sql, config, staff, { currency, amount })))
        throw new ShopError(StaffErrorCode.SecondPersonNeeded);
    }
    await enter(sql, id, 'coupon.give', {}, key);
  });

/** Accepts also a level below the one that the shopper has reached: the higher one applies. Throws NotFound, also for an unknown level. */
export const giveShopperLevel = (db: Database, { id, level, until, reason }: GiveLevelBody, locale: Locale) =>
  db.withTransaction(async (sql) => {
    await lockShopper(sql, id);
    if (until !== null && Date.parse(until) <= Date.now()) throw fieldError({ until: fieldText('minimum', locale) });
    if (level === null) await sql.run('delete from given_levels where user_id = $1', [id]);
    else {
      const changed = await sql.run(
        `insert into given_levels (user_id, level_id, until, given_by) select $1, l.id, $3, $4 from levels l where l.key = $2
         on conflict (user_id) do update set level_id = excluded.level_id, until = excluded.until, given_by = excluded.given_by,
           given_at = clock_timestamp()`,
        [id, level, until, staffActor().actor],
      );
      if (!changed) throw new ShopError(ErrorCode.NotFound);
    }
    await enter(sql, id, 'level.give', { level, until, reason }, level ?? '');
  });

/** Throws NotFound. */
export const enterExport = (db: Database, id: number) =>
  db.withTransaction(async (sql) => {
    await lockShopper(sql, id);
    await enter(sql, id, 'account.export', {});
  });

/**
 * Erases the account at once, after a request of the user by other means; resolves to the pseudonym. Throws NotFound,
 * AccountHasBalance, AccountHasOpenMatters.
 */
export const eraseShopper = ({ db }: AppContext, id: number, reason: string): Promise<string> =>
  db.withTransaction(async (sql) => {
    await lockShopper(sql, id);
    await requireNothingOpen(sql, id);
    return eraseAccount(sql, id, staffActor().actor, reason);
  });

/** Accounts that their owners have closed, earliest erasure first. The access is recorded in the audit log. */
export async function closings(sql: Sql): Promise<Sent<Closing>[]> {
  const rows = await sql.rows<UserRow & Omit<Sent<Closing>, 'user'>>(
    `select ${userColumns}, u.close_requested_at as closed_at, u.close_at as erased_at, account_blockers(u.id) as waits_for
       from users u where u.close_at is not null order by u.close_at limit 200`,
  );
  await record(sql, { action: 'closure.list' });
  return rows.map(({ closed_at, erased_at, waits_for, ...row }) => ({
    user: toFoundUser(row),
    closed_at,
    erased_at,
    waits_for,
  }));
}
