import type { Keyring } from '../src/platform/crypto/keyring';
import type { Sql } from '../src/platform/db/sql';
import { fromWire } from '../src/platform/http/money';
import type { FaultySupplier } from '../test/support/doubles/faulty-supplier';
import type { StripeDouble } from '../test/support/doubles/stripe';
import type { FaultyGateway } from './faulty-gateway';
import { type SoakPerson, START_BALANCE } from './fill';

interface Order {
  no: string;
  person: SoakPerson;
  total: number;
  paid?: true;
  /** An answer has shown it as delivered (30/20). */
  delivered?: true;
  closed?: true;
  cards?: string[];
}
/** A payment at the card provider that brought money. */
export interface CardPayment {
  payment_no: string;
  amount: number;
  dispute?: { id: string; amount: number; state: 'open' | 'won' | 'lost' };
  /** The provider works on it. */
  busy?: boolean;
}

export interface SoakProviders {
  stripe: StripeDouble;
  gateway: FaultyGateway;
}

/** How many of a person's latest orders the operations still use. */
const RECENT = 6;

/** What the shop has acknowledged. */
export class Model {
  private readonly orders = new Map<string, Order>();
  private readonly recents = new Map<number, Order[]>();
  private readonly recharges = new Map<string, { person: SoakPerson; amount: number }>();
  /** Payments whose notice was acknowledged. */
  private readonly payments = new Set<string>();
  private readonly coupons = new Set<string>();
  /** Refunds by the staff, by their number. */
  private readonly refunds = new Map<string, { orderNo: string; amount: number }>();
  private readonly cardPayments = new Map<string, CardPayment>();
  private readonly recentCards = new Map<number, CardPayment[]>();
  /** Times that the provider told of a refund of its own. */
  private providerRefunds = 0;
  /** Genuine notices that were refused. */
  private readonly refusals: string[] = [];

  constructor(private readonly persons: SoakPerson[]) {
    for (const { id } of persons) this.recents.set(id, []);
  }

  ordered(person: SoakPerson, no: string, total: string): void {
    const order: Order = { no, person, total: fromWire(total) as number };
    this.orders.set(no, order);
    const recent = this.recents.get(person.id) as Order[];
    recent.unshift(order);
    recent.length = Math.min(recent.length, RECENT);
  }
  paid(no: string, status: number, delivery: number): void {
    const order = this.get(no);
    order.paid = true;
    if (status === 30 && delivery === 20) order.delivered = true;
  }
  closed(no: string): void {
    this.get(no).closed = true;
  }
  refunded(refundNo: string, orderNo: string, amount: number): void {
    this.refunds.set(refundNo, { orderNo, amount });
  }
  paidByCard(person: SoakPerson, payment_no: string, amount: number): void {
    const payment = { payment_no, amount };
    this.cardPayments.set(payment_no, payment);
    const recent = this.recentCards.get(person.id) ?? [];
    this.recentCards.set(person.id, [payment, ...recent].slice(0, RECENT));
  }
  cardPayment(person: SoakPerson, pick: number): CardPayment | undefined {
    const payments = this.recentCards.get(person.id) ?? [];
    return payments[pick % Math.max(1, payments.length)];
  }
  openDisputes(): CardPayment[] {
    return [...this.cardPayments.values()].filter((one) => one.dispute?.state === 'open');
  }
  refundedByProvider(paymentNo: string, codes: number[]): void {
    this.providerRefunds += 1;
    if (!codes.includes(200)) this.refusals.push(`a refund of payment ${paymentNo}: ${codes}`);
  }
  toldOfDispute(paymentNo: string, codes: number[]): void {
    if (!codes.includes(200)) this.refusals.push(`a dispute of payment ${paymentNo}: ${codes}`);
  }
  revealed(no: string, cards: string[]): void {
    this.get(no).cards = cards;
  }
  recharged(person: SoakPerson, no: string, amount: number): void {
    this.recharges.set(no, { person, amount });
  }
  settled(paymentNo: string): void {
    this.payments.add(paymentNo);
  }
  received(person: SoakPerson, couponId: number): void {
    this.coupons.add(`${person.id}/${couponId}`);
  }

