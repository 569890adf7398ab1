import { createHmac, randomBytes } from 'node:crypto';
import type { ProviderNotice } from '../test-app';
import { Double, type DoubleRequest, type DoubleResponse, json, secondsNow } from './double';

interface StripeListed {
  id: string;
  object: string;
  payment_intent: string | null;
  amount: number;
  currency: string;
  metadata: Record<string, string>;
  paid?: boolean;
  status: string;
}
interface Session {
  id: string;
  object: 'checkout.session';
  mode: string;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid';
  amount_total: number;
  currency: string;
  client_reference_id: string;
  metadata: Record<string, string>;
  payment_intent: string | null;
  url: string | null;
  livemode: boolean;
}

interface NoticeChanges {
  type?: string;
  session?: Partial<Session>;
  livemode?: boolean;
  timestamp?: number;
  secret?: string;
}

/** The part of Stripe's API that Checkout needs: bearer key, form bodies, idempotency keys, signed webhooks. */
export class StripeDouble extends Double {
  readonly code = 'stripe';
  readonly options = { currency: 'USD', locale: 'en' };
  readonly secretKey = `sk_test_${randomBytes(12).toString('hex')}`;
  readonly webhookSecret = `whsec_${randomBytes(16).toString('hex')}`;
  readonly sessions = new Map<string, Session>();
  tamper: (entries: StripeListed[]) => StripeListed[] = (entries) => entries;
  readonly refunds = new Map<
    string,
    { id: string; payment_intent: string; amount: number; status: string; metadata?: Record<string, string> }
  >();
  private readonly responses = new Map<string, { body: string; response: DoubleResponse }>();

  env(): NodeJS.ProcessEnv {
    return {
      PAYMENTS_USD: 'stripe',
      PUBLIC_URL: 'https://shop.example',
      STRIPE_SECRET_KEY: this.secretKey,
      STRIPE_WEBHOOK_SECRET: this.webhookSecret,
      STRIPE_ENDPOINT: this.endpoint,
    };
  }

  protected answer(request: DoubleRequest): DoubleResponse {
    const fault = (status: number, message: string, type = 'invalid_request_error', code?: string): DoubleResponse => {
      this.refusals.push(message);
      return json(status, { error: { type, message, ...(code ? { code } : {}) } });
    };
    if (request.headers.authorization !== `Bearer ${this.secretKey}`) return fault(401, 'Invalid API Key provided');
    const key = request.headers['idempotency-key'];
    if (request.method !== 'POST' || typeof key !== 'string') return this.serve(request, fault);
    const stored = this.responses.get(key);
    if (stored && stored.body !== request.body)
      return fault(400, 'Keys for idempotent requests can only be used with the same parameters', 'idempotency_error');
    const response = stored?.response ?? this.serve(request, fault);
    this.responses.set(key, { body: request.body, response });
    return response;
  }

