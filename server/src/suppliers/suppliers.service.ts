import type { AppContext } from '../context';
import type { SupplyAnswer } from '../providers/providers';

interface Request {
  order_id: number;
  supplier: string;
  reference: string;
  state: number;
  tries: number;
  quantity: number;
  fields_cipher: Buffer | null;
  fields_key: string;
}
interface Sealed {
  goodsKey: string;
  specKey: string;
  fields: Record<string, string>;
}

const MOST_TRIES = 12;
const LEASE_SECONDS = 60;

/**
 * Hands due orders to their suppliers. A request is leased before it is sent and marked as ambiguous, so that a crash or
 * a timeout leads to a question with the same reference, never to a second order.
 */
export async function serveSuppliers(context: AppContext, most = 20): Promise<number> {
  const { db, providers, keyring } = context;
  const due = await db.rows<Request>(
    `with due as (
       select order_id from supplier_requests where state in (0, 1) and next_at <= clock_timestamp()
        order by next_at limit $1 for update skip locked
     ), leased as (
       update supplier_requests r set state = 1, tries = r.tries + 1,
              next_at = clock_timestamp() + make_interval(secs => $2)
         from due, supplier_requests old where r.order_id = due.order_id and old.order_id = r.order_id
       returning r.order_id, r.supplier, r.reference, r.tries, old.state
     )
     select l.*, o.quantity, o.fields_cipher, o.fields_key from leased l join orders o on o.id = l.order_id`,
    [most, LEASE_SECONDS],
  );
  for (const request of due) {
    const supplier = providers.supplierFor(request.supplier);
    if (!supplier) {
      await later(context, request, 'no supplier is configured for this stock type');
      continue;
    }
    try {
      const known = request.state === 1 ? await supplier.query(request.reference) : undefined;
      const sealed = request.fields_cipher
        ? (JSON.parse(keyring.decrypt(request.fields_key, request.fields_cipher)) as Sealed)
        : { goodsKey: '', specKey: '', fields: {} };
      const answer =
        known ?? (await supplier.order({ reference: request.reference, quantity: request.quantity, ...sealed }));
      await take(context, request, answer);
    } catch (error) {
      await later(context, request, (error as Error).message);
    }
  }
  return due.length;
}

async function take({ db }: AppContext, request: Request, answer: SupplyAnswer): Promise<void> {
  if (answer.kind === 'pending') return later({ db }, request, 'pending');
  await db.withTransaction(async (sql) => {
    const ended = await sql.run(
      'update supplier_requests set state = $2, detail = $3 where order_id = $1 and state = 1',
      [request.order_id, answer.kind === 'done' ? 2 : 3, answer.detail],
    );
    if (!ended) return;
    if (answer.kind === 'done')
      await sql.one("select order_deliver($1, $2, 'supplier')", [request.order_id, answer.detail]);
    else await sql.one("select order_refund($1, $2, 'supplier')", [request.order_id, answer.detail]);
  });
}

/** Asks again with growing pauses; after the last try the order is in the staff's list. */
async function later({ db }: Pick<AppContext, 'db'>, { order_id, tries }: Request, detail: string): Promise<void> {
  const seconds = tries >= MOST_TRIES ? 3600 : Math.min(600, 2 ** tries);
  await db.run(
    'update supplier_requests set next_at = clock_timestamp() + make_interval(secs => $2), detail = $3 where order_id = $1 and state = 1',
    [order_id, seconds, detail.slice(0, 300)],
  );
}