  recent(person: SoakPerson, pick: number): string | undefined {
    const orders = this.recents.get(person.id) as Order[];
    return orders[pick % Math.max(1, orders.length)]?.no;
  }
  unpaid(person: SoakPerson, pick: number): string | undefined {
    const orders = (this.recents.get(person.id) as Order[]).filter((one) => !one.paid && !one.closed);
    return orders[pick % Math.max(1, orders.length)]?.no;
  }
  totalOf(no: string): number {
    return this.get(no).total;
  }
  private get(no: string): Order {
    const order = this.orders.get(no);
    if (!order) throw new Error(`order ${no} was never acknowledged`);
    return order;
  }

  counts(): Record<string, number> {
    const orders = [...this.orders.values()];
    return {
      'order created': orders.length,
      'order paid from the wallet': orders.filter((one) => one.paid).length,
      'order delivered at once': orders.filter((one) => one.delivered).length,
      'order closed': orders.filter((one) => one.closed).length,
      'refund by the staff': this.refunds.size,
      'payment by card': this.cardPayments.size,
      'refund begun at the provider': this.providerRefunds,
      dispute: [...this.cardPayments.values()].filter((one) => one.dispute).length,
      'order whose codes were shown': orders.filter((one) => one.cards).length,
      'payment notice taken': this.payments.size,
      'recharge credited': this.recharges.size,
      'coupon received': this.coupons.size,
    };
  }

  /** Holds what was acknowledged against the database, both ways. Empty when they agree. */
  async differences(db: Sql, keyring: Keyring, providers: SoakProviders): Promise<string[]> {
    return [
      ...this.refusals.map((one) => `a notice was refused: ${one}`),
      ...(await this.orderDifferences(db)),
      ...(await this.paymentDifferences(db)),
      ...(await this.walletDifferences(db)),
      ...(await this.refundDifferences(db, providers.stripe)),
      ...(await this.cardDifferences(db, keyring)),
      ...(await this.supplyDifferences(db, providers.gateway.supplier)),
    ].slice(0, 50);
  }

  private async orderDifferences(db: Sql): Promise<string[]> {
    const rows = await db.rows<{
      order_no: string;
      total_amount: number;
      status: number;
      paid: boolean;
      closed: boolean;
      pay_method: string | null;
      events: string[];
    }>(
      `select order_no, total_amount, status, paid_at is not null as paid, closed_at is not null as closed, pay_method,
              (select array_agg(kind order by id) from order_events e where e.order_id = o.id) as events from orders o`,
    );
    const found = new Map(rows.map((row) => [row.order_no, row]));
    const faults: string[] = [];
    for (const order of this.orders.values()) {
      const row = found.get(order.no);
      if (!row) {
        faults.push(`order ${order.no} was acknowledged and is lost`);
        continue;
      }
      if (row.total_amount !== order.total)
        faults.push(`order ${order.no} costs ${row.total_amount}, not ${order.total}`);
      if (order.paid && !row.paid) faults.push(`order ${order.no} was acknowledged as paid and is not`);
      if (order.closed && !row.closed) faults.push(`order ${order.no} was acknowledged as closed and is not`);
      if (order.paid && order.closed) faults.push(`order ${order.no} was acknowledged as paid and as closed`);
      if (order.delivered && !row.events.includes('delivered')) faults.push(`order ${order.no} lost its delivery`);
      if (row.paid && row.pay_method === 'balance' && !order.paid)
        faults.push(`order ${order.no} was paid from the wallet but no client was told`);
    }
    for (const no of found.keys()) if (!this.orders.has(no)) faults.push(`order ${no} exists but no client was told`);
    const coupons = await db.rows<{ key: string }>("select user_id || '/' || coupon_id as key from user_coupons");
    const received = new Set(coupons.map((row) => row.key));
    for (const key of this.coupons) if (!received.has(key)) faults.push(`coupon ${key} was acknowledged and is lost`);
    for (const key of received) if (!this.coupons.has(key)) faults.push(`coupon ${key} exists but no client was told`);
    return faults;
  }

