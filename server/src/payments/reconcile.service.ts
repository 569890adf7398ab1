import { LedgerType } from '@shop/shared/domain';
import type { AppContext } from '../context';
import type { ListedEntry, PaymentCalls } from '../providers/providers';

export interface Difference {
  /**
   * unknown: the provider lists an entry that the shop does not have. not booked: the shop has it, but the ledger does not.
   * amount: another amount or currency. twice: listed again. missing: booked, but not listed by the provider.
   */
  kind: 'unknown' | 'not booked' | 'amount' | 'twice' | 'missing';
  entry: 'payment' | 'refund';
  /** The provider's number; of a missing entry the shop's. */
  number: string;
  payment_no: string;
  /** Minor units, by the provider and by the ledger. */
  listed: number | null;
  booked: number | null;
  currency: string;
}
export interface Reconciliation {
  method: string;
  day: string;
  entries: number;
  differences: Difference[];
}

/** Providers finish the list of a day by the next noon, UTC. */
const READY_MS = 36 * 3_600_000;
const DAY_MS = 86_400_000;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** Compares every provider's list of a day (2026-01-31) with the ledger and stores the differences. */
export async function reconcile(context: AppContext, day: string): Promise<Reconciliation[]> {
  const results: Reconciliation[] = [];
  for (const { method, list } of listsOf(context)) results.push(await reconcileOne(context, method, list, day));
  return results;
}

/** Runs once for every day and provider, when the list is available. Throws if something differs, so that the job reports it. */
export async function reconcileDaily(context: AppContext, now = Date.now()): Promise<number> {
  const day = dayOf(now - READY_MS);
  let done = 0;
  const faults: string[] = [];
  for (const { method, list } of listsOf(context)) {
    if (await context.db.row('select 1 from reconciliations where method = $1 and day = $2', [method, day])) continue;
    const { differences } = await reconcileOne(context, method, list, day);
    done += 1;
    if (differences.length > 0) faults.push(`${method}: ${differences.length}`);
  }
  if (faults.length > 0)
    throw new Error(
      `the lists of ${day} and the ledger differ (${faults.join(', ')}): see /staff, Figures, or POST /staff/api/reconcile`,
    );
  return done;
}

const listsOf = ({ providers }: AppContext) =>
  providers.payments.flatMap(({ code, remote }) => (remote ? [{ method: code, list: remote.list }] : []));

async function reconcileOne(
  { db }: AppContext,
  method: string,
  list: PaymentCalls['list'],
  day: string,
): Promise<Reconciliation> {
  const from = Date.parse(`${day}T00:00:00Z`) - list.zone * 3_600_000;
  const entries = await list.entries(day);
  // An entry booked shortly after midnight appears in the list of the day before.
  const before = await list.entries(dayOf(Date.parse(`${day}T00:00:00Z`) - DAY_MS));
  const references = entries.map((entry) => entry.reference);
  const period = [new Date(from), new Date(from + DAY_MS)];
  const payments = await db.rows<Booked>(bookedPayments, [method, references, ...period]);
  const refundNumbers = entries.map((entry) => entry.refund_no);
  const refunds = await db.rows<Booked>(bookedRefunds, [method, refundNumbers, ...period, references]);
  const differences = [
    ...compare('payment', entries, before, payments),
    ...compare('refund', entries, before, refunds),
  ];
  await db.run(
    `insert into reconciliations (method, day, entries, differences) values ($1, $2, $3, $4)
     on conflict (method, day) do update set entries = excluded.entries, differences = excluded.differences, run_at = clock_timestamp()`,
    [method, day, entries.length, JSON.stringify(differences)],
  );
  return { method, day, entries: entries.length, differences };
}

interface Booked {
  /** The provider's number of a payment, or the shop's of a refund. */
  number: string;
  payment_no: string;
  currency: string;
  /** null: the ledger does not have it. */
  amount: number | null;
  in_day: boolean;
}
const bookedPayments = `
  select p.provider_ref as number, p.payment_no, p.currency, -sum(e.amount)::bigint as amount,
         coalesce(min(t.created_at) >= $3 and min(t.created_at) < $4, false) as in_day
    from payments p
    left join ledger_transactions t on t.payment_id = p.id and t.type in (${LedgerType.Buy}, ${LedgerType.Recharge})
    left join ledger_entries e on e.transaction_id = t.id and e.account = 'cash'
   where p.method = $1 and p.provider_ref is not null
     and (p.provider_ref = any($2) or (p.ended_at >= $3 and p.ended_at < $4))
   group by p.id`;
/**
 * Refunds of the shop one by one: those that the list names and those of the day. The refunds that the provider began are one sum for each
 * payment in the list, under the payment's number.
 */
const bookedRefunds = `
  select r.refund_no as number, p.payment_no, p.currency, case when r.state <> 'failed' then r.amount end as amount,
         coalesce(r.ended_at >= $3 and r.ended_at < $4, false) as in_day
    from payment_refunds r join payments p on p.id = r.payment_id
   where p.method = $1 and (r.refund_no = any($2) or (r.state = 'done' and r.ended_at >= $3 and r.ended_at < $4))
  union all
  select p.provider_ref, p.payment_no, p.currency, coalesce(sum(r.amount), 0)::bigint, false
    from payments p left join provider_refunds r on r.payment_id = p.id
   where p.method = $1 and p.provider_ref = any($5) group by p.id`;

function compare(
  entry: Difference['entry'],
  entries: ListedEntry[],
  before: ListedEntry[],
  rows: Booked[],
): Difference[] {
  const ofKind = (list: ListedEntry[]) => list.filter(({ kind }) => kind === entry);
  const byNumber = new Map(rows.map((row) => [row.number, row]));
  const seen = new Set<string>();
  const differences = ofKind(entries).flatMap(({ refund_id, refund_no, reference, amount, currency }): Difference[] => {
    const number = refund_id || reference;
    const row = byNumber.get(refund_no) ?? byNumber.get(reference);
    // The provider began the refund.
    const isPartOfSum = entry === 'refund' && row?.number === reference;
    const inLedger = row?.amount ?? null;
    let kind: Difference['kind'] | undefined;
    if (seen.has(number)) kind = 'twice';
    else if (!row) kind = 'unknown';
    else if (inLedger === null || (isPartOfSum && inLedger < amount)) kind = 'not booked';
    else if (!isPartOfSum && (inLedger !== amount || row.currency !== currency)) kind = 'amount';
    seen.add(number);
    if (row && isPartOfSum) row.amount = Math.max(0, (inLedger ?? 0) - amount);
    if (!kind) return [];
    const booked = kind === 'twice' && isPartOfSum ? null : inLedger;
    return [{ kind, entry, number, payment_no: row?.payment_no ?? '', listed: amount, booked, currency }];
  });
  const listed = new Set(
    ofKind([...entries, ...before]).map(({ reference, refund_no }) => (entry === 'payment' ? reference : refund_no)),
  );
  const missing = rows
    .filter(({ in_day, number }) => in_day && !listed.has(number))
    .map(({ number, payment_no, amount, currency }): Difference => {
      return { kind: 'missing', entry, number, payment_no, listed: null, booked: amount, currency };
    });
  return [...differences, ...missing];
}
