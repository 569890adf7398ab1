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
  const booked = await db.rows<Booked>(bookedPayments, [method, references, ...period]);
  const refundNumbers = entries.map((entry) => entry.refund_no);
  const refunds = await db.rows<BookedRefund>(bookedRefunds, [method, refundNumbers, ...period, references]);
  const differences = [
    ...comparePayments(entries, before, booked),
    ...compareRefunds(entries, before, refunds, booked),
  ];
  await db.run(
    `insert into reconciliations (method, day, entries, differences) values ($1, $2, $3, $4)
     on conflict (method, day) do update set entries = excluded.entries, differences = excluded.differences, run_at = clock_timestamp()`,
    [method, day, entries.length, JSON.stringify(differences)],
  );
  return { method, day, entries: entries.length, differences };
}

interface Booked {
  reference: string;
  payment_no: string;
  currency: string;
  amount: number | null;
  in_day: boolean;
}
const bookedPayments = `
  select p.provider_ref as reference, p.payment_no, p.currency, -sum(e.amount)::bigint as amount,
         coalesce(min(t.created_at) >= $3 and min(t.created_at) < $4, false) as in_day
    from payments p
    left join ledger_transactions t on t.payment_id = p.id and t.type in (${LedgerType.Buy}, ${LedgerType.Recharge})
    left join ledger_entries e on e.transaction_id = t.id and e.account = 'cash'
   where p.method = $1 and p.provider_ref is not null
     and (p.provider_ref = any($2) or (p.ended_at >= $3 and p.ended_at < $4))
   group by p.id`;

const differenceOf = (
  kind: Difference['kind'],
  { kind: entry, reference, refund_id, amount, currency }: ListedEntry,
  payment_no = '',
  booked: number | null = null,
): Difference => ({ kind, entry, number: refund_id || reference, payment_no, listed: amount, booked, currency });

function comparePayments(entries: ListedEntry[], before: ListedEntry[], booked: Booked[]): Difference[] {
  const differences: Difference[] = [];
  const bookedByReference = new Map(booked.map((payment) => [payment.reference, payment]));
  const seen = new Set<string>();
  for (const entry of entries) {
    const { kind, reference, amount, currency } = entry;
    if (kind !== 'payment') continue;
    const payment = bookedByReference.get(reference);
    const addDifference = (kind: Difference['kind']) =>
      differences.push(differenceOf(kind, entry, payment?.payment_no, payment?.amount));
    if (seen.has(reference)) addDifference('twice');
    else if (!payment) addDifference('unknown');
    else if (payment.amount === null) addDifference('not booked');
    else if (payment.amount !== amount || payment.currency !== currency) addDifference('amount');
    seen.add(reference);
  }
  const listed = new Set(
    [...entries, ...before].filter((entry) => entry.kind === 'payment').map((entry) => entry.reference),
  );
  const missing = booked.filter(({ in_day, reference }) => in_day && !listed.has(reference));
  return [...differences, ...missing.map((payment) => missingOf('payment', payment.reference, payment))];
}

const missingOf = (
  entry: Difference['entry'],
  number: string,
  { payment_no, amount, currency }: Pick<Booked, 'payment_no' | 'amount' | 'currency'>,
): Difference => ({ kind: 'missing', entry, number, payment_no, listed: null, booked: amount, currency });

interface BookedRefund extends Booked {
  /** '' for a refund that was started at the provider. */
  refund_no: string;
  amount: number;
  state: string;
}
/** Refunds of the shop one by one, and the provider's refunds as one sum per payment: those that the list names and those of the day. */
const bookedRefunds = `
  select r.refund_no, p.provider_ref as reference, p.payment_no, p.currency, r.amount, r.state,
         coalesce(r.ended_at >= $3 and r.ended_at < $4, false) as in_day
    from payment_refunds r join payments p on p.id = r.payment_id
   where p.method = $1 and (r.refund_no = any($2) or (r.state = 'done' and r.ended_at >= $3 and r.ended_at < $4))
  union all
  select '', p.provider_ref, p.payment_no, p.currency, sum(r.amount)::bigint, 'done', false
    from provider_refunds r join payments p on p.id = r.payment_id
   where p.method = $1 and p.provider_ref = any($5) group by p.id`;

function compareRefunds(
  entries: ListedEntry[],
  before: ListedEntry[],
  refunds: BookedRefund[],
  booked: Booked[],
): Difference[] {
  const differences: Difference[] = [];
  const paymentOf = new Map(booked.map((payment) => [payment.reference, payment.payment_no]));
  const shopRefunds = new Map(refunds.filter((refund) => refund.refund_no).map((refund) => [refund.refund_no, refund]));
  const providerRefunds = new Map(
    refunds.filter((refund) => !refund.refund_no).map((refund) => [refund.reference, refund.amount]),
  );
  const seen = new Set<string>();
  for (const entry of entries) {
    const { kind, reference, refund_id, refund_no, amount, currency } = entry;
    if (kind !== 'refund') continue;
    const refund = shopRefunds.get(refund_no);
    const left = providerRefunds.get(reference) ?? 0;
    const addDifference = (kind: Difference['kind'], bookedAmount?: number) =>
      differences.push(differenceOf(kind, entry, refund?.payment_no ?? paymentOf.get(reference), bookedAmount));
    if (seen.has(refund_id)) addDifference('twice', refund?.amount);
    else if (refund?.state === 'failed') addDifference('not booked');
    else if (refund && (refund.amount !== amount || refund.currency !== currency))
      addDifference('amount', refund.amount);
    else if (!refund && !paymentOf.has(reference)) addDifference('unknown');
    else if (!refund && left < amount) addDifference('not booked', left);
    if (!refund) providerRefunds.set(reference, Math.max(0, left - amount));
    seen.add(refund_id);
  }
  const listed = new Set([...entries, ...before].map((entry) => entry.refund_no));
  const missing = [...shopRefunds.values()].filter(({ in_day, refund_no }) => in_day && !listed.has(refund_no));
  return [...differences, ...missing.map((refund) => missingOf('refund', refund.refund_no, refund))];
}
