import type { AppContext } from '../context';
import { RequestState } from '../platform/db/named-numbers';
import type { Sql } from '../platform/db/sql';
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
interface Sealed {
  goodsKey: string;
  specKey: string;
  fields: Record<string, string>;
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
  const faults: Error[] = [];
  const work = async () => {
    while (served < most && faults.length === 0) {
      served += 1;
      try {
        if (await serveNext(context)) continue;
      } catch (error) {
        faults.push(error as Error);
      }
      served -= 1;
      return;
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
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
  let sealed: Sealed = { goodsKey: '', specKey: '', fields: {} };
  try {
    if (claim.fields_cipher) sealed = JSON.parse(keyring.decrypt(claim.fields_key, claim.fields_cipher)) as Sealed;
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
  await context.db.run(
    `update supplier_requests set refused_at = clock_timestamp(), next_at = clock_timestamp() + make_interval(secs => $3), detail = $4
      where order_id = $1 and lease = $2 and state = ${RequestState.Open}`,
    [claim.order_id, claim.lease, CONFIRM_SECONDS, `refused, to be confirmed: ${answer.detail}`],
  );
}

/** Delivers or refunds, unless another process has claimed or ended the request meanwhile. */
async function book({ db }: AppContext, claim: Claim, delivered: boolean, detail: string): Promise<void> {
  await db.withTransaction(async (sql) => {
    const { disputed } = await sql.one<{ disputed: boolean }>('select disputed from orders where id = $1 for update', [
      claim.order_id,
    ]);
    if (disputed && !delivered) return queryLater(sql, claim, `refused; the payment is disputed: ${detail}`);
    const updated = await sql.run(
      `update supplier_requests set state = $3::integer, detail = $4,
              next_at = case when $3::integer = 3 then clock_timestamp() + make_interval(secs => $5) else 'infinity' end, tries = 0
        where order_id = $1 and lease = $2 and state = ${RequestState.Open}`,
      [
        claim.order_id,
        claim.lease,
        delivered ? RequestState.Delivered : RequestState.Refused,
        detail,
        CHECK_SECONDS[0],
      ],
    );
    if (!updated) return;
    const end = delivered ? 'order_deliver' : 'order_refund';
    await sql.one(`select ${end}($1, $2, 'supplier')`, [claim.order_id, detail]);
  });
}

/** Asks a supplier that has refused whether it delivered after all: in that case the goods are out and the money is refunded. */
async function checkRefused(sql: Sql, claim: Claim, supplier: SupplierProvider): Promise<void> {
  const checked = (state: number, tries: number, pause: number | undefined, detail: string | null) =>
    sql.run(
      `update supplier_requests set state = $3::integer, tries = $4, detail = coalesce($6, detail),
              next_at = case when $5::integer is null then 'infinity' else clock_timestamp() + make_interval(secs => $5::integer) end
        where order_id = $1 and lease = $2 and state = ${RequestState.Refused}`,
      [claim.order_id, claim.lease, state, tries, pause ?? null, detail],
    );
  let answer: SupplyAnswer | undefined;
  try {
    answer = await bounded(supplier.query(claim.reference));
  } catch {
    await checked(RequestState.Refused, claim.tries - 1, CHECK_SECONDS[1], null);
    return;
  }
  if (answer?.kind !== 'done') {
    await checked(RequestState.Refused, claim.tries, CHECK_SECONDS[claim.tries], null);
    return;
  }
  const detail = `delivered after it had been refused: ${answer.detail}`;
  if (await checked(RequestState.DeliveredAfterRefund, claim.tries, undefined, detail))
    throw new Error(`order ${claim.order_no} was ${detail}`);
}

const pauseOf = (tries: number) => (tries >= MAX_TRIES ? 3600 : Math.min(600, 2 ** tries));

/** The supplier may have the order, so it is asked again after growing pauses. */
async function queryLater(sql: Sql, claim: Claim, detail: string): Promise<void> {
  await sql.run(
    `update supplier_requests set next_at = clock_timestamp() + make_interval(secs => $3), detail = $4
      where order_id = $1 and lease = $2 and state = ${RequestState.Open}`,
    [claim.order_id, claim.lease, pauseOf(claim.tries), detail.slice(0, 300)],
  );
}

/** The supplier certainly does not have the order, so it is sent later if it still waits then. */
async function sendLater(sql: Sql, claim: Claim, detail: string): Promise<void> {
  await sql.run(
    `update supplier_requests set next_at = clock_timestamp() + make_interval(secs => $3), detail = $4,
            state = $5::integer, sent_at = case when $5::integer = 0 then null else sent_at end
      where order_id = $1 and lease = $2 and state in (${RequestState.Open}, ${RequestState.Refused})`,
    [claim.order_id, claim.lease, pauseOf(claim.tries), detail.slice(0, 300), claim.state],
  );
}

/** Rejects if the supplier does not answer in time. */
export function bounded<T>(call: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CALL_SECONDS} s`)), CALL_SECONDS * 1000);
  });
  return Promise.race([call, late]).finally(() => clearTimeout(timer));
}
