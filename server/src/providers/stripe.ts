import type { Stripe } from 'stripe';
import { lazy } from './lazy';
import { headerOf, isSafeAmount } from './parse';
import type { StripeSettings } from './payment-settings';
import {
  type DisputeNotice,
  type ListedEntry,
  type Opened,
  type PaymentCalls,
  type PaymentNotice,
  type PaymentProvider,
  type PaymentRequest,
  ProviderRefusal,
  type RefundNotice,
} from './providers';
import { RemotePayments } from './remote-payments';

const TIMEOUT_MS = 10_000;
const MOST_CLOCK_SECONDS = 300;
const DAY_SECONDS = 86_400;
/**
 * Stripe requires a session to live for at least half an hour, and it may be created half an hour after the payment. The job
 * expires overdue ones earlier.
 */
const LEAST_SESSION_SECONDS = 61 * 60;

/** Wrong keys, a conflict or too many requests give no information about the payment. */
const UNDECIDED = [401, 403, 409, 429];
const FAILED_REFUNDS = ['failed', 'canceled'];

/** Stripe Checkout, one session per payment. Amounts are the smallest unit of their currency, as in the shop. */
export class StripeCheckout extends RemotePayments<StripeSettings> implements PaymentProvider {
  readonly code = 'stripe';
  /** Stripe's minimum charge is 0.50 USD or its equivalent. */
  readonly minimum = { USD: 50, CNY: 400 };
  protected readonly serviceName = 'Stripe';
  private readonly sdk = lazy((): Stripe => {
    const Sdk = require('stripe') as typeof Stripe;
    const { protocol, hostname, port } = new URL(this.settings.endpoint);
    return new Sdk(this.settings.secretKey, {
      protocol: protocol === 'http:' ? 'http' : 'https',
      host: hostname,
      ...(port ? { port } : {}),
      timeout: TIMEOUT_MS,
      maxNetworkRetries: 1,
      telemetry: false,
    });
  });

  async open(request: PaymentRequest): Promise<Opened> {
    const { payment_no, amount, currency, locale, subject, created_at, expire_at } = request;
    const created = Math.floor(created_at.getTime() / 1000);
    const back = this.returnUrl(payment_no);
    const session = await this.request(() =>
      this.sdk().checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: payment_no,
          metadata: { payment_no },
          payment_intent_data: { metadata: { payment_no, currency } },
          line_items: [
            {
              quantity: 1,
              price_data: { currency: currency.toLowerCase(), unit_amount: amount, product_data: { name: subject } },
            },
          ],
          // Computed from the payment rather than from now, because an idempotency key must have the same parameters each time.
          expires_at: Math.max(Math.floor(expire_at.getTime() / 1000), created + LEAST_SESSION_SECONDS),
          // Otherwise the payer may pay in another currency than the order's, which would settle nothing.
          adaptive_pricing: { enabled: false },
          locale: locale === 'en' ? 'en' : 'zh',
          success_url: back,
          cancel_url: back,
        },
        { idempotencyKey: `open-${payment_no}` },
      ),
    );
    if (!session.url) throw new Error('Stripe answered without an address');
    return { for: 'any', page: { kind: 'redirect', url: session.url }, token: session.id };
  }

  readNotice(rawBody: string, headers: Record<string, string | string[] | undefined>) {
    let event: Stripe.Event;
    try {
      const signature = headerOf(headers, 'stripe-signature');
      event = this.sdk().webhooks.constructEvent(rawBody, signature, this.settings.webhookSecret, MOST_CLOCK_SECONDS);
    } catch {
      return undefined;
    }
    // A test event signed with a live shop's secret, or the reverse, moves no money.
    if (event.livemode !== /^(sk|rk)_live_/.test(this.settings.secretKey)) return undefined;
    switch (event.type) {
      case 'checkout.session.completed':
      case 'checkout.session.async_payment_succeeded':
        return event.data.object.payment_status === 'paid' ? noticeOf(event.data.object, true) : 'nothing';
      case 'checkout.session.async_payment_failed':
      case 'checkout.session.expired':
        return noticeOf(event.data.object, false);
      case 'charge.refunded':
        return refundOf(event.data.object, new Date(event.created * 1000));
      case 'refund.updated':
      case 'refund.failed':
        return ownRefundOf(event.data.object);
      case 'charge.dispute.created':
        return disputeOf(event.data.object, 'opened');
      case 'charge.dispute.funds_withdrawn':
        return disputeOf(event.data.object, 'withdrawn');
      case 'charge.dispute.funds_reinstated':
        return disputeOf(event.data.object, 'reinstated');
      case 'charge.dispute.closed':
        return disputeOf(event.data.object, event.data.object.status === 'lost' ? 'lost' : 'won');
      default:
        return 'nothing';
    }
  }

  readonly remote: PaymentCalls = {
    query: async ({ token }) => {
      if (!token) return { state: 'unknown' };
      const session = await this.request(() => this.sdk().checkout.sessions.retrieve(token));
      if (session.payment_status === 'paid') {
        const notice = noticeOf(session, true);
        if (!notice) throw new Error('Stripe answered without an amount');
        return { state: 'ended', notice };
      }
      return { state: session.status === 'expired' ? 'closed' : 'open' };
    },
    close: async ({ token }) => {
      if (!token) return;
      await this.request(() => this.sdk().checkout.sessions.expire(token));
    },
    refund: async ({ token, refund_no, refund_amount, payment_no }) => {
      if (!token) throw new ProviderRefusal('the payment has no session');
      const session = await this.request(() => this.sdk().checkout.sessions.retrieve(token));
      const intent = idOf(session.payment_intent);
      if (!intent) throw new ProviderRefusal('the session was not paid');
      // Stripe repeats the first response to an idempotency key for a day, and makes a second refund after that.
      const made = await this.request(async () => {
        for await (const refund of this.sdk().refunds.list({ payment_intent: intent, limit: 100 }))
          if (refund.metadata?.refund_no === refund_no) return refund;
        return this.sdk().refunds.create(
          { payment_intent: intent, amount: refund_amount, metadata: { payment_no, refund_no } },
          { idempotencyKey: `refund-${refund_no}` },
        );
      });
      return stateOfRefund(made);
    },
    list: {
      zone: 0,
      entries: async (day) => {
        const from = Date.parse(`${day}T00:00:00Z`) / 1000;
        const filter = { created: { gte: from, lt: from + DAY_SECONDS }, limit: 100 };
        return this.request(async () => {
          const entries: ListedEntry[] = [];
          for await (const charge of this.sdk().charges.list(filter))
            if (charge.paid) entries.push(listedCharge(charge));
          for await (const refund of this.sdk().refunds.list(filter))
            if (stateOfRefund(refund) !== 'failed') entries.push(listedRefund(refund));
          return entries;
        });
      },
    },
  };

  private async request<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      const { statusCode = 0, code, message } = error as Error & { statusCode?: number; code?: string };
      const refused = statusCode >= 400 && statusCode < 500 && !UNDECIDED.includes(statusCode);
      throw this.failure(error, refused && `${code ?? statusCode} ${message}`);
    }
  }
}

