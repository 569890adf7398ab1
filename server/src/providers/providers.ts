import type { Sql } from '../platform/db/sql';
import type { Currency, Locale } from '../platform/http/schemas';
import type { WebPush } from './web-push';

/** The provider has certainly not done what was requested and charged nothing. */
export class ProviderRefusal extends Error {}

export interface SmsProvider {
  /** Throws ProviderRefusal when no message was sent; after any other error the outcome is unknown. */
  sendCode(sql: Sql, phone: string, code: string): Promise<void>;
}

export interface Mail {
  /** One validated address. */
  to: string;
  locale: Locale;
  subject: string;
  text: string;
  /** The same for each attempt, so that mail systems recognise a repetition; letters, digits, dots and dashes. */
  messageId: string;
  /** URL of a page at which one POST unsubscribes from mails of this kind. */
  unsubscribe?: string;
}
export class MailRefusal extends ProviderRefusal {
  constructor(
    message: string,
    /** The recipient or the text is refused permanently; otherwise a retry may succeed. */
    readonly isFinal: boolean,
  ) {
    super(message);
  }
}
export interface MailSender {
  /** Throws MailRefusal when no mail was sent; after any other error the outcome is unknown. */
  send(sql: Sql, mail: Mail): Promise<void>;
}

export type BrowserKind = 'wechat' | 'mobile' | 'desktop';
export interface PaymentRequest {
  payment_no: string;
  /** Minor units. */
  amount: number;
  currency: Currency;
  locale: Locale;
  subject: string;
  created_at: Date;
  expire_at: Date;
  browser: BrowserKind;
  /** The shopper's IP address, which WeChat Pay requires. */
  address: string;
  /** Openid of a shopper who signed in through WeChat; '' otherwise. */
  openid: string;
}
export type PaymentPage =
  | { kind: 'redirect'; url: string }
  | { kind: 'code'; text: string }
  /** Parameters of WeChat's own payment window, for a page inside WeChat. */
  | { kind: 'bridge'; parameters: Record<string, string> };
export interface Opened {
  for: BrowserKind | 'any';
  page: PaymentPage;
  /** Expiry of the page, ISO 8601. Undefined: it expires with the payment. */
  until?: string;
  /** The provider's id of the payment, if later calls need it. */
  token?: string;
}
/** A provider's notification about a payment, with a verified signature. */
export interface PaymentNotice {
  payment_no: string;
  /** Minor units. */
  amount: number;
  currency: string;
  /** false: failed or closed, finally. */
  paid: boolean;
  reference: string;
  /** The provider's id of the payer, if it reports one. */
  payer?: string;
  /** The payer's country, ISO 3166 of two letters, if the provider reports it. */
  country?: string;
}
/** A provider's notification that money of a payment went back, by a refund of the shop or of the provider; its signature is verified. */
export interface RefundNotice {
  about: 'refund';
  payment_no: string;
  /**
   * The provider's id of the refund, or of the state that `total` describes. Undefined if the notification concerns only a refund
   * of the shop.
   */
  id?: string;
  /** The shop's number, if the shop may have begun it. */
  refund_no?: string;
  /** failed: a refund of the shop that will never be made. */
  state: 'done' | 'failed';
  /** Minor units of this refund, or `total` if the provider reports only all refunds of the payment together. */
  amount?: number;
  total?: number;
  /** Time of `total`, if refunds can fail later. */
  at?: Date;
  currency: string;
}
/** A provider's notification that the payer's bank disputes a payment; its signature is verified. */
export interface DisputeNotice {
  about: 'dispute';
  reference: string;
  id: string;
  /** Minor units. */
  amount: number;
  currency: string;
  reason: string;
  change: 'opened' | 'withdrawn' | 'reinstated' | 'won' | 'lost';
}
export type Notice = PaymentNotice | RefundNotice | DisputeNotice;
export interface KnownPayment {
  payment_no: string;
  amount: number;
  currency: Currency;
  /** The provider's id of the payment, if it has one. */
  token: string | null;
}
export type PaymentState = { state: 'ended'; notice: PaymentNotice } | { state: 'open' | 'closed' | 'unknown' };
/** stuck: it stays pending until the merchant completes it in the provider's console. failed: accepted before, and not made. */
export type RefundState = 'done' | 'pending' | 'stuck' | 'failed';
export interface RefundRequest extends KnownPayment {
  /** Unique; the provider refunds once per number. */
  refund_no: string;
  /** Minor units, at most the paid amount. */
  refund_amount: number;
  reason: string;
}
export interface ListedEntry {
  kind: 'payment' | 'refund';
  reference: string;
  /** For a refund: the provider's number and, if the shop began it, the shop's; '' otherwise. */
  refund_id: string;
  refund_no: string;
  /** Minor units. */
  amount: number;
  currency: string;
}
export interface PaymentProvider {
  readonly code: string;
  readonly currencies: readonly Currency[];
  /** The minimum amount in minor units. */
  readonly minimum?: Partial<Record<Currency, number>>;
  /** The payment page for the shopper. Idempotent per payment. */
  open(request: PaymentRequest): Promise<Opened>;
  /**
   * Returns undefined if the signature is wrong, the notification is malformed, or it is not for this shop; 'nothing' if it is
   * genuine but does not report a payment's end, a refund or a dispute.
   */
  readNotice(rawBody: string, headers: Record<string, string | string[] | undefined>): Notice | 'nothing' | undefined;
  /** The response to a notification; after any other response the provider repeats it. Undefined: the envelope of the API. */
  readonly acknowledgement?: { type: string; body: string };
  /** Undefined for the sandbox. */
  readonly remote?: PaymentCalls;
}
/** Calls about payments that exist. */
export interface PaymentCalls {
  query(payment: KnownPayment): Promise<PaymentState>;
  /** Closes it for payment. Throws ProviderRefusal if it is paid already. */
  close(payment: KnownPayment): Promise<void>;
  /** Refunds to the origin of the payment, once per number. Throws ProviderRefusal if the provider does not accept it. */
  refund(request: RefundRequest): Promise<RefundState>;
  /** The provider's list of a day (2026-01-31), for the daily reconciliation. */
  readonly list: {
    /** Hours by which the provider's day begins before UTC's. */
    zone: number;
    entries(day: string): Promise<ListedEntry[]>;
  };
}

