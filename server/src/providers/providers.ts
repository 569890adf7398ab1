import type { Sql } from '../db/sql';
import type { Currency, Locale } from '../http/schemas';

/** The provider says for certain that it has not done what was asked, and that nothing was charged for it. */
export class ProviderRefusal extends Error {}

/** Sends verification codes. */
export interface SmsProvider {
  readonly name: string;
  /** Throws ProviderRefusal when no message went out; any other error leaves it open whether one did. */
  sendCode(sql: Sql, phone: string, code: string): Promise<void>;
}

/** What the shopper's browser is: providers have a page for each. */
export type BrowserKind = 'wechat' | 'mobile' | 'desktop';
export interface PaymentRequest {
  payment_no: string;
  /** Minor units. */
  amount: number;
  currency: Currency;
  locale: Locale;
  /** What is being paid, in the shopper's language; stands on the provider's page. */
  subject: string;
  created_at: Date;
  expire_at: Date;
  browser: BrowserKind;
  /** The shopper's address, which WeChat Pay asks for. */
  address: string;
  /** Of the shopper who signed in through WeChat; '' else. */
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
  /** The browser for which the page was made; a provider whose page serves all says 'any'. */
  for: BrowserKind | 'any';
  page: PaymentPage;
  /** After it the page is asked for anew; ISO 8601. Absent: it lasts as long as the payment. */
  until?: string;
  /** The provider's own name of the payment, where it needs it to be asked again. */
  token?: string;
}
/** A provider's word about a payment, its signature checked. */
export interface PaymentNotice {
  payment_no: string;
  /** Minor units. */
  amount: number;
  currency: string;
  /** false: it has failed or was closed, for good. */
  paid: boolean;
  /** The provider's own number of the payment. */
  reference: string;
}
/** A payment as the provider is asked about it. */
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
  /** Closed unpaid; it can't be paid any more. */
  | { state: 'closed' }
  /** The provider has never heard of it. */
  | { state: 'unknown' };
export interface RefundRequest extends KnownPayment {
  /** Unique; asking twice with it pays back once. */
  refund_no: string;
  /** Minor units, at most what was paid. */
  refund_amount: number;
  reason: string;
}
export interface PaymentProvider {
  readonly code: string;
  readonly texts: { 'zh-CN': string; en: string };
  readonly currencies: readonly Currency[];
  /** The minimum amount in minor units. */
  readonly minimum?: Partial<Record<Currency, number>>;
  /** The page for the shopper. Asking again for the same payment never makes a second one. */
  open(request: PaymentRequest): Promise<Opened>;
  /**
   * undefined when the signature is wrong, the notice is malformed, or it is not for this shop; 'nothing' when it is
   * genuine but says nothing about a payment's end.
   */
  readNotice(
    rawBody: string,
    headers: Record<string, string | string[] | undefined>,
  ): PaymentNotice | 'nothing' | undefined;
  /** The answer to a notice; after any other the provider repeats it. Absent: the envelope of the API. */
  readonly acknowledgement?: { type: string; body: string };
  /** Absent where the shop itself plays the provider. */
  readonly remote?: {
    /** What the provider knows now. */
    query(payment: KnownPayment): Promise<PaymentState>;
    /** Makes sure that it can't be paid any more. Throws ProviderRefusal when it is paid already. */
    close(payment: KnownPayment): Promise<void>;
    /** Pays back to where the money came from. Throws ProviderRefusal when the provider won't. */
    refund(request: RefundRequest): Promise<'done' | 'pending'>;
  };
}

export type SupplyAnswer =
  | { kind: 'done'; detail: string }
  | { kind: 'failed'; detail: string }
  /** Not known yet: ask again with the same reference. */
  | { kind: 'pending' };
export interface SupplyOrder {
  /** Unique; a supplier that gets it twice delivers once. */
  reference: string;
  goodsKey: string;
  specKey: string;
  quantity: number;
  fields: Record<string, string>;
}
export interface SupplierProvider {
  readonly name: string;
  /** Throws when it isn't known whether the supplier took the order; `query` is asked from then on. */
  order(order: SupplyOrder): Promise<SupplyAnswer>;
  /** undefined: the supplier has never seen the reference, so that ordering is safe. */
  query(reference: string): Promise<SupplyAnswer | undefined>;
  /** The account's nickname; undefined when there is no such account. */
  validateAccount(goodsKey: string, fields: Record<string, string>): Promise<string | undefined>;
}

export interface WechatPerson {
  openid: string;
  /** The same for all of one owner's apps; absent when the app belongs to none. */
  unionid?: string;
}
export interface WechatProvider {
  /** Address to which the browser goes for consent; returns to `callback` with a code and this state. */
  authorizeUrl(callback: string, state: string): string;
  /** undefined for a code that is unknown or used. */
  person(code: string): Promise<WechatPerson | undefined>;
}

/** Where uploaded pictures live. Names are `avatar/{uid}/{hash}.webp`. */
export interface PictureStore {
  put(name: string, bytes: Buffer, type: string): Promise<void>;
  /** undefined when there is none. */
  get(name: string): Promise<Buffer | undefined>;
  /** Present where uploaders send to the storage itself; what they send is taken over by `take` and seen by nobody before. */
  readonly direct?: {
    provider: string;
    /** Where this user's uploads arrive, with a slash at the end. */
    dirOf(user: number): string;
    /** Temporary credentials that may write under `dir` only, and an address for one picture. */
    grant(user: number, seconds: number): Promise<DirectGrant>;
    /** What was sent under `key`, at most `most` bytes; 'large' beyond it. */
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
  payments: PaymentProvider[];
  supplierFor(stockType: string): SupplierProvider | undefined;
  wechat: WechatProvider | undefined;
  pictures: PictureStore;
}
