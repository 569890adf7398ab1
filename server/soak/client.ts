import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ErrorCode } from '@shop/shared/domain';
import type { AppContext } from '../src/context';
import { refundOrder } from '../src/payments/refund-order.service';
import { randomNumber } from '../src/platform/crypto/tokens';
import { shopErrorOf } from '../src/platform/http/errors';
import { toWire } from '../src/platform/http/money';
import type { Envelope } from '../src/platform/http/schemas';
import type { StripeDouble } from '../test/support/doubles/stripe';
import { faultyAccount } from './faulty-gateway';
import { PASSWORD, type SoakGoods, type SoakPerson } from './fill';
import type { CardPayment, Model } from './model';
import type { ShopProcess } from './shop-process';
import type { Step } from './step';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Answer = Envelope<any>;

interface Surroundings {
  goods: SoakGoods;
  stripe: StripeDouble;
  /** The staff's own connection; none beside the embedded database, which serves one process. */
  staff: AppContext | undefined;
}
/** A call without a JSON body of its own: a provider's notice with its signature, or a page. */
interface RawCall {
  text?: string;
  headers: Record<string, string>;
}
type StaffWork = (context: AppContext) => Promise<void>;

/** RequestInProgress: the first try is still in flight in the other process, or its dead connection is not yet noticed. */
const REPEATED: number[] = [ErrorCode.InternalError, ErrorCode.ServiceBusy, ErrorCode.RequestInProgress];
/** How long a call is repeated before the run fails. */
const PATIENCE_MS = 300_000;
/** Stripe's minimum in CNY, minor units. */
const LEAST_BY_CARD = 400;

/** Calls the API for its people, through whichever server answers, and records in the model what was acknowledged. */
export class Client {
  operations = 0;
  /** Codes taken from stock, at most. */
  sold = 0;
  /** What the staff does with an embedded database as soon as no server has it. */
  readonly deferred: StaffWork[] = [];
  private readonly agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  private turn = 0;
  private readonly priceVersions = new Map<string, string>();

  constructor(
    private readonly servers: ShopProcess[],
    private readonly model: Model,
  ) {}

  async act(act: Step['act'], person: SoakPerson, pick: number, around: Surroundings): Promise<void> {
    await this[act](person, pick, around);
  }

  private async buyCard(person: SoakPerson, pick: number, { goods }: Surroundings) {
    const quantity = 1 + (pick % 2);
    this.sold += quantity;
    await this.order(person, { goods_id: goods.card.id, spec_id: goods.card.spec, quantity }, undefined);
  }
  private async buyTopUp(person: SoakPerson, pick: number, { goods }: Surroundings) {
    const body = { goods_id: goods.topUp.id, custom_value: 10 * (1 + (pick % 9)), quantity: 1 };
    await this.order(person, body, { uid: faultyAccount(pick) });
  }
  private async order(person: SoakPerson, body: object, fields: object | undefined): Promise<void> {
    const wish = JSON.stringify(body);
    for (let attempt = 0; attempt < 2; attempt++) {
      let version = this.priceVersions.get(wish);
      if (!version || attempt) {
        const preview = await this.ask(person, 'order/preview', body);
        version = preview.data?.price_version as string;
        this.priceVersions.set(wish, version);
      }
      const answer = await this.change(person, 'order/create', { ...body, fields, price_version: version });
      if (answer.code === 200) return this.model.ordered(person, answer.data.order_no, answer.data.total_amount);
      if (answer.code !== ErrorCode.PriceChanged) break;
    }
    // Too many unpaid orders: pay or cancel one first.
    const order = this.model.unpaid(person, 0);
    if (order) await this.payOrder(person, order);
  }

  private async pay(person: SoakPerson, pick: number) {
    await this.payOrder(person, this.model.recent(person, pick));
  }
  private async payTwice(person: SoakPerson, pick: number) {
    const order = this.model.unpaid(person, pick) ?? this.model.recent(person, pick);
    await Promise.all([this.payOrder(person, order), this.payOrder(person, order)]);
  }
  private async payOrder(person: SoakPerson, order_no: string | undefined): Promise<void> {
    if (!order_no) return;
    const { code, data } = await this.change(person, 'payment/balance', { order_no });
    if (code === 200) this.model.paid(order_no, data.status, data.delivery_status);
    if (code === ErrorCode.BalanceTooLow) await this.cancelOrder(person, order_no);
  }
  private async cancel(person: SoakPerson, pick: number) {
    const order = this.model.recent(person, pick);
    if (order) await this.cancelOrder(person, order);
  }
  private async cancelOrder(person: SoakPerson, order_no: string): Promise<void> {
    const { code, data } = await this.change(person, 'order/cancel', { order_no });
    if (code === 200 && data.closed_at) this.model.closed(order_no);
  }

