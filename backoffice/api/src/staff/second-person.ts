/** Which money one member of staff does not move alone, and who counts as the second. */
import type { Sql } from '@shop/server/platform/db/sql';
import { ShopError } from '@shop/server/platform/http/errors';
import { toWire } from '@shop/server/platform/http/money';
import type { Currency } from '@shop/server/platform/http/schemas';
import { ErrorCode } from '@shop/shared/domain';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';

type Bounds = Partial<Record<Currency, number>>;
/** Minor units that were given away in the same way, with this act: parts do not get around the bound. */
interface Given {
  currency: Currency;
  inAll: number;
}

/**
 * Makes what moves money, in the caller's transaction and under its lock, and takes it back when all that was given is above the bound: then
 * it waits for a second person. So whoever asks for what cannot be made is told at once, and the bound is held against what was booked.
 */
export async function madeAlone<Act extends Given>(
  sql: Sql,
  bounds: Bounds,
  make: () => Promise<Act>,
): Promise<{ act: Act; isAlone: boolean }> {
  await sql.script('savepoint alone');
  const act = await make();
  const isAlone = act.inAll <= (bounds[act.currency] ?? Number.POSITIVE_INFINITY);
  if (!isAlone) await sql.script('rollback to savepoint alone');
  return { act, isAlone };
}

/** What waits, once what it is about is locked, as whoever asks for it locks that. Throws NotFound for what is decided. */
export async function lockWaiting<Act>(
  find: () => Promise<Act | undefined>,
  lock: (act: Act) => Promise<unknown>,
): Promise<Act> {
  const before = await find();
  if (before) await lock(before);
  const act = before && (await find());
  if (!act) throw new ShopError(ErrorCode.NotFound);
  return act;
}

/** Throws SecondPersonNeeded to whoever asked for it; refusing is also taking back. */
export async function decide(
  sql: Sql,
  table: 'staff_refunds' | 'staff_wallet_acts',
  act: { id: number; asked_by: number },
  staff: { id: number },
  state: 'done' | 'refused',
): Promise<void> {
  if (state === 'done' && act.asked_by === staff.id) throw new ShopError(StaffErrorCode.SecondPersonNeeded);
  await sql.run(`update ${table} set state = $3, decided_by = $2, decided_at = clock_timestamp() where id = $1`, [
    act.id,
    staff.id,
    state,
  ]);
}

interface WaitingRow {
  amount: number;
  asked_id: number;
  asked_at: Date;
}
export const toWaiting = <Row extends WaitingRow>(
  { amount, asked_id, asked_at, ...row }: Row,
  staff: { id: number },
) => ({
  ...row,
  amount: toWire(amount),
  mine: asked_id === staff.id,
  asked_at: asked_at.toISOString(),
});
