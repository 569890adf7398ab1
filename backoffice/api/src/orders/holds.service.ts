import type { AppContext } from '@shop/server/context';
import { releaseHeld, sourceOf } from '@shop/server/holds/holds.service';
import { orderForStaff } from '@shop/server/orders/deliver-order.service';
import { RISK_REASON } from '@shop/server/orders/order-texts';
import { upsert } from '@shop/server/platform/db/sql';
import { exact, oneOf } from '@shop/server/platform/http/edit-schemas';
import { ShopError } from '@shop/server/platform/http/errors';
import { fromWire } from '@shop/server/platform/http/money';
import { Nullable } from '@shop/server/platform/http/schemas';
import { ErrorCode } from '@shop/shared/domain';
import { type Static, Type } from 'typebox';
import type { Editable } from '../edits/edits.service';
import { record } from '../people/record';
import type { StaffViewer } from '../people/staff-sessions.service';
import { amount } from '../sql';
import { RefuseBodySchema } from './queue.service';
import { type StaffRefundAnswer, staffRefund } from './refunds.service';

/** Empty: the rule is off. */
const AmountSchema = Type.String({ pattern: '^((?=.*[1-9])\\d{1,7}(\\.\\d{1,2})?)?$' });

/** The rules that put paid orders on hold, as staff edit them. A rule whose value is null or empty is off. */
export const StaffHoldSettingsSchema = exact({
  enabled: Type.Boolean(),
  from: exact({ CNY: AmountSchema, USD: AmountSchema }),
  new_account_hours: Nullable(Type.Integer({ minimum: 1, maximum: 8760 })),
  codes_per_hour: Nullable(Type.Integer({ minimum: 1, maximum: 1000 })),
  /** Country codes of two letters, separated by commas. */
  countries: Type.String({ maxLength: 200, pattern: '^([A-Z]{2}(, ?[A-Z]{2})*)?$' }),
  networks: Type.Boolean(),
  minutes: Type.Integer({ minimum: 5, maximum: 30 }),
  at_end: oneOf(['release', 'refund'] as const),
});
export type StaffHoldSettings = Static<typeof StaffHoldSettingsSchema>;

export const RefundHeldBodySchema = Type.Omit(RefuseBodySchema, ['reason'], { additionalProperties: false });

const unset: StaffHoldSettings = {
  enabled: false,
  from: { CNY: '500.00', USD: '80.00' },
  new_account_hours: null,
  codes_per_hour: 20,
  countries: '',
  networks: true,
  minutes: 30,
  at_end: 'release',
};
const stored = `
  select enabled, json_build_object('CNY', coalesce(${amount('cny_from')}, ''), 'USD', coalesce(${amount('usd_from')}, '')) as "from",
         new_account_hours, codes_per_hour, array_to_string(countries, ', ') as countries, networks, minutes, at_end
    from hold_settings`;

export const holdSettingsEditable: Editable<StaffHoldSettings> = {
  kind: 'hold',
  read: async (sql, key) => (key === 'shop' ? ((await sql.row<StaffHoldSettings>(stored)) ?? unset) : undefined),
  write: async (sql, key, value) => {
    if (key !== 'shop') throw new ShopError(ErrorCode.NotFound);
    const { from, countries, ...rest } = value;
    const row = {
      id: true,
      ...rest,
      cny_from: fromWire(from.CNY),
      usd_from: fromWire(from.USD),
      countries: countries.split(/, ?/).filter(Boolean),
    };
    await upsert(sql, 'hold_settings', row, 'id');
  },
};

/**
 * Releases a hold; the order need not be claimed. Throws WrongOrderState if the order is not on hold, is disputed, or waits for its refund.
 */
export const release = ({ db }: AppContext, orderNo: string): Promise<void> =>
  db.withTransaction(async (sql) => {
    const order = await orderForStaff(sql, orderNo);
    if (!(await releaseHeld(sql, order.id, 'staff'))) throw new ShopError(ErrorCode.WrongOrderState);
    await record(sql, { action: 'order.release', subject: orderNo, userId: order.user_id });
  });

/**
 * Refunds the rest of the order to its payer and closes the buyer's unpaid orders for their risk; above the shop's amount a
 * second staff member must approve. The same key again is the same refund. Throws WrongOrderState if the order is not on hold,
 * and the errors of staffRefund.
 */
export async function refundOnHold(
  context: AppContext,
  staff: StaffViewer,
  { order_no, ...body }: Static<typeof RefundHeldBodySchema>,
): Promise<StaffRefundAnswer> {
  const { db } = context;
  const order = await db.row<{ method: string | null; is_held: boolean; is_repeat: boolean }>(
    `select p.method, o.held_until is not null as is_held,
            exists (select 1 from order_refunds where refund_no = $2 and order_id = o.id) as is_repeat
       from orders o left join payments p on p.id = o.payment_id where o.order_no = $1`,
    [order_no, body.key],
  );
  if (!order) throw new ShopError(ErrorCode.OrderNotFound);
  if (!order.is_held && !order.is_repeat) throw new ShopError(ErrorCode.WrongOrderState);
  return staffRefund(
    context,
    staff,
    { ...body, order_no, reason: RISK_REASON, target: sourceOf(context, order.method) },
    { risk: true },
  );
}
