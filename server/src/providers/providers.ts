import type { Sql } from '../platform/db/sql';
import type { Currency, Locale } from '../platform/http/schemas';

/** The provider has certainly not done what was requested and charged nothing. */
export class ProviderRefusal extends Error {}

/** Sends verification codes. */
export interface SmsProvider {
  readonly name: string;
  /** Throws ProviderRefusal when no message was sent; after any other error it is unknown. */
  sendCode(sql: Sql, phone: string, code: string): Promise<void>;
}

/** A mail to one user, in plain text. */
export interface Mail {
  /** One address, checked before. */
  to: string;
  locale: Locale;
  subject: string;
  text: string;
  /** The same for each try, so that mail systems recognise a repetition; letters, digits, dots and dashes. */
  messageId: string;
  /** Address of a page at which one POST ends mails of this kind. */
  unsubscribe?: string;
}
/** No mail was sent. */
export class MailRefusal extends ProviderRefusal {
  constructor(
    message: string,
    /** The recipient or the text is refused for good; otherwise a later try may go through. */
    readonly isFinal: boolean,
  ) {
    super(message);
  }
}
export interface MailSender {
  readonly name: string;
  /** Throws MailRefusal when no mail was sent; after any other error it is unknown. */
  send(sql: Sql, mail: Mail): Promise<void>;
}

/** A browser that gets pushes, as it names itself. */
export interface PushReceiver {
  endpoint: string;
  p256dh: string;
  auth: string;
}
/** No push was sent, and no later try will go through. */
export class PushRefusal extends ProviderRefusal {
  constructor(
    message: string,
    /** The browser has ended it. */
    readonly isGone: boolean,
  ) {
    super(message);
  }
}
export interface PushSender {
  /** By which browsers subscribe; base64url. */
  readonly publicKey: string;
  /** Whether the endpoint is one of a push service that the shop calls. */
  serves(endpoint: string): boolean;
  /** Throws PushRefusal; after any other error a later try may go through. */
  send(receiver: PushReceiver, payload: string): Promise<void>;
}

/** What the shopper's browser is: providers have a page for each. */
export type BrowserKind = 'wechat' | 'mobile' | 'desktop';
export interface PaymentRequest {
  payment_no: string;
  /** Minor units. */
  amount: number;
  currency: Currency;
  locale: Locale;
  /** What is paid, in the shopper's language, for the provider's page. */
  subject: string;
  created_at: Date;
  expire_at: Date;
  browser: BrowserKind;
  /** The shopper's address, which WeChat Pay asks for. */
  address: string;
  /** Of a shopper who signed in through WeChat; '' otherwise. */
  openid: string;
}
/** Where the shopper pays. */
export type PaymentPage =
  | { kind: 'redirect'; url: string }
  /** A code for another device to scan. */
  | { kind: 'code'; text: string }
  /** Parameters of WeChat's own payment window, for a page inside WeChat. */
  | { kind: 'bridge'; parameters: Record<string, string> };
export interface Opened {
  /** The kind of browser that the page is for. */
  for: BrowserKind | 'any';
  page: PaymentPage;
  /** When the page expires, ISO 8601. Absent: with the payment. */
  until?: string;
  /** The provider's id of the payment, where later calls need it. */
  token?: string;
}
/** A provider's notice about a payment, its signature checked. */
export interface PaymentNotice {
  payment_no: string;
  /** Minor units. */
  amount: number;
  currency: string;
  /** false: failed or closed, finally. */
  paid: boolean;
  /** The provider's number of the payment. */
  reference: string;
  /** What the provider calls whoever has paid, where it says so. */
  payer?: string;
  /** From where, ISO 3166 of two letters, where it says so. */
  country?: string;
}
/** A provider's notice that money of a payment went back, whoever began it; its signature checked. */
export interface RefundNotice {
  about: 'refund';
  /** The shop's number of the payment. */
  payment_no: string;
  /** The provider's id of the refund, or of the state that `total` describes. Absent: only a refund of the shop's own is meant. */
  id?: string;
  /** The shop's number, if the shop may have begun it. */
  refund_no?: string;
  /** failed: a refund of the shop's that will never be made. */
  state: 'done' | 'failed';
  /** Minor units of this refund; or, where the provider tells only that, of all refunds of the payment together. */
  amount?: number;
  total?: number;
  /** When `total` was so, where refunds can fail later. */
  at?: Date;
  currency: string;
}
/** A provider's notice that the payer's bank disputes a payment; its signature checked. */
export interface DisputeNotice {
  about: 'dispute';
  /** The provider's number of the payment. */
  reference: string;
  id: string;
  /** Minor units. */
  amount: number;
  currency: string;
  reason: string;
  change: 'opened' | 'withdrawn' | 'reinstated' | 'won' | 'lost';
}
export type Notice = PaymentNotice | RefundNotice | DisputeNotice;
/** A payment in a call to the provider. */
export interface KnownPayment {
  payment_no: string;
  amount: number;
  currency: Currency;
  token: string | undefined;
}
export type PaymentState =
  | { state: 'ended'; notice: PaymentNotice }
  /** It can still be paid. */
  | { state: 'open' }
  /** Closed unpaid, finally. */
  | { state: 'closed' }
  /** Unknown to the provider. */
  | { state: 'unknown' };
