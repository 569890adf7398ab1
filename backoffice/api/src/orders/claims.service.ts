import type { AppContext } from '@shop/server/context';
import { type OrderHandle, orderForStaff } from '@shop/server/orders/deliver-order.service';
import { RequestState } from '@shop/server/platform/db/named-numbers';
import type { Sql } from '@shop/server/platform/db/sql';
import { ShopError } from '@shop/server/platform/http/errors';
import { ErrorCode, OrderStatus } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { record } from '../people/record';
import type { StaffViewer } from '../people/staff-sessions.service';

/** Claiming an order again extends the claim. After this time other staff can claim it. */
const CLAIM_SECONDS = 15 * 60;

/** Claims a waiting order, or extends the claim. Throws OrderTaken. */
export async function takeOrder(sql: Sql, staff: StaffViewer, orderNo: string): Promise<Date> {
  const order = await orderForStaff(sql, orderNo);
  const { waits, taken_by, name } = await sql.one<{ waits: boolean; taken_by: number | null; name: string | null }>(
    `select o.status = ${OrderStatus.Paid} or o.refund_state = 'requested' as waits, p.id as taken_by, p.name
       from orders o left join staff_claims c on c.order_id = o.id and c.expires_at > clock_timestamp()
       left join staff_people p on p.id = c.staff_id where o.id = $1`,
    [order.id],
  );
  if (!waits) throw new ShopError(ErrorCode.WrongOrderState);
  if (taken_by !== null && taken_by !== staff.id) throw new ShopError(StaffErrorCode.OrderTaken, { by: name });
  const until = await sql.value<Date>(
    `insert into staff_claims (order_id, staff_id, expires_at) values ($1, $2, clock_timestamp() + make_interval(secs => $3))
     on conflict (order_id) do update set staff_id = excluded.staff_id, expires_at = excluded.expires_at,
       taken_at = case when staff_claims.staff_id = excluded.staff_id then staff_claims.taken_at else clock_timestamp() end
     returning expires_at`,
    [order.id, staff.id, CLAIM_SECONDS],
  );
  // A supplier that has not received its request yet must not deliver the same order meanwhile.
  await sql.run(
    `update supplier_requests set next_at = greatest(next_at, $2) where order_id = $1 and state = ${RequestState.ToSend}`,
    [order.id, until],
  );
  const { order_no: subject, user_id: userId } = order;
  if (taken_by === null) await record(sql, { action: 'order.take', subject, userId, detail: { to: staff.name } });
  return until;
}

/** Returns the order, locked, if the staff member has claimed it. Throws OrderNotTaken. */
export async function claimedOrder(sql: Sql, staff: StaffViewer, orderNo: string): Promise<OrderHandle> {
  const order = await orderForStaff(sql, orderNo);
  const claim = await sql.row(
    'select 1 from staff_claims where order_id = $1 and staff_id = $2 and expires_at > clock_timestamp()',
    [order.id, staff.id],
  );
  if (!claim) throw new ShopError(StaffErrorCode.OrderNotTaken);
  return order;
}

/** Runs `work` only for an order that the staff member has claimed, so that each access has a purpose. Throws OrderNotTaken. */
export const onClaimed = <T>(
  { db }: AppContext,
  staff: StaffViewer,
  { order_no }: { order_no: string },
  work: (sql: Sql, order: OrderHandle) => Promise<T>,
) => db.withTransaction(async (sql) => work(sql, await claimedOrder(sql, staff, order_no)));

/** Call it when the order is done, or to release it for other staff. */
export const endClaim = (sql: Sql, order: OrderHandle) =>
  sql.run('delete from staff_claims where order_id = $1', [order.id]);

export async function giveBack(sql: Sql, order: OrderHandle): Promise<void> {
  await endClaim(sql, order);
  await sql.run(
    `update supplier_requests set next_at = clock_timestamp() where order_id = $1 and state = ${RequestState.ToSend}`,
    [order.id],
  );
  await record(sql, { action: 'order.give-back', subject: order.order_no, userId: order.user_id });
}
