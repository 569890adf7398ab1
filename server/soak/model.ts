import type { Config } from '../src/config';
import { Keyring } from '../src/crypto/keyring';
import type { Sql } from '../src/db/sql';
import { fromWire } from '../src/http/money';
import type { SandboxSupplier } from '../src/providers/sandbox';
import { type SoakPerson, START_BALANCE } from './fill';

interface Order {
  no: string;
  person: SoakPerson;
  total: number;
  paid?: true;
  /** An answer has shown it as delivered (30/20). */
  delivered?: true;
  closed?: true;
  refunded?: true;
  cards?: string[];
}

/** How many of a person's latest orders the operations still use. */
const RECENT = 6;

/** What the shop has acknowledged. */
export class Model {
  private readonly orders = new Map<string, Order>();
  private readonly recents = new Map<number, Order[]>();
  private readonly recharges = new Map<string, { person: SoakPerson; amount: number }>();
  /** Payments whose notice was acknowledged; true for those first said to have failed. */
  private readonly payments = new Map<string, boolean>();
  /** Payments whose notice of being paid was acknowledged, first or after one of a failure. */
  private readonly paidPayments = new Set<string>();
  private readonly coupons = new Set<string>();

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
  refunded(no: string): void {
    this.get(no).refunded = true;
  }
  revealed(no: string, cards: string[]): void {
    this.get(no).cards = cards;
  }
  recharged(person: SoakPerson, no: string, amount: number): void {
    this.recharges.set(no, { person, amount });
  }
  settled(paymentNo: string): void {
    this.paidPayments.add(paymentNo);
    if (!this.payments.has(paymentNo)) this.payments.set(paymentNo, false);
  }
  failed(paymentNo: string): void {
    this.payments.set(paymentNo, true);
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
      'order refunded by the staff': orders.filter((one) => one.refunded).length,
      'order whose codes were shown': orders.filter((one) => one.cards).length,
      'payment notice taken': this.payments.size,
      'recharge credited': this.recharges.size,
      'coupon received': this.coupons.size,
    };
  }

  /** Holds what was acknowledged against the database, both ways. Empty when they agree. */
  async differences(db: Sql, config: Config, supplier: SandboxSupplier): Promise<string[]> {
    return [
      ...(await this.orderDifferences(db)),
      ...(await this.paymentDifferences(db)),
      ...(await this.walletDifferences(db)),
      ...(await this.cardDifferences(db, config)),
      ...(await this.supplyDifferences(db, supplier)),
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
      if (order.refunded && row.status !== 60)
        faults.push(`order ${order.no} was refunded and stands at ${row.status}`);
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
    for (const [no, failedFirst] of this.payments) {
      const state = found.get(no)?.state;
      if (failedFirst ? state === 'pending' || !state : state !== 'paid' && state !== 'failed')
        faults.push(`payment ${no} was acknowledged and is ${state ?? 'lost'}`);
    }
    const paid = new Set(recharges.map((row) => row.recharge_no));
    for (const no of this.recharges.keys())
      if (!paid.has(no)) faults.push(`recharge ${no} was acknowledged and is lost`);
    for (const no of paid)
      if (!this.recharges.has(no)) faults.push(`recharge ${no} was credited but no client was told`);
    for (const [no, row] of found)
      if (row.state !== 'pending' && !this.payments.has(no)) faults.push(`payment ${no} ended but no client was told`);
    return faults;
  }

  /**
   * Every wallet: what it began with, the recharges, the payments that came late (for an order that was closed or paid by
   * then, or after a notice of a failure), less the orders, plus the refunds.
   */
  private async walletDifferences(db: Sql): Promise<string[]> {
    const rows = await db.rows<{ id: number; balance: number; expected: number }>(
      `select w.user_id as id, w.balance, (${START_BALANCE}
         + coalesce((select sum(amount) from recharges r where r.user_id = w.user_id and r.state = 'paid'), 0)
         + coalesce((select sum(p.amount) from payments p join orders o on o.id = p.order_id
              where p.user_id = w.user_id and o.payment_id is distinct from p.id
                and (p.state = 'paid' or p.payment_no = any($1))), 0)
         - coalesce((select sum(total_amount) from orders o where o.user_id = w.user_id and o.paid_at is not null and o.pay_method = 'balance'), 0)
         + coalesce((select sum(total_amount) from orders o where o.user_id = w.user_id and o.status = 60), 0))::bigint as expected
       from wallets w where w.currency = 'CNY'`,
      [[...this.paidPayments]],
    );
    const faults = rows
      .filter((row) => row.balance !== row.expected)
      .map((row) => `the wallet of ${row.id} holds ${row.balance}, the answers make ${row.expected}`);
    if (rows.length !== this.persons.length) faults.push(`${rows.length} wallets for ${this.persons.length} people`);
    return faults;
  }

  private async cardDifferences(db: Sql, config: Config): Promise<string[]> {
    const keyring = new Keyring(config.cardKeys);
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

  private async supplyDifferences(db: Sql, supplier: SandboxSupplier): Promise<string[]> {
    const faults = supplier
      .references()
      .filter((one) => supplier.ordered(one) > 1)
      .map((one) => `the supplier was given ${one} ${supplier.ordered(one)} times`);
    const rows = await db.rows<{ order_no: string }>(
      'select order_no from orders where recharge_type = 2 and status = 30',
    );
    for (const { order_no } of rows)
      if (supplier.ordered(order_no) !== 1) faults.push(`order ${order_no} is delivered and was never supplied`);
    return faults;
  }
}
