import { ErrorCode } from '@shop/shared/domain';
import fc from 'fast-check';
import type { AppContext } from '../src/context';
import { closeOpenOrders, releaseHeld } from '../src/holds/holds.service';
import { randomNumber } from '../src/platform/crypto/tokens';
import { shopErrorOf } from '../src/platform/http/errors';
import { fromWire } from '../src/platform/http/money';
import type { Envelope } from '../src/platform/http/schemas';
import { SandboxPayments } from '../src/providers/sandbox';
import { PASSWORD, type ShopGoods, type Shopper } from '../test/support/fill-shop';
import { refund } from '../test/support/money-back';
import type { ShopProcess } from '../test/support/shop-process';
import { times } from '../test/support/times';

export interface SoakGoods extends ShopGoods {
  text: { spec: number; text: string; pieces: number };
}

export const facts = {
  placed: "select order_no || ' ' || total_amount as fact from orders",
  paid: 'select order_no as fact from orders where paid_at is not null',
  closed: 'select order_no as fact from orders where closed_at is not null',
  delivered:
    "select o.order_no as fact from order_events e join orders o on o.id = e.order_id where e.kind = 'delivered'",
  recharged: "select recharge_no || ' ' || amount as fact from recharges where state = 'paid'",
  received: "select user_id || ' ' || coupon_id as fact from user_coupons where invitee_id is null",
  refunded: `select refund_no || ' ' || order_no || ' ' || amount as fact
    from order_refunds r join orders o on o.id = r.order_id where actor = 'staff'`,
  released: `select order_no as fact from order_holds h join orders o on o.id = h.order_id
    where state = 'released' and ended_by = 'staff'`,
};
export type Fact = keyof typeof facts;

/** Facts that may also happen without an acknowledgement. A release has no idempotency key with which it could be repeated. */
export const unacknowledgedFacts: Fact[] = ['closed', 'delivered', 'released'];

const ofShoppers = {
  buyCard: 8,
  buyText: 2,
  buyTopUp: 3,
  pay: 8,
  payTwice: 2,
  payOnline: 2,
  cancel: 2,
  recharge: 4,
  receive: 1,
  reveal: 1,
};
const ofStaff = { refund: 3, decideHold: 2 };
type Action = keyof typeof ofShoppers | keyof typeof ofStaff;
/** They need one of the shopper's orders. */
const ofOrders = new Set<Action>(['pay', 'payTwice', 'payOnline', 'cancel', 'reveal', 'refund']);

/** The embedded database serves one process, so staff actions run while the server is down (passTime). */
export const stepsOf = (withStaff: boolean) =>
  fc.record({
    action: fc.oneof(
      ...Object.entries({ ...ofShoppers, ...(withStaff && ofStaff) }).map(([action, weight]) => ({
        weight,
        arbitrary: fc.constant(action as Action),
      })),
    ),
    who: fc.nat(),
    pick: fc.nat(1000),
  });

/** RequestInProgress: the first attempt is still in flight in the other process, or its dead connection is not yet noticed. */
const REPEATED: number[] = [ErrorCode.InternalError, ErrorCode.ServiceBusy, ErrorCode.RequestInProgress];
/** Classes of SQLSTATE that a recovered database does not resolve: they are bugs of the shop or of this test. */
const PERMANENT_ERROR = /^(22|23|42|55|P0)/;
export const SANDBOX_PAY_KEY = 'the key of the sandbox';
const cashier = new SandboxPayments(SANDBOX_PAY_KEY);
const RECENT = 6;

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type ApiAnswer = Envelope<any>;
interface Order {
  number: string;
  /** Minor units. */
  total: number;
}

export class Client {
  actionCount = 0;
  recovered: Promise<unknown> = Promise.resolve();
  isOver = false;
  readonly acknowledged = Object.fromEntries(Object.keys(facts).map((fact) => [fact, new Set()])) as Record<
    Fact,
    Set<string>
  >;
  readonly shown = new Map<string, string[]>();
  private readonly orders = new Map<number, Order[]>();
  private readonly topUps = new Set<string>();
  private turn = 0;