  private async paymentDifferences(db: Sql): Promise<string[]> {
    const rows = await db.rows<{ payment_no: string; state: string }>('select payment_no, state from payments');
    const recharges = await db.rows<{ recharge_no: string }>("select recharge_no from recharges where state = 'paid'");
    const found = new Map(rows.map((row) => [row.payment_no, row]));
    const faults: string[] = [];
    for (const no of this.payments) {
      const state = found.get(no)?.state;
      if (state !== 'paid') faults.push(`payment ${no} was acknowledged and is ${state ?? 'lost'}`);
    }
    const paid = new Set(recharges.map((row) => row.recharge_no));
    for (const no of this.recharges.keys())
      if (!paid.has(no)) faults.push(`recharge ${no} was acknowledged and is lost`);
    for (const no of paid)
      if (!this.recharges.has(no)) faults.push(`recharge ${no} was credited but no client was told`);
    for (const [no, row] of found)
      if (row.state !== 'pending' && row.state !== 'closed' && !this.payments.has(no))
        faults.push(`payment ${no} ended but no client was told`);
    return faults;
  }

  /**
   * Every wallet, with what is frozen of it: what it began with, the recharges, the payments that came late (for an order that was
   * closed or paid by then), less the orders, plus the refunds by the shop, less what of them and of
   * refunds and lost disputes at the provider went on to the payer.
   */
  private async walletDifferences(db: Sql): Promise<string[]> {
    const rows = await db.rows<{ id: number; balance: number; expected: number }>(
      `select w.user_id as id, w.balance + w.frozen as balance, (${START_BALANCE}
         + coalesce((select sum(amount) from recharges r where r.user_id = w.user_id and r.state = 'paid'), 0)
         + coalesce((select sum(p.amount) from payments p join orders o on o.id = p.order_id
              where p.user_id = w.user_id and o.payment_id is distinct from p.id
                and (p.state = 'paid' or p.payment_no = any($1))), 0)
         - coalesce((select sum(total_amount) from orders o where o.user_id = w.user_id and o.paid_at is not null and o.pay_method = 'balance'), 0)
         + coalesce((select sum(r.amount) from order_refunds r join orders o on o.id = r.order_id
              where o.user_id = w.user_id and r.actor <> 'provider'), 0)
         - coalesce((select sum(r.amount) from payment_refunds r join payments p on p.id = r.payment_id
              where p.user_id = w.user_id and r.state <> 'failed'), 0)
         - coalesce((select sum(b.amount - b.lost - coalesce(r.amount, 0)) from (
                select payment_id, amount, lost, 'P' || md5(payment_id || ' refund ' || provider_id) as no from provider_refunds
                union all
                select payment_id, amount, lost, 'P' || md5(payment_id || ' dispute ' || provider_id) from payment_disputes where state = 'lost'
              ) b join payments p on p.id = b.payment_id left join order_refunds r on r.refund_no = b.no
              where p.user_id = w.user_id), 0))::bigint as expected
       from wallets w where w.currency = 'CNY'`,
      [[...this.payments]],
    );
    const faults = rows
      .filter((row) => row.balance !== row.expected)
      .map((row) => `the wallet of ${row.id} holds ${row.balance}, the answers make ${row.expected}`);
    if (rows.length !== this.persons.length) faults.push(`${rows.length} wallets for ${this.persons.length} people`);
    return faults;
  }

