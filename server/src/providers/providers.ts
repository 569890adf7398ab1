import type { Currency, Locale } from '../app/schema';
import type { Sql } from '../db/sql';

/** Sends verification codes. */
export interface SmsProvider {
  readonly name: string;
  sendCode(sql: Sql, phone: string, code: string): Promise<void>;
}

export interface PaymentRequest {
  payment_no: string;
  /** Minor units. */
  amount: number;
  currency: Currency;
  locale: Locale;
}
/** A provider's word about a payment, its signature checked. */
export interface PaymentNotice {
  payment_no: string;
  /** Minor units. */
  amount: number;
  currency: string;
  paid: boolean;
  /** The provider's own number of the payment. */
  reference: string;
}
export interface PaymentProvider {
  readonly code: string;
  readonly texts: { 'zh-CN': string; en: string };
  readonly currencies: readonly Currency[];
  open(request: PaymentRequest): Promise<{ mode: 'redirect' | 'qr'; pay_url: string }>;
  /** undefined when the signature is wrong or the notice is malformed. */
  readNotice(rawBody: string, headers: Record<string, string | string[] | undefined>): PaymentNotice | undefined;
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

export interface WechatProvider {
  /** Address to which the browser goes for consent; returns to `callback` with code and state. */
  authorizeUrl(callback: string): string;
  /** undefined for a code that is unknown or used. */
  openid(code: string): Promise<string | undefined>;
}

export interface Providers {
  sms: SmsProvider;
  payments: PaymentProvider[];
  supplierFor(stockType: string): SupplierProvider | undefined;
  wechat: WechatProvider | undefined;
}
