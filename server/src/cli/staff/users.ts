import { LedgerType } from '@shop/shared/domain';
import type { AppContext } from '../../context';
import { giveCoupon } from '../../coupons/coupons.service';
import { staffActor } from '../../platform/audit/audit';
import { fromWire, toWire } from '../../platform/http/money';
import type { Currency } from '../../platform/http/schemas';
import { postToWallet } from '../../wallet/wallet.service';
import { audit, StaffError, userByPhone } from './common';

export const coupons = ({ db }: AppContext) =>
  db.rows('select key, name_zh as name, coupon_type, status, received, total, redeem_code from coupons order by id');

export async function give({ db }: AppContext, phone: string, couponKey: string): Promise<void> {
  await db.withTransaction(async (sql) => {
    const userId = await userByPhone(sql, phone);
    const coupon = await sql.row<{ id: number }>('select id from coupons where key = $1', [couponKey]);
    if (!coupon) throw new StaffError(`There is no coupon "${couponKey}".`);
    await giveCoupon(sql, userId, coupon.id);
    await audit(sql, 'coupon.give', couponKey, {}, userId);
  });
}

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
      adjust: { type: sign > 0 ? LedgerType.Recharge : LedgerType.Deduction, available: sign * minor, frozen: 0 },
      freeze: { type: LedgerType.Freeze, available: -minor, frozen: minor },
      thaw: { type: LedgerType.Thaw, available: minor, frozen: -minor },
    }[action];
    const posting = {
      userId,
      currency: currency as Currency,
      counter: 'adjustment' as const,
      remark: reason,
      actor: staffActor().actor,
    };
    const balance = await postToWallet(sql, { ...posting, ...moves });
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
