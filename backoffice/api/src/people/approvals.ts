import type { AppContext } from '@shop/server/context';
import type { Sql } from '@shop/server/platform/db/sql';
import { ShopError } from '@shop/server/platform/http/errors';
import type { Currency } from '@shop/server/platform/http/schemas';
import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import { insert } from '../sql';

type Bounds = Pick<AppContext['config'], 'staffRefundAbove' | 'staffDayAbove'>;
/** Minor units. */
interface MovedMoney {
  currency: Currency;
  /** The amount of this action; 0 if it gives nothing or was counted before. */
  amount: number;
  /** The sum of all such actions, with this one: parts do not bypass the limit. */
  total: number;
}
/** The gifts of one staff member to all users count together within this time. */
const GIFT_PERIOD = '1 day';

/** Records a gift. Resolves to false if the staff member exceeds the daily limit with it. */
export async function isWithinDay(
  sql: Sql,
  { staffDayAbove }: Pick<Bounds, 'staffDayAbove'>,
  staff: { id: number },
  { currency, amount }: Pick<MovedMoney, 'currency' | 'amount'>,
): Promise<boolean> {
  if (amount === 0) return true;
  // The lock serialises the gifts of one staff member.
  await sql.row('select 1 from staff_people where id = $1 for no key update', [staff.id]);
  await insert(sql, 'staff_gifts', { staff_id: staff.id, currency, amount });
  const sum = await sql.value<number>(
    `select sum(amount)::bigint from staff_gifts
      where staff_id = $1 and currency = $2 and at > clock_timestamp() - $3::interval`,
    [staff.id, currency, GIFT_PERIOD],
  );
  return sum <= (staffDayAbove[currency] ?? Number.POSITIVE_INFINITY);
}

/**
 * Runs an action that moves money, in the caller's transaction and under its lock. If the sum of the actions, or of the staff
 * member's day, exceeds the limit, it rolls the action back, and the action must wait for a second staff member. An impossible
 * action fails at once, and the limit is compared with the booked amount.
 */
export async function makeWithinLimits<Action extends MovedMoney>(
  sql: Sql,
  bounds: Bounds,
  staff: { id: number },
  make: () => Promise<Action>,
): Promise<{ action: Action; isWithinLimits: boolean }> {
  await sql.script('savepoint alone');
  const action = await make();
  const isWithinLimits =
    action.total <= (bounds.staffRefundAbove[action.currency] ?? Number.POSITIVE_INFINITY) &&
    (await isWithinDay(sql, bounds, staff, action));
  if (!isWithinLimits) await sql.script('rollback to savepoint alone');
  return { action, isWithinLimits };
}

interface WaitingKind {
  table: 'staff_refunds' | 'staff_wallet_acts' | 'staff_code_exports';
  /** Reads and locks the row with the id $1 while it waits. */
  query: string;
}

/**
 * Decides an action that waits, and returns its row. Throws NotFound if it is decided, and SecondPersonNeeded if its requester
 * approves it; a requester may refuse it, which withdraws it.
 */
export async function decide<Waiting extends { asked_by: number }>(
  sql: Sql,
  { table, query }: WaitingKind,
  id: number,
  staff: { id: number },
  state: 'done' | 'refused',
): Promise<Waiting> {
  const waiting = await sql.row<Waiting>(query, [id]);
  if (!waiting) throw new ShopError(ErrorCode.NotFound);
  if (state === 'done' && waiting.asked_by === staff.id) throw new ShopError(StaffErrorCode.SecondPersonNeeded);
  const decided = `update ${table} set state = $3, decided_by = $2, decided_at = clock_timestamp() where id = $1`;
  await sql.run(decided, [id, staff.id, state]);
  return waiting;
}

export interface WaitingRow {
  id: number;
  amount: string;
  currency: Currency;
  reason: string;
  asked_by: string;
  asked_at: Date;
  /** The caller has requested it. */
  mine: boolean;
}