export type SupplyAnswer = { kind: 'done'; detail: string } | { kind: 'failed'; detail: string } | { kind: 'pending' };
export interface SuppliedValue {
  goodsKey: string;
  specKey: string;
}
export interface SupplyOrder extends SuppliedValue {
  /** Unique, and sent once. */
  reference: string;
  quantity: number;
  fields: Record<string, string>;
  /** The time at which the shop decided to send it: a gateway refuses an order that is five minutes old. */
  sentAt: Date;
}
export interface SupplierOffer extends SuppliedValue {
  available: boolean;
  /** Minor units per piece, at least one currency. */
  costs: Partial<Record<Currency, number>>;
}
export interface SupplierProvider {
  readonly name: string;
  /** Throws ProviderRefusal if the supplier certainly did not get the order. After any other error that is unknown, and `query` decides. */
  order(order: SupplyOrder): Promise<SupplyAnswer>;
  /** Undefined if the supplier has not seen the reference so far. */
  query(reference: string): Promise<SupplyAnswer | undefined>;
  /** Costs and availability of at most a hundred values. Values that it does not know, or answers with a fault, are missing. */
  offers(values: readonly SuppliedValue[]): Promise<SupplierOffer[]>;
  /** The account's nickname; undefined if there is no such account. */
  validateAccount(goodsKey: string, fields: Record<string, string>): Promise<string | undefined>;
}

export interface WechatUser {
  openid: string;
  /** The same for all apps of one owner; undefined if the app belongs to none. */
  unionid?: string;
}
export interface WechatProvider {
  /** URL at which the user consents; it returns to `callback` with a code and this state. */
  authorizeUrl(callback: string, state: string): string;
  /** Undefined for a code that is unknown or used. */
  user(code: string): Promise<WechatUser | undefined>;
}

/** Storage of uploaded images. Names are `avatar/{uid}/{hash}.webp`. */
export interface PictureStore {
  put(name: string, bytes: Buffer, type: string): Promise<void>;
  get(name: string): Promise<Buffer | undefined>;
  remove(name: string): Promise<void>;
  /** Deletes partial files of interrupted writes that began before, if the store can have some. */
  removeLeftovers?(before: Date): Promise<void>;
}

export interface Providers {
  sms: SmsProvider;
  mail: MailSender | undefined;
  push: WebPush | undefined;
  payments: PaymentProvider[];
  supplierFor(stockType: string): SupplierProvider | undefined;
  wechat: WechatProvider | undefined;
  pictures: PictureStore;
}

export type Channel = 'mail' | 'push';

export const channelsOf = (providers: Pick<Providers, Channel>): Channel[] =>
  (['mail', 'push'] as const).filter((channel) => providers[channel]);