const idOf = (object: string | { id: string } | null): string | undefined =>
  typeof object === 'string' ? object : object?.id;

function noticeOf(session: Stripe.Checkout.Session, paid: boolean): PaymentNotice | undefined {
  const payment_no = session.metadata?.payment_no;
  if (session.mode !== 'payment' || !payment_no || payment_no !== session.client_reference_id) return undefined;
  const { amount_total: amount, currency } = session;
  if (!isSafeAmount(amount) || !currency) return undefined;
  return {
    payment_no,
    amount,
    currency: currency.toUpperCase(),
    paid,
    reference: idOf(session.payment_intent) ?? session.id,
    ...(session.customer_details?.address?.country && { country: session.customer_details.address.country }),
    ...(session.customer_details?.email && { payer: session.customer_details.email.toLowerCase() }),
  };
}

function stateOfRefund({ status }: Stripe.Refund): 'done' | 'pending' | 'failed' {
  if (status === 'succeeded') return 'done';
  return FAILED_REFUNDS.includes(status ?? '') ? 'failed' : 'pending';
}

/** A refund that the shop began; charge.refunded reports the others. */
function ownRefundOf(refund: Stripe.Refund): RefundNotice | 'nothing' {
  const { payment_no, refund_no } = refund.metadata ?? {};
  const state = stateOfRefund(refund);
  if (!payment_no || !refund_no || state === 'pending' || !isSafeAmount(refund.amount)) return 'nothing';
  const { amount, currency } = refund;
  return { about: 'refund', payment_no, refund_no, state, amount, currency: currency.toUpperCase() };
}

/** A charge carries the metadata of its payment intent; without it the charge does not belong to this shop. */
function refundOf(charge: Stripe.Charge, at: Date): RefundNotice | 'nothing' {
  const payment_no = charge.metadata?.payment_no;
  if (!payment_no || !isSafeAmount(charge.amount_refunded)) return 'nothing';
  const { amount_refunded: total, currency } = charge;
  const id = `total-${total}`;
  return { about: 'refund', payment_no, id, state: 'done', total, at, currency: currency.toUpperCase() };
}

function disputeOf(dispute: Stripe.Dispute, change: DisputeNotice['change']): DisputeNotice | 'nothing' {
  const reference = idOf(dispute.payment_intent);
  if (!reference || !isSafeAmount(dispute.amount)) return 'nothing';
  const { id, amount, currency, reason } = dispute;
  return { about: 'dispute', reference, id, amount, currency: currency.toUpperCase(), reason, change };
}

const listedCharge = ({ id, payment_intent, amount, currency }: Stripe.Charge): ListedEntry => ({
  kind: 'payment',
  reference: idOf(payment_intent) ?? id,
  refund_id: '',
  refund_no: '',
  amount,
  currency: currency.toUpperCase(),
});
const listedRefund = (refund: Stripe.Refund): ListedEntry => ({
  kind: 'refund',
  reference: idOf(refund.payment_intent) ?? idOf(refund.charge) ?? '',
  refund_id: refund.id,
  refund_no: refund.metadata?.refund_no ?? '',
  amount: refund.amount,
  currency: refund.currency.toUpperCase(),
});