/** stuck: it stays pending until the merchant completes it in the provider's console. failed: accepted before, and not made. */
export type RefundState = 'done' | 'pending' | 'stuck' | 'failed';
export interface RefundRequest extends KnownPayment {
  /** Unique; the provider refunds once per number. */
  refund_no: string;
  /** Minor units, at most what was paid. */
  refund_amount: number;
  reason: string;
}
/** A line of a provider's own list of a day. */
export interface ListedEntry {
  kind: 'payment' | 'refund';
  /** The provider's number of the payment. */
  reference: string;
  /** Of a refund: the provider's number and, if the shop began it, the shop's; '' otherwise. */
  refund_id: string;
  refund_no: string;
  /** Minor units. */
  amount: number;
  currency: string;
}
export interface PaymentProvider {
  readonly code: string;
  readonly texts: { 'zh-CN': string; en: string };
  readonly currencies: readonly Currency[];
  /** The minimum amount in minor units. */
  readonly minimum?: Partial<Record<Currency, number>>;
  /** The page for the shopper. Idempotent per payment. */
  open(request: PaymentRequest): Promise<Opened>;
  /**
   * undefined when the signature is wrong, the notice is malformed, or it is not for this shop; 'nothing' when it is
   * genuine but says nothing about a payment's end, a refund or a dispute.
   */
  readNotice(rawBody: string, headers: Record<string, string | string[] | undefined>): Notice | 'nothing' | undefined;
  /** The answer to a notice; after any other the provider repeats it. Absent: the envelope of the API. */
  readonly acknowledgement?: { type: string; body: string };
  /** Absent for the sandbox. */
  readonly remote?: {
    /** The state at the provider now. */
    query(payment: KnownPayment): Promise<PaymentState>;
    /** Closes it for payment. Throws ProviderRefusal when it is paid already. */
    close(payment: KnownPayment): Promise<void>;
    /** Refunds to where the money came from, once per number. Throws ProviderRefusal when the provider does not accept it. */
    refund(request: RefundRequest): Promise<RefundState>;
    /** Its list of a day (2026-01-31), for the daily comparison. Absent where its interface offers none. */
    readonly list?: {
      /** Hours by which the provider's day begins before UTC's. */
      zone: number;
      entries(day: string): Promise<ListedEntry[]>;
    };
  };
}

export type SupplyAnswer =
  | { kind: 'done'; detail: string }
  | { kind: 'failed'; detail: string }
  /** Not decided yet: query again with the same reference. */
  | { kind: 'pending' };
export interface SupplyOrder {
  /** Unique, and sent once. */
  reference: string;
  goodsKey: string;
  specKey: string;
  quantity: number;
  fields: Record<string, string>;
  /** When the shop decided to send it: a gateway refuses an order that is five minutes old. */
  sentAt: Date;
}
export interface SupplierProvider {
  readonly name: string;
  /**
   * Throws ProviderRefusal when the supplier certainly did not get the order. After any other error it is unknown whether it
   * did, and `query` decides.
   */
  order(order: SupplyOrder): Promise<SupplyAnswer>;
  /** undefined: the supplier has not seen the reference so far. */
  query(reference: string): Promise<SupplyAnswer | undefined>;
  /** The account's nickname; undefined when there is no such account. */
  validateAccount(goodsKey: string, fields: Record<string, string>): Promise<string | undefined>;
}

export interface WechatUser {
  openid: string;
  /** The same for all of one owner's apps; absent when the app belongs to none. */
  unionid?: string;
}
export interface WechatProvider {
  /** Address to which the browser goes for consent; returns to `callback` with a code and this state. */
  authorizeUrl(callback: string, state: string): string;
  /** undefined for a code that is unknown or used. */
  user(code: string): Promise<WechatUser | undefined>;
}

/** Where uploaded pictures live. Names are `avatar/{uid}/{hash}.webp`. */
export interface PictureStore {
  put(name: string, bytes: Buffer, type: string): Promise<void>;
  /** undefined when there is none. */
  get(name: string): Promise<Buffer | undefined>;
  /** Does nothing when there is none. */
  remove(name: string): Promise<void>;
  /** Removes what writes that began before and were cut off have left, where they can leave something. */
  removeLeftovers?(before: Date): Promise<void>;
  /** Present where uploaders send to the storage itself; uploads are private until `take`. */
  readonly direct?: {
    provider: string;
    /** Folder of this user's uploads, with a slash at the end. */
    dirOf(user: number): string;
    /** Temporary credentials that may write under `dir` only, and an address for one picture. */
    grant(user: number, seconds: number): Promise<DirectGrant>;
    /** The upload under `key`; 'large' above `most` bytes. */
    take(key: string, most: number): Promise<Buffer | 'large' | undefined>;
    remove(key: string): Promise<void>;
  };
}
export interface DirectGrant {
  host: string;
  dir: string;
  access_key_id: string;
  access_key_secret: string;
  security_token: string;
  expiration: Date;
  /** A PUT of the bytes to this address needs no signature of its own. */
  upload_url: string;
  upload_key: string;
}

export interface Providers {
  sms: SmsProvider;
  /** undefined: the shop sends no mail. */
  mail: MailSender | undefined;
  /** undefined: the shop sends no push. */
  push: PushSender | undefined;
  payments: PaymentProvider[];
  supplierFor(stockType: string): SupplierProvider | undefined;
  wechat: WechatProvider | undefined;
  pictures: PictureStore;
}