  private async payOnline(person: SoakPerson, pick: number, { stripe }: Surroundings) {
    const order_no = this.model.unpaid(person, pick) ?? this.model.recent(person, pick);
    if (!order_no) return;
    const total = this.model.totalOf(order_no);
    if (total < LEAST_BY_CARD) return;
    const { code, data } = await this.change(person, 'payment/online', { order_no, method: 'stripe' });
    // Another thread of this person may close or pay the order before the notice comes: the money is then in the wallet.
    if (code === 200) await this.payByCard(stripe, person, data.payment_no, total, () => undefined);
  }
  private async recharge(person: SoakPerson, pick: number, { stripe }: Surroundings) {
    const amount = LEAST_BY_CARD + 100 * (pick % 20);
    const { code, data } = await this.change(person, 'recharge/create', { amount: toWire(amount), method: 'stripe' });
    if (code !== 200) return;
    await this.payByCard(stripe, person, data.payment_no, amount, () =>
      this.model.recharged(person, data.recharge_no, amount),
    );
  }
  /** Opens the provider's page, pays there, and the provider tells of it twice at once. */
  private async payByCard(
    stripe: StripeDouble,
    person: SoakPerson,
    payment_no: string,
    amount: number,
    onPaid: () => void,
  ): Promise<void> {
    await this.ask(undefined, `/cashier/${payment_no}`, { headers: {} });
    try {
      stripe.pay(payment_no);
    } catch {
      // The page did not open, or another thread has paid there or closed the order.
      return;
    }
    const answers = await this.tellTwice(stripe.notice(payment_no));
    if (!answers.some((one) => one.code === 200)) return;
    this.model.settled(payment_no);
    this.model.paidByCard(person, payment_no, amount);
    onPaid();
  }
  private tellTwice({ headers, body }: { headers: Record<string, string>; body: string }): Promise<Answer[]> {
    const tell = () => this.change(undefined, 'payment/callback/stripe', { headers, text: body });
    return Promise.all([tell(), tell()]);
  }

  /** A refund that was begun at the provider, of half or all that is left of a payment. */
  private async refundAtProvider(person: SoakPerson, pick: number, { stripe }: Surroundings) {
    await this.withCardPayment(person, pick, async (payment) => {
      const session = stripe.sessionOf(payment.payment_no);
      const left = session.amount_total - stripe.refundedOf(session);
      const amount = pick % 3 ? Math.ceil(left / 2) : left;
      if (payment.dispute || amount === 0) return;
      stripe.refundByHand(payment.payment_no, amount);
      const answers = await this.tellTwice(stripe.refundEvent(payment.payment_no, stripe.refundedOf(session)));
      this.model.refundedByProvider(
        payment.payment_no,
        answers.map((one) => one.code),
      );
    });
  }
  /** The payer disputes a payment; the next call ends that dispute. */
  private async dispute(person: SoakPerson, pick: number, { stripe }: Surroundings) {
    await this.withCardPayment(person, pick, async (payment) => {
      const { payment_no } = payment;
      const session = stripe.sessionOf(payment_no);
      const tell = async (change: string, state: string) => {
        const { id, amount } = payment.dispute as NonNullable<CardPayment['dispute']>;
        const answers = await this.tellTwice(stripe.disputeEvent(payment_no, change, { id, amount, status: state }));
        this.model.toldOfDispute(
          payment_no,
          answers.map((one) => one.code),
        );
      };
      if (payment.dispute?.state === 'open') {
        const state = pick % 2 ? 'won' : 'lost';
        if (state === 'won') await tell('funds_reinstated', state);
        await tell('closed', state);
        payment.dispute.state = state;
        if (state === 'won') stripe.disputed.delete(session.payment_intent ?? '');
      } else if (!payment.dispute) {
        const amount = session.amount_total - stripe.refundedOf(session);
        if (amount === 0) return;
        stripe.disputed.add(session.payment_intent ?? '');
        payment.dispute = { id: `dp_${payment_no}`, amount, state: 'open' };
        const changes = ['created', 'funds_withdrawn'];
        for (const change of pick % 2 ? changes : changes.reverse()) await tell(change, 'needs_response');
      }
    });
  }
  /** One provider works on one payment at a time. */
  private async withCardPayment(person: SoakPerson, pick: number, work: (payment: CardPayment) => Promise<void>) {
    const payment = this.model.cardPayment(person, pick);
    if (!payment || payment.busy) return;
    payment.busy = true;
    await work(payment).finally(() => {
      payment.busy = false;
    });
  }

