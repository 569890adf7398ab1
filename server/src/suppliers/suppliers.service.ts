import type { AppContext } from '../context';
import type { SealedFields } from '../orders/deliver-order.service';
import { RequestState } from '../platform/db/named-numbers';
import type { Sql } from '../platform/db/sql';
import { withinTime } from '../platform/within-time';
import { ProviderRefusal, type SupplierProvider, type SupplyAnswer } from '../providers/providers';

interface Claim {
  order_id: number;
  order_no: string;
  supplier: string;
  reference: string;
  state: number;
  tries: number;
  lease: number;
  sent_at: Date;
  refused_at: Date | null;
  quantity: number;
  fields_cipher: Buffer | null;
  fields_key: string;
}

/** A claim makes one call, which ends long before its lease does. */
const CALL_SECONDS = 20;
const LEASE_SECONDS = 3 * CALL_SECONDS;
/** Orders that one process handles concurrently, so that a slow supplier does not stop the others. */
const WORKERS = 4;
const MAX_TRIES = 12;
/** A gateway refuses an order older than five minutes; the rest allows for clock differences. */
const LOST_SECONDS = 900;
const CONFIRM_SECONDS = 60;
/** Delays after a refusal until the supplier is asked whether it delivered after all. */
const CHECK_SECONDS = [600, 3600, 86_400] as const;

/**
 * Works through due requests. Each is claimed alone, for longer than its call can take, and is sent only once: if the result is
 * unknown, the supplier is only asked about it.
 */
export async function serveSuppliers(context: AppContext, most = 20): Promise<number> {
  let served = 0;
  const work = async () => {
    while (served < most) {
      served += 1;
      if (await serveNext(context)) continue;
      served -= 1;
      return;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: WORKERS }, work));
  const faults = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as Error] : []));
  if (faults.length > 0) throw new AggregateError(faults, faults.map((fault) => fault.message).join('; '));
  return served;
}

async function serveNext(context: AppContext): Promise<boolean> {
  const claim = await context.db.retrying((sql) =>
    sql.row<Claim>(
      `select c.*, o.order_no, o.quantity - o.refunded_quantity as quantity, o.fields_cipher, o.fields_key
         from supplier_claim($1) c join orders o on o.id = c.order_id`,
      [LEASE_SECONDS],
    ),
  );
  if (!claim) return false;
  const supplier = context.providers.supplierFor(claim.supplier);
  if (!supplier) await sendLater(context.db, claim, 'no supplier is configured for this stock type');
  else if (claim.state === RequestState.ToSend) await send(context, claim, supplier);
  else if (claim.state === RequestState.Open) await ask(context, claim, supplier);
  else await checkRefused(context.db, claim, supplier);
  return true;
}

async function send(context: AppContext, claim: Claim, supplier: SupplierProvider): Promise<void> {
  const { db, keyring } = context;
  let sealed: SealedFields = { goodsKey: '', specKey: '', fields: {} };
  try {
    if (claim.fields_cipher)
      sealed = JSON.parse(keyring.decrypt(claim.fields_key, claim.fields_cipher)) as SealedFields;
  } catch (error) {
    return sendLater(db, claim, `what the buyer filled in cannot be read: ${(error as Error).message}`);
  }
  const { reference, quantity, sent_at: sentAt } = claim;
  // Only these encrypted fields go to the supplier; the buyer's answers to staff do not.
  const { goodsKey, specKey, fields } = sealed;
  let answer: SupplyAnswer;
  try {
    answer = await bounded(supplier.order({ reference, quantity, sentAt, goodsKey, specKey, fields }));
  } catch (error) {
    const { message } = error as Error;
    return error instanceof ProviderRefusal ? sendLater(db, claim, message) : queryLater(db, claim, message);
  }
  await take(context, claim, answer);
}

async function ask(context: AppContext, claim: Claim, supplier: SupplierProvider): Promise<void> {
  let answer: SupplyAnswer | undefined;
  try {
    answer = await bounded(supplier.query(claim.reference));
  } catch (error) {
    return queryLater(context.db, claim, (error as Error).message);
  }
  const lost = Date.now() - claim.sent_at.getTime() > LOST_SECONDS * 1000;
  if (answer) await take(context, claim, answer);
  else if (claim.refused_at || lost) await book(context, claim, false, 'the supplier does not know the order');
  else await queryLater(context.db, claim, 'unknown to the supplier so far');
}