  constructor(
    private readonly servers: ShopProcess[],
    private readonly goods: SoakGoods,
    private readonly coupons: number[],
    private readonly staff: AppContext | undefined,
  ) {}

  get hasEnough(): boolean {
    const { paid, recharged, refunded, released } = this.acknowledged;
    const paidTopUps = [...this.topUps].filter((order) => paid.has(order)).length;
    return Math.min(paidTopUps, recharged.size) > 10 && (!this.staff || Math.min(refunded.size, released.size) > 5);
  }

  async perform(action: Action, user: Shopper, pick: number): Promise<void> {
    const orders = this.orders.get(user.id) ?? [];
    const order = orders[pick % Math.max(1, orders.length)];
    if (!order && ofOrders.has(action)) return;
    if ((await this[action](user, pick, order as Order)) !== false) this.actionCount += 1;
  }

  private buyCard(user: Shopper, pick: number) {
    const { id, spec } = this.goods.card;
    return this.order(user, { goods_id: id, spec_id: spec, quantity: 1 + (pick % 3) });
  }
  private buyText(user: Shopper, pick: number) {
    const { card, text } = this.goods;
    return this.order(user, { goods_id: card.id, spec_id: text.spec, quantity: 1 + (pick % 2) });
  }
  private async buyTopUp(user: Shopper, pick: number) {
    const uid = ['10001', 'slow', 'lost'][pick % 3];
    const body = { goods_id: this.goods.topUp.id, quantity: 1, custom_value: 10 * (1 + (pick % 20)) };
    await this.order(user, body, { uid }, this.topUps);
  }
  private async order(user: Shopper, body: object, fields?: object, placedOrders = new Set<string>()) {
    const { price_version } = (await this.ask(user, 'order/preview', body)).data ?? {};
    const { code, data } = await this.ask(user, 'order/create', { ...body, fields, price_version });
    const earlier = this.orders.get(user.id) ?? [];
    if (code !== 200) {
      if (earlier[0]) await this.pay(user, 0, earlier[0]);
      return;
    }
    const total = fromWire(data.total_amount) as number;
    this.acknowledged.placed.add(`${data.order_no} ${total}`);
    placedOrders.add(data.order_no);
    const placed = { number: data.order_no, total };
    this.orders.set(user.id, [placed, ...earlier].slice(0, RECENT));
  }
  private async pay(user: Shopper, pick: number, order: Order) {
    const { code, data } = await this.ask(user, 'payment/balance', { order_no: order.number });
    if (code === 200) this.acknowledged.paid.add(order.number);
    if (code === 200 && data.delivery_status === 20) this.acknowledged.delivered.add(order.number);
    if (code === ErrorCode.BalanceTooLow) await this.cancel(user, pick, order);
  }
  private async payTwice(user: Shopper, pick: number, order: Order) {
    await times(2, () => this.pay(user, pick, order));
  }
  /** The provider reports the payment twice at the same time. If the order is paid or closed meanwhile, the money goes to the wallet. */
  private async payOnline(user: Shopper, _pick: number, order: Order) {
    const { code, data } = await this.ask(user, 'payment/online', { order_no: order.number, method: 'sandbox' });
    if (code !== 200) return;
    const notice = cashier.notice({ payment_no: data.payment_no, amount: order.total, currency: 'CNY' }, true);
    await times(2, () => this.ask(undefined, 'payment/callback/sandbox', notice));
    const info = await this.ask(user, `order/info?order_no=${order.number}`);
    if (info.data.paid_at) this.acknowledged.paid.add(order.number);
  }
  private async cancel(user: Shopper, _pick: number, order: Order) {
    const { code, data } = await this.ask(user, 'order/cancel', { order_no: order.number });
    if (code === 200 && data.closed_at) this.acknowledged.closed.add(order.number);
  }
  private async recharge(user: Shopper, pick: number) {
    const amount = 100 * (1 + (pick % 40));
    const body = { amount: `${amount / 100}.00`, method: 'sandbox' };
    const { code, data } = await this.ask(user, 'recharge/create', body);
    if (code !== 200) return;
    const notice = cashier.notice({ payment_no: data.payment_no, amount, currency: 'CNY' }, true);
    const answers = await times(2, () => this.ask(undefined, 'payment/callback/sandbox', notice));
    expect(answers.map((answer) => answer.code)).toEqual([200, 200]);
    this.acknowledged.recharged.add(`${data.recharge_no} ${amount}`);
  }
  private async receive(user: Shopper, pick: number) {
    const coupon_id = this.coupons[pick % this.coupons.length];
    const { code } = await this.ask(user, 'coupon/receive', { coupon_id });
    if (code === 200) this.acknowledged.received.add(`${user.id} ${coupon_id}`);
  }
  private async reveal(user: Shopper, _pick: number, order: Order) {
    const { code, data } = await this.ask(user, 'order/cards', { order_no: order.number, password: PASSWORD });
    if (code !== 200) return;
    const cards = data.cards as Array<{ card_no: string; is_text?: boolean }>;
    if (cards.some((card) => card.is_text)) {
      expect(cards.map((card) => card.card_no)).toEqual([this.goods.text.text]);
      return;
    }
    this.shown.set(
      order.number,
      cards.map((card) => card.card_no),
    );
  }

