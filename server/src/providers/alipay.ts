import type { AlipaySdk } from 'alipay-sdk';
import { fromWire, toWire } from '../http/money';
import type { Currency } from '../http/schemas';
import { callbackAddress, returnAddress } from './provider-parts';
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
import type { AlipaySettings } from './settings';

const TIMEOUT_MS = 10_000;
const PAGE_SECONDS = 60;
/** Amounts on Alipay's wire are yuan with two decimals, and always CNY: its notices carry no currency. */
const CURRENCY: Currency = 'CNY';

/** Alipay: the mobile page for phones, the desktop page elsewhere. The page's address is signed here; nothing is asked. */
export class Alipay implements PaymentProvider {
  readonly code = 'alipay';
  readonly texts = { 'zh-CN': '支付宝', en: 'Alipay' };
  readonly heard = { type: 'text/plain', body: 'success' };
  private loaded: AlipaySdk | undefined;

  constructor(
    private readonly settings: AlipaySettings,
    private readonly publicUrl: string,
    readonly currencies: readonly Currency[],
  ) {}

  private get sdk(): AlipaySdk {
    if (!this.loaded) {
      const { AlipaySdk: Sdk } = require('alipay-sdk') as typeof import('alipay-sdk');
      const { appId, privateKey, publicKey, endpoint } = this.settings;
      this.loaded = new Sdk({
        appId,
        privateKey,
        keyType: 'PKCS8',
        alipayPublicKey: publicKey,
        endpoint,
        gateway: `${endpoint}/gateway.do`,
        timeout: TIMEOUT_MS,
      });
    }
    return this.loaded;
  }

  async open({ payment_no, amount, subject, expire_at, browser }: PaymentRequest): Promise<Opened> {
    const desktop = browser === 'desktop';
    const url = this.sdk.pageExecute(desktop ? 'alipay.trade.page.pay' : 'alipay.trade.wap.pay', 'GET', {
      notifyUrl: callbackAddress(this.publicUrl, this.code),
      returnUrl: returnAddress(this.publicUrl, payment_no),
      bizContent: {
        outTradeNo: payment_no,
        productCode: desktop ? 'FAST_INSTANT_TRADE_PAY' : 'QUICK_WAP_WAY',
        subject: subject.slice(0, 100),
        totalAmount: toWire(amount),
        timeExpire: beijingTime(expire_at),
      },
    });
    // The address is signed with its time, and signing again costs nothing.
    const until = new Date(Date.now() + PAGE_SECONDS * 1000).toISOString();
    return { for: browser, until, page: { kind: 'redirect', url } };
  }

  readNotice(rawBody: string) {
    const fields = Object.fromEntries(new URLSearchParams(rawBody));
    // RSA with SHA-1 is what a forger would ask for.
    if (fields.sign_type !== 'RSA2' || !fields.sign) return undefined;
    try {
      if (!this.sdk.checkNotifySignV2(fields)) return undefined;
    } catch {
      return undefined;
    }
    const { app_id, seller_id, trade_status, out_trade_no, trade_no, total_amount } = fields;
    const { appId, sellerId } = this.settings;
    if (app_id !== appId || (sellerId && seller_id !== sellerId)) return undefined;
    // A refund is told as a notice of the same trade; the payment stays what it is.
    if (fields.out_biz_no || fields.refund_fee || fields.gmt_refund) return 'nothing';
    if (trade_status === 'WAIT_BUYER_PAY') return 'nothing';
    return noticeOf({ trade_status, out_trade_no, trade_no, total_amount });
  }

  readonly remote = {
    query: async ({ payment_no }: KnownPayment): Promise<PaymentState> => {
      let trade: Trade;
      try {
        trade = await this.ask<Trade>('/v3/alipay/trade/query', { out_trade_no: payment_no });
      } catch (error) {
        // A trade comes into being when the shopper reaches Alipay's page, not when the address is made.
        if (error instanceof ProviderRefusal && isUnknown(error)) return { state: 'unknown' };
        throw error;
      }
      if (trade.trade_status === 'WAIT_BUYER_PAY') return { state: 'open' };
      if (trade.trade_status === 'TRADE_CLOSED') return { state: 'closed' };
      const notice = trade.out_trade_no === payment_no ? noticeOf(trade) : undefined;
      if (!notice) throw new Error('Alipay answered for another payment or without an amount');
      return { state: 'ended', notice };
    },
    close: async ({ payment_no }: KnownPayment): Promise<void> => {
      try {
        await this.ask('/v3/alipay/trade/close', { out_trade_no: payment_no });
      } catch (error) {
        if (error instanceof ProviderRefusal && isUnknown(error)) return;
        throw error;
      }
    },
    refund: async ({ payment_no, refund_no, refund_amount, reason }: RefundRequest): Promise<'done' | 'pending'> => {
      await this.ask('/v3/alipay/trade/refund', {
        out_trade_no: payment_no,
        out_request_no: refund_no,
        refund_amount: toWire(refund_amount),
        refund_reason: reason.slice(0, 100) || undefined,
      });
      return 'done';
    },
  };

  /** The answer, its signature checked by the SDK. A 4xx is a refusal whose message begins with Alipay's code. */
  private async ask<T>(path: string, body: object): Promise<T> {
    try {
      return (await this.sdk.curl<T>('POST', path, { body: body as Record<string, unknown> })).data;
    } catch (error) {
      const { code, responseHttpStatus = 0, message } = error as Error & { code?: string; responseHttpStatus?: number };
      if (code && responseHttpStatus >= 400 && responseHttpStatus < 500 && !/SYSTEM_ERROR/.test(code))
        throw new ProviderRefusal(`${code} ${message}`);
      throw new Error(`Alipay did not answer: ${message}`);
    }
  }
}

interface Trade {
  trade_status?: string;
  out_trade_no?: string;
  trade_no?: string;
  total_amount?: string;
}
function noticeOf({ trade_status, out_trade_no, trade_no, total_amount }: Trade): PaymentNotice | undefined {
  const paid = trade_status === 'TRADE_SUCCESS' || trade_status === 'TRADE_FINISHED';
  if (!paid && trade_status !== 'TRADE_CLOSED') return undefined;
  const amount = fromWire(String(total_amount ?? ''));
  if (!out_trade_no || !trade_no || amount === undefined) return undefined;
  return { payment_no: out_trade_no, amount, currency: CURRENCY, paid, reference: trade_no };
}

const isUnknown = (error: ProviderRefusal) => error.message.includes('TRADE_NOT_EXIST');

/** "yyyy-MM-dd HH:mm:ss" as it is in Beijing, which has no summer time. */
const beijingTime = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