async function take(context: AppContext, claim: Claim, answer: SupplyAnswer): Promise<void> {
  if (answer.kind === 'done') return book(context, claim, true, answer.detail);
  if (answer.kind === 'pending') return queryLater(context.db, claim, 'pending');
  if (claim.refused_at) return book(context, claim, false, answer.detail);
  const detail = `refused, to be confirmed: ${answer.detail}`;
  await change(context.db, claim, { isRefused: true, detail, pause: CONFIRM_SECONDS });
}

/** Delivers or refunds, unless another process has claimed or ended the request meanwhile. */
async function book({ db }: AppContext, claim: Claim, delivered: boolean, detail: string): Promise<void> {
  await db.withTransaction(async (sql) => {
    const disputed = await sql.value<boolean>('select disputed from orders where id = $1 for update', [claim.order_id]);
    if (disputed && !delivered) return queryLater(sql, claim, `refused; the payment is disputed: ${detail}`);
    const ended = delivered
      ? { state: RequestState.Delivered, pause: null }
      : { state: RequestState.Refused, pause: CHECK_SECONDS[0] };
    if (!(await change(sql, claim, { ...ended, tries: 0, detail }))) return;
    const end = delivered ? 'order_deliver' : 'order_refund';
    await sql.one(`select ${end}($1, $2, 'supplier')`, [claim.order_id, detail]);
  });
}

/** Asks a supplier that has refused whether it delivered after all: in that case the goods are out and the money is refunded. */
async function checkRefused(sql: Sql, claim: Claim, supplier: SupplierProvider): Promise<void> {
  let answer: SupplyAnswer | undefined;
  try {
    answer = await bounded(supplier.query(claim.reference));
  } catch {
    await change(sql, claim, { tries: claim.tries - 1, pause: CHECK_SECONDS[1] });
    return;
  }
  if (answer?.kind !== 'done') {
    await change(sql, claim, { tries: claim.tries, pause: CHECK_SECONDS[claim.tries] ?? null });
    return;
  }
  const detail = `delivered after it had been refused: ${answer.detail}`;
  if (await change(sql, claim, { state: RequestState.DeliveredAfterRefund, detail, pause: null }))
    throw new Error(`order ${claim.order_no} was ${detail}`);
}

interface Change {
  state?: number;
  tries?: number;
  detail?: string;
  /** The supplier has refused the order for the first time. */
  isRefused?: boolean;
  /** Seconds until the request is due again; null: never. */
  pause: number | null;
}

/** Changes the request of a claim, unless another process has claimed or ended it meanwhile. Returns the number of changed requests. */
const change = (sql: Sql, claim: Claim, { state, tries, detail, isRefused = false, pause }: Change): Promise<number> =>
  sql.run(
    `update supplier_requests set state = coalesce($4::integer, state), tries = coalesce($5::integer, tries), detail = coalesce($6, detail),
            next_at = coalesce(clock_timestamp() + make_interval(secs => $7), 'infinity'),
            sent_at = case when $4 = ${RequestState.ToSend} then null else sent_at end,
            refused_at = case when $8 then clock_timestamp() else refused_at end
      where order_id = $1 and lease = $2 and state = $3`,
    [
      claim.order_id,
      claim.lease,
      claim.state === RequestState.Refused ? claim.state : RequestState.Open,
      state ?? null,
      tries ?? null,
      detail ?? null,
      pause,
      isRefused,
    ],
  );

const pauseOf = (tries: number) => (tries >= MAX_TRIES ? 3600 : Math.min(600, 2 ** tries));

/** The supplier may have the order, so it is asked again after growing pauses. */
async function queryLater(sql: Sql, claim: Claim, detail: string): Promise<void> {
  await change(sql, claim, { detail: detail.slice(0, 300), pause: pauseOf(claim.tries) });
}

/** The supplier certainly does not have the order, so it is sent later if it still waits then. */
async function sendLater(sql: Sql, claim: Claim, detail: string): Promise<void> {
  await change(sql, claim, { state: claim.state, detail: detail.slice(0, 300), pause: pauseOf(claim.tries) });
}

export const bounded = <T>(call: Promise<T>): Promise<T> =>
  withinTime(call, CALL_SECONDS * 1000, new Error(`no answer within ${CALL_SECONDS} s`));