  /** Refunds and disputes, both ways and to the cent; the provider has told of everything once more at the end. */
  private async refundDifferences(db: Sql, stripe: StripeDouble): Promise<string[]> {
    const faults: string[] = [];
    const rows = await db.rows<{ refund_no: string; order_no: string; amount: number }>(
      "select refund_no, order_no, amount from order_refunds r join orders o on o.id = r.order_id where r.actor = 'staff'",
    );
    const found = new Map(rows.map((row) => [row.refund_no, row]));
    for (const [no, { orderNo, amount }] of this.refunds) {
      const row = found.get(no);
      if (row?.order_no !== orderNo || row.amount !== amount)
        faults.push(`refund ${no} of ${amount} for ${orderNo} was acknowledged and is ${row?.amount ?? 'lost'}`);
    }
    for (const no of found.keys()) if (!this.refunds.has(no)) faults.push(`refund ${no} exists but nobody was told`);
    const payments = await db.rows<{
      payment_no: string;
      own: number;
      theirs: number;
      pending: boolean;
      disputes: string;
    }>(
      `select p.payment_no,
              coalesce((select sum(amount) from payment_refunds r where r.payment_id = p.id and r.state = 'done'), 0)::bigint as own,
              coalesce((select sum(amount) from provider_refunds r where r.payment_id = p.id), 0)::bigint as theirs,
              exists (select 1 from payment_refunds r where r.payment_id = p.id and r.state = 'pending') as pending,
              coalesce((select string_agg(d.provider_id || ' ' || d.amount || ' ' || d.state, ',') from payment_disputes d where d.payment_id = p.id), '') as disputes
         from payments p where p.method = 'stripe'`,
    );
    for (const { payment_no, own, theirs, pending, disputes } of payments) {
      const known = this.cardPayments.get(payment_no);
      const atProvider = known ? stripe.refundedOf(stripe.sessionOf(payment_no)) : 0;
      if (pending) faults.push(`a refund of payment ${payment_no} has not ended`);
      if (own + theirs !== atProvider)
        faults.push(`of payment ${payment_no} the ledger refunded ${own} + ${theirs}, the provider ${atProvider}`);
      const { dispute } = known ?? {};
      const told = dispute ? `${dispute.id} ${dispute.amount} ${dispute.state}` : '';
      if (disputes !== told)
        faults.push(`payment ${payment_no} has the disputes "${disputes}", the provider told "${told}"`);
    }
    const { held } = await db.one<{ held: number }>(
      "select coalesce(sum(amount), 0)::bigint as held from ledger_entries where account = 'disputed'",
    );
    if (held !== 0) faults.push(`${held} are held for disputes, and all have ended`);
    return faults;
  }

  private async cardDifferences(db: Sql, keyring: Keyring): Promise<string[]> {
    const rows = await db.rows<{ order_no: string; key_id: string; card_no: Buffer }>(
      'select o.order_no, c.key_id, c.card_no from card_codes c join orders o on o.id = c.order_id',
    );
    const owner = new Map<string, string>();
    const faults: string[] = [];
    for (const row of rows) {
      const card = keyring.decrypt(row.key_id, row.card_no);
      if (owner.has(card)) faults.push(`a code belongs to ${owner.get(card)} and to ${row.order_no}`);
      owner.set(card, row.order_no);
    }
    for (const { no, cards = [] } of this.orders.values()) {
      for (const card of cards)
        if (owner.get(card) !== no) faults.push(`a code shown for ${no} is ${owner.get(card)}'s`);
    }
    return faults;
  }

  /** Each order was sent to the supplier once at most, and delivered to the buyer when the supplier delivered it, else refunded. */
  private async supplyDifferences(db: Sql, supplier: FaultySupplier): Promise<string[]> {
    const faults: string[] = [];
    const rows = await db.rows<{ order_no: string; status: number; state: number | null; delivered: boolean }>(
      `select o.order_no, o.status, r.state,
              exists (select 1 from order_events e where e.order_id = o.id and e.kind = 'delivered') as delivered
         from orders o left join supplier_requests r on r.order_id = o.id where o.recharge_type = 2`,
    );
    const known = new Set(rows.map((row) => row.order_no));
    for (const reference of supplier.orders.keys())
      if (!known.has(reference)) faults.push(`the supplier was asked for ${reference}, which is no order`);
    for (const { order_no, status, state, delivered } of rows) {
      const there = supplier.of(order_no);
      if (there.sent > 1) faults.push(`the supplier was given ${order_no} ${there.sent} times`);
      if (state !== null && state < 2) faults.push(`order ${order_no} still waits for its supplier`);
      // 4: delivered although it had been refused twice and was refunded; the staff is told.
      if (Boolean(there.delivered) !== (delivered || state === 4))
        faults.push(
          `order ${order_no} at ${status}/${state}: the supplier delivered ${there.delivered}, the shop ${delivered}`,
        );
    }
    return faults;
  }
}