  private serve(
    { method, url, body }: DoubleRequest,
    fault: (status: number, message: string, type?: string, code?: string) => DoubleResponse,
  ): DoubleResponse {
    const form = Object.fromEntries(new URLSearchParams(body));
    if (method === 'POST' && url === '/v1/checkout/sessions') {
      const amount = Number(form['line_items[0][price_data][unit_amount]']);
      const currency = form['line_items[0][price_data][currency]'] ?? '';
      const expires = Number(form.expires_at);
      if (form.mode !== 'payment' || form['line_items[0][quantity]'] !== '1') return fault(400, 'line_items');
      if (!Number.isInteger(amount) || !/^[a-z]{3}$/.test(currency)) return fault(400, 'price_data');
      if (currency === 'usd' && amount < 50) return fault(400, 'at least 50 cents', undefined, 'amount_too_small');
      if (!(expires >= secondsNow() + 1790 && expires <= secondsNow() + 86_400)) return fault(400, 'expires_at');
      if (!/^https:\/\//.test(form.success_url ?? '')) return fault(400, 'success_url');
      if (form['adaptive_pricing[enabled]'] !== 'false') return fault(400, 'adaptive_pricing');
      const id = `cs_test_${randomBytes(16).toString('hex')}`;
      this.sessions.set(id, {
        id,
        object: 'checkout.session',
        mode: 'payment',
        status: 'open',
        payment_status: 'unpaid',
        amount_total: amount,
        currency,
        client_reference_id: form.client_reference_id ?? '',
        metadata: { payment_no: form['metadata[payment_no]'] ?? '' },
        payment_intent: null,
        url: `https://checkout.stripe.com/c/pay/${id}`,
        livemode: false,
      });
      return json(200, this.sessions.get(id) as Session);
    }
    const match = /^\/v1\/checkout\/sessions\/(\w+)(\/expire)?$/.exec(url);
    if (match) {
      const session = this.sessions.get(match[1] ?? '');
      if (!session) return fault(404, 'No such checkout.session', undefined, 'resource_missing');
      if (match[2]) {
        if (session.status !== 'open')
          return fault(400, 'Only Checkout Sessions with a status in ["open"] can be expired.');
        Object.assign(session, { status: 'expired', url: null });
      }
      return json(200, session);
    }
    if (method === 'POST' && url === '/v1/refunds') {
      const session = [...this.sessions.values()].find((candidate) => candidate.payment_intent === form.payment_intent);
      const amount = Number(form.amount);
      if (!session) return fault(404, 'No such payment_intent', undefined, 'resource_missing');
      const before = this.refundedOf(session);
      if (before + amount > session.amount_total)
        return fault(400, 'greater than unrefunded amount', undefined, 'charge_already_refunded');
      const refund = {
        id: `re_${randomBytes(12).toString('hex')}`,
        payment_intent: form.payment_intent ?? '',
        amount,
        status: this.refundsPend ? 'pending' : 'succeeded',
        metadata: {
          payment_no: form['metadata[payment_no]'] ?? '',
          refund_no: form['metadata[refund_no]'] ?? '',
        },
      };
      this.refunds.set(refund.id, refund);
      return json(200, { object: 'refund', ...refund });
    }
    const listed = /^\/v1\/(charges|refunds)\?/.exec(url)?.[1];
    if (method === 'GET' && listed) return this.list(listed, new URL(url, 'http://stripe').searchParams);
    return fault(404, `Unrecognized request URL (${method}: ${url})`);
  }

  private list(what: string, query: URLSearchParams): DoubleResponse {
    const now = secondsNow();
    const intent = query.get('payment_intent');
    const inside = intent || (Number(query.get('created[gte]')) <= now && now < Number(query.get('created[lt]')));
    const sessions = [...this.sessions.values()].filter((session) => session.payment_intent);
    const all: StripeListed[] =
      what === 'charges'
        ? sessions.map((session) => ({
            id: `ch_${session.payment_intent}`,
            object: 'charge',
            payment_intent: session.payment_intent,
            amount: session.amount_total,
            currency: session.currency,
            metadata: session.metadata,
            paid: true,
            status: 'succeeded',
          }))
        : [...this.refunds.values()].map((refund) => ({
            object: 'refund',
            currency: sessions.find((session) => session.payment_intent === refund.payment_intent)?.currency ?? 'usd',
            metadata: {},
            ...refund,
          }));
    const entries = inside ? this.tamper(all).filter((entry) => !intent || entry.payment_intent === intent) : [];
    const start = entries.findIndex((entry) => entry.id === query.get('starting_after')) + 1;
    const data = entries.slice(start, start + 2);
    return json(200, { object: 'list', url: `/v1/${what}`, has_more: start + 2 < entries.length, data });
  }

  sessionOf(paymentNo: string): Session {
    const session = [...this.sessions.values()].find((candidate) => candidate.metadata.payment_no === paymentNo);
    if (!session) throw new Error('no such session');
    return session;
  }
  pay(paymentNo: string): void {
    const session = this.sessionOf(paymentNo);
    if (session.status !== 'open') throw new Error('there is nothing to pay');
    Object.assign(session, {
      status: 'complete',
      payment_status: 'paid',
      payment_intent: `pi_${randomBytes(12).toString('hex')}`,
    });
  }

  refundedOf({ payment_intent }: Pick<Session, 'payment_intent'>): number {
    return [...this.refunds.values()].reduce(
      (sum, { payment_intent: intent, status, amount }) =>
        sum + (intent === payment_intent && status !== 'failed' ? amount : 0),
      0,
    );
  }
  forgetKeys(): void {
    this.responses.clear();
  }
  private refundOf(refundNo: string) {
    const refund = [...this.refunds.values()].find(({ metadata }) => metadata?.refund_no === refundNo);
    if (!refund) throw new Error('no such refund');
    return refund;
  }
  endRefund(_paymentNo: string, refundNo: string, done: boolean): void {
    this.refundOf(refundNo).status = done ? 'succeeded' : 'failed';
  }
  refundNotice(paymentNo: string, refundNo: string) {
    const refund = { object: 'refund', currency: this.sessionOf(paymentNo).currency, ...this.refundOf(refundNo) };
    return this.event(refund.status === 'failed' ? 'refund.failed' : 'refund.updated', refund);
  }
  refundByHand(paymentNo: string, amount: number): void {
    const id = `re_${randomBytes(12).toString('hex')}`;
    const payment_intent = this.sessionOf(paymentNo).payment_intent ?? '';
    this.refunds.set(id, { id, payment_intent, amount, status: 'succeeded' });
  }

  notice(
    paymentNo: string,
    { type = 'checkout.session.completed', session, ...sent }: NoticeChanges = {},
  ): ProviderNotice {
    return this.event(type, { ...this.sessionOf(paymentNo), ...session }, sent);
  }

  refundEvent(paymentNo: string, total: number, timestamp = secondsNow()) {
    const { payment_intent, amount_total: amount, currency, metadata } = this.sessionOf(paymentNo);
    const charge = { id: 'ch_1', object: 'charge', amount, amount_refunded: total, currency, payment_intent, metadata };
    return this.event('charge.refunded', charge, { timestamp });
  }
  disputeEvent(paymentNo: string, change: string, dispute: { id: string; amount: number; status?: string }) {
    const { payment_intent, currency } = this.sessionOf(paymentNo);
    const object = {
      object: 'dispute',
      currency,
      payment_intent,
      reason: 'fraudulent',
      status: 'needs_response',
      ...dispute,
    };
    return this.event(`charge.dispute.${change}`, object);
  }

  private event(
    type: string,
    object: object,
    { livemode = false, timestamp = secondsNow(), secret = this.webhookSecret } = {},
  ): ProviderNotice {
    const event = {
      id: `evt_${randomBytes(12).toString('hex')}`,
      object: 'event',
      type,
      livemode,
      created: timestamp,
      data: { object },
    };
    // Stripe sends JSON with line ends, and the signature covers exactly these bytes.
    const body = JSON.stringify(event, null, 2);
    const v1 = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
    return {
      headers: { 'stripe-signature': `t=${timestamp},v1=${v1}`, 'content-type': 'application/json; charset=utf-8' },
      body,
    };
  }
}