  private async refund(_user: Shopper, pick: number, order: Order) {
    const part = [{}, { amount: 1 + (pick % 300) }, { quantity: 1 }][pick % 3];
    await this.refundOf(order.number, part);
  }
  private async refundOf(orderNo: string, part: Parameters<typeof refund>[2] = {}): Promise<void> {
    const refundNo = randomNumber();
    const done = await this.asStaff((staff) => refund(staff, orderNo, { ...part, refund_no: refundNo }));
    if (done) this.acknowledged.refunded.add(`${refundNo} ${orderNo} ${done.amount}`);
  }
  /** Not counted if no order is on hold. */
  private async decideHold(_user: Shopper, pick: number) {
    const onHold = await this.asStaff(({ db }) =>
      db.rows<{ id: number; order_no: string; user_id: number }>(
        'select id, order_no, user_id from orders where held_until is not null order by id limit 8',
      ),
    );
    const order = onHold?.[pick % onHold.length];
    if (!order) return false;
    if (pick % 3 === 0) {
      await this.refundOf(order.order_no);
      await this.asStaff(({ db }) => closeOpenOrders(db, order.user_id, 'staff'));
    } else if (await this.asStaff(({ db }) => releaseHeld(db, order.id, 'staff')))
      this.acknowledged.released.add(order.order_no);
  }

  /** Resolves to undefined when the shop refused. */
  private async asStaff<T>(work: (staff: AppContext) => Promise<T>): Promise<T | undefined> {
    const { staff } = this;
    if (!staff) throw new Error('staff need PostgreSQL');
    while (!this.isOver)
      try {
        return await work(staff);
      } catch (error) {
        if (shopErrorOf(error)) return undefined;
        if (PERMANENT_ERROR.test((error as { code?: string }).code ?? '')) throw error;
        await this.recovered;
      }
    throw new Error('the run is over');
  }
  private async ask(user: Shopper | undefined, url: string, body?: object): Promise<ApiAnswer> {
    const key = randomNumber();
    while (!this.isOver) {
      const answer = await this.send(user, url, body, key).catch(() => undefined);
      if (answer && !REPEATED.includes(answer.code)) return answer;
      await this.recovered;
    }
    throw new Error('the run is over');
  }
  private async send(user: Shopper | undefined, url: string, body: object | undefined, key: string) {
    const server = this.servers[this.turn++ % this.servers.length] as ShopProcess;
    const response = await fetch(`http://127.0.0.1:${server.port}/api/front/${url}`, {
      headers: {
        'idempotency-key': key,
        currency: 'CNY',
        ...(body && { 'content-type': 'application/json' }),
        ...(user && { authorization: `Bearer ${user.token}` }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    return (await response.json()) as ApiAnswer;
  }
}
