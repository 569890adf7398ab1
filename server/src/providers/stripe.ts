import type { Stripe } from 'stripe';
import type { Currency } from '../http/schemas';
import { headerOf, isSafeAmount, returnAddress } from './provider-parts';
import {
  type KnownPayment,
  type Opened,
  type PaymentNotice,
  type PaymentProvider,
  type PaymentRequest,
  type PaymentState,
  ProviderRefusal,
  type RefundRequest,
} from './providers';
import type { StripeSettings } from './settings';

const TIMEOUT_MS = 10_000;
const MOST_CLOCK_SECONDS = 300;
/**
 * Stripe wants a session to live for half an hour from when it is made, which may be half an hour after the payment was. What is
 * overdue before that is expired by the job.
 */
const LEAST_SESSION_SECONDS = 61 * 60;

/** Stripe Checkout, one session a payment. Amounts are the smallest unit of their currency, as in the shop. */
export class StripeCheckout implements PaymentProvider {
  readonly code = 'stripe';
  readonly texts = { 'zh-CN': '银行卡支付', en: 'Card' };
  /** Stripe's least charge is 0.50 USD, or as much of another currency. */
  readonly least = { USD: 50, CNY: 400 };
  private loaded: Stripe | undefined;

  constructor(
    private readonly settings: StripeSettings,
    private readonly publicUrl: string,
    readonly currencies: readonly Currency[],
  ) {}

  private get sdk(): Stripe {
    if (!this.loaded) {
      const Sdk = require('stripe') as typeof Stripe;
      const { protocol, hostname, port } = new URL(this.settings.endpoint);
      this.loaded = new Sdk(this.settings.secretKey, {
        protocol: protocol === 'http:' ? 'http' : 'https',
        host: hostname,
        ...(port ? { port } : {}),
        timeout: TIMEOUT_MS,
        maxNetworkRetries: 1,
        telemetry: false,
      });
    }
    return this.loaded;
  }

  async open(request: PaymentRequest): Promise<Opened> {
    const { payment_no, amount, currency, locale, subject, created_at, expire_at } = request;
    const created = Math.floor(created_at.getTime() / 1000);
    const back = returnAddress(this.publicUrl, payment_no);
    const session = await this.ask(() =>
      this.sdk.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: payment_no,
          metadata: { payment_no },
          payment_intent_data: { metadata: { payment_no } },
          line_items: [
            {
              quantity: 1,
              price_data: { currency: currency.toLowerCase(), unit_amount: amount, product_data: { name: subject } },
            },
          ],
          // Nothing of the moment: the same key must come with the same parameters.
          expires_at: Math.max(Math.floor(expire_at.getTime() / 1000), created + LEAST_SESSION_SECONDS),
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
      event = this.sdk.webhooks.constructEvent(rawBody, signature, this.settings.webhookSecret, MOST_CLOCK_SECONDS);
    } catch {
      return undefined;
    }
    // A test event signed with a live shop's secret, or the other way round, moves no money.
    if (event.livemode !== /^(sk|rk)_live_/.test(this.settings.secretKey)) return undefined;
    switch (event.type) {
      case 'checkout.session.completed':
      case 'checkout.session.async_payment_succeeded':
        return event.data.object.payment_status === 'paid' ? noticeOf(event.data.object, true) : 'nothing';
      case 'checkout.session.async_payment_failed':
      case 'checkout.session.expired':
        return noticeOf(event.data.object, false);
      default:
        return 'nothing';
    }
  }

  readonly remote = {
    query: async ({ token }: KnownPayment): Promise<PaymentState> => {
      if (!token) return { state: 'unknown' };
      const session = await this.ask(() => this.sdk.checkout.sessions.retrieve(token));
      if (session.payment_status === 'paid') {
        const notice = noticeOf(session, true);
        if (!notice) throw new Error('Stripe answered without an amount');
        return { state: 'ended', notice };
      }
      return { state: session.status === 'expired' ? 'closed' : 'open' };
    },
    close: async ({ token }: KnownPayment): Promise<void> => {
      if (!token) return;
      await this.ask(() => this.sdk.checkout.sessions.expire(token));
    },
    refund: async (request: RefundRequest): Promise<'done' | 'pending'> => {
      const { token, refund_no, refund_amount, payment_no } = request;
      if (!token) throw new ProviderRefusal('the payment has no session');
      const session = await this.ask(() => this.sdk.checkout.sessions.retrieve(token));
      const intent = idOf(session.payment_intent);
      if (!intent) throw new ProviderRefusal('the session was not paid');
      const { status } = await this.ask(() =>
        this.sdk.refunds.create(
          { payment_intent: intent, amount: refund_amount, metadata: { payment_no, refund_no } },
          { idempotencyKey: `refund-${refund_no}` },
        ),
      );
      if (status === 'succeeded') return 'done';
      if (status === 'pending' || status === 'requires_action') return 'pending';
      throw new ProviderRefusal(`refund ${status}`);
    },
  };

  private async ask<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      const { statusCode = 0, code, message } = error as Error & { statusCode?: number; code?: string };
      if (statusCode >= 400 && statusCode < 500 && ![401, 403, 409, 429].includes(statusCode))
        throw new ProviderRefusal(`${code ?? statusCode} ${message}`);
      throw new Error(`Stripe did not answer: ${message}`);
    }
  }
}

const idOf = (object: string | { id: string } | null): string | undefined =>
  typeof object === 'string' ? object : object?.id;

function noticeOf(session: Stripe.Checkout.Session, paid: boolean): PaymentNotice | undefined {
  const payment_no = session.metadata?.payment_no;
  if (session.mode !== 'payment' || !payment_no || payment_no !== session.client_reference_id) return undefined;
  if (!isSafeAmount(session.amount_total) || !session.currency) return undefined;
  return {
    payment_no,
    amount: session.amount_total,
    currency: session.currency.toUpperCase(),
    paid,
    reference: idOf(session.payment_intent) ?? session.id,
  };
}