  private async receive(person: SoakPerson, pick: number, { goods }: Surroundings) {
    const coupon_id = goods.coupons[pick % goods.coupons.length] as number;
    const { code } = await this.change(person, 'coupon/receive', { coupon_id });
    if (code === 200) this.model.received(person, coupon_id);
  }
  private async reveal(person: SoakPerson, pick: number) {
    const order_no = this.model.recent(person, pick);
    if (!order_no) return;
    const { code, data } = await this.change(person, 'order/cards', { order_no, password: PASSWORD });
    if (code === 200)
      this.model.revealed(
        order_no,
        data.cards.map((one: { card_no: string }) => one.card_no),
      );
  }

  private async refund(person: SoakPerson, pick: number, { staff }: Surroundings) {
    await this.refundByStaff(person, pick, staff, {});
  }
  private async refundPart(person: SoakPerson, pick: number, { staff }: Surroundings) {
    await this.refundByStaff(person, pick, staff, pick % 3 ? { amount: 1 + (pick % 300) } : { quantity: 1 });
  }
  /** Repeated under its number until it is done or refused. */
  private async refundByStaff(
    person: SoakPerson,
    pick: number,
    staff: AppContext | undefined,
    part: { amount?: number; quantity?: number },
  ): Promise<void> {
    const orderNo = this.model.recent(person, pick);
    if (!orderNo) return;
    const target = pick % 2 ? ('source' as const) : ('wallet' as const);
    const wish = { ...part, orderNo, target, reason: 'soak', revealedOk: true, refundNo: randomNumber() };
    await this.asStaff(staff, async (context) => {
      const until = Date.now() + PATIENCE_MS;
      for (;;) {
        try {
          const { amount } = await refundOrder(context, wish);
          this.operations += 1;
          return this.model.refunded(wish.refundNo, orderNo, amount);
        } catch (error) {
          if (shopErrorOf(error)) return;
          if (Date.now() > until) throw error;
          await sleep(100);
        }
      }
    });
  }
  private async asStaff(staff: AppContext | undefined, work: StaffWork): Promise<void> {
    if (staff) await work(staff);
    else this.deferred.push(work);
  }

  /** One call that changes something: repeated under one key until it is answered. */
  private async change(person: SoakPerson | undefined, url: string, body: object | RawCall): Promise<Answer> {
    const answer = await this.ask(person, url, body, randomUUID());
    this.operations += 1;
    return answer;
  }

  private async ask(
    person: SoakPerson | undefined,
    url: string,
    body?: object | RawCall,
    key?: string,
  ): Promise<Answer> {
    const until = Date.now() + PATIENCE_MS;
    for (let attempt = 0; ; attempt++) {
      const answer = await this.send(person, url, body, key).catch(() => undefined);
      if (answer && !REPEATED.includes(answer.code)) return answer;
      if (Date.now() > until) throw new Error(`${url} was not answered in ${PATIENCE_MS} ms`);
      await sleep(Math.min(500, 20 * 2 ** attempt));
    }
  }

  private send(person: SoakPerson | undefined, url: string, body?: object | RawCall, key?: string): Promise<Answer> {
    const server = this.servers[this.turn++ % this.servers.length] as ShopProcess;
    const raw = body && 'headers' in body ? (body as RawCall) : undefined;
    const text = raw ? raw.text : body && JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const request = http.request(
        {
          host: '127.0.0.1',
          port: server.port,
          path: url.startsWith('/') ? url : `/api/front/${url}`,
          method: text ? 'POST' : 'GET',
          agent: this.agent,
          timeout: 30_000,
          headers: {
            currency: 'CNY',
            ...(person ? { authorization: `Bearer ${person.token}` } : {}),
            ...(key ? { 'idempotency-key': key } : {}),
            ...(text ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) } : {}),
            ...raw?.headers,
          },
        },
        (response) => {
          let received = '';
          response.setEncoding('utf8');
          response.on('data', (chunk: string) => {
            received += chunk;
          });
          response.on('error', reject).on('aborted', () => reject(new Error('aborted')));
          response.on('end', () => {
            try {
              // A page has no envelope.
              resolve(
                url.startsWith('/') ? ({ code: response.statusCode ?? 0 } as Answer) : (JSON.parse(received) as Answer),
              );
            } catch (error) {
              reject(error);
            }
          });
        },
      );
      request.on('error', reject).on('timeout', () => request.destroy(new Error('timeout')));
      request.end(text);
    });
  }
}
