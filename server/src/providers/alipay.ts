import type { AlipaySdk } from 'alipay-sdk';
import { fromWire, toWire } from '../http/money';
import type { Currency } from '../http/schemas';
import { lazy } from './lazy';
import type { AlipaySettings } from './payment-settings';
import type {
  KnownPayment,
  Opened,
  PaymentNotice,
  PaymentProvider,
  PaymentRequest,
  PaymentState,
  RefundNotice,
  RefundRequest,
} from './providers';
import { RemotePayments, unlessRefused } from './remote-payments';

const TIMEOUT_MS = 10_000;
const PAGE_SECONDS = 60;
/** Alipay's notices carry no currency; their amounts are yuan with two decimals. */
const CURRENCY: Currency = 'CNY';

/** A trade exists once the shopper reaches Alipay's page, not when its address is made. */
const UNKNOWN_TRADE = /TRADE_NOT_EXIST/;

/** Alipay: the mobile page for phones, the desktop page elsewhere. The page's address is signed here, without a call. */
export class Alipay extends RemotePayments<AlipaySettings> implements PaymentProvider {
  readonly code = 'alipay';
  readonly texts = { 'zh-CN': '支付宝', en: 'Alipay' };
  readonly acknowledgement = { type: 'text/plain', body: 'success' };
  protected readonly serviceName = 'Alipay';
  private readonly sdk = lazy((): AlipaySdk => {
    const { AlipaySdk: Sdk } = require('alipay-sdk') as typeof import('alipay-sdk');
    const { appId, privateKey, publicKey, endpoint } = this.settings;
    return new Sdk({
      appId,
      privateKey,
      keyType: 'PKCS8',
      alipayPublicKey: publicKey,
      endpoint,
      gateway: `${endpoint}/gateway.do`,
      timeout: TIMEOUT_MS,
    });
  });

  async open({ payment_no, amount, subject, expire_at, browser }: PaymentRequest): Promise<Opened> {
    const desktop = browser === 'desktop';
    const url = this.sdk().pageExecute(desktop ? 'alipay.trade.page.pay' : 'alipay.trade.wap.pay', 'GET', {
      notifyUrl: this.callbackUrl,
      returnUrl: this.returnUrl(payment_no),
      bizContent: {
        outTradeNo: payment_no,
        productCode: desktop ? 'FAST_INSTANT_TRADE_PAY' : 'QUICK_WAP_WAY',
        subject: subject.slice(0, 100),
        totalAmount: toWire(amount),
        timeExpire: beijingTime(expire_at),
      },
    });
    // The signature holds the time.
    const until = new Date(Date.now() + PAGE_SECONDS * 1000).toISOString();
    return { for: browser, until, page: { kind: 'redirect', url } };
  }

  readNotice(rawBody: string) {
    const fields = Object.fromEntries(new URLSearchParams(rawBody));
    // The weaker RSA with SHA-1 is refused.
    if (fields.sign_type !== 'RSA2' || !fields.sign) return undefined;
    try {
      if (!this.sdk().checkNotifySignV2(fields)) return undefined;
    } catch {
      return undefined;
    }
    const { app_id, seller_id, trade_status, out_trade_no, trade_no, total_amount } = fields;
    const { appId, sellerId } = this.settings;
    if (app_id !== appId || (sellerId && seller_id !== sellerId)) return undefined;
    // A refund comes as a notice of the same trade, with the sum of its refunds, and does not change the payment.
    if (fields.out_biz_no || fields.refund_fee || fields.gmt_refund) return refundOf(fields);
    if (trade_status === 'WAIT_BUYER_PAY') return 'nothing';
    return noticeOf({ trade_status, out_trade_no, trade_no, total_amount });
  }

  readonly remote = {
    query: async ({ payment_no }: KnownPayment): Promise<PaymentState> => {
      const trade = await unlessRefused(
        this.request<Trade>('/v3/alipay/trade/query', { out_trade_no: payment_no }),
        UNKNOWN_TRADE,
        null,
      );
      if (!trade) return { state: 'unknown' };
      if (trade.trade_status === 'WAIT_BUYER_PAY') return { state: 'open' };
      if (trade.trade_status === 'TRADE_CLOSED') return { state: 'closed' };
      const notice = trade.out_trade_no === payment_no ? noticeOf(trade) : undefined;
      if (!notice) throw new Error('Alipay answered for another payment or without an amount');
      return { state: 'ended', notice };
    },
    close: async ({ payment_no }: KnownPayment): Promise<void> => {
      await unlessRefused(
        this.request('/v3/alipay/trade/close', { out_trade_no: payment_no }),
        UNKNOWN_TRADE,
        undefined,
      );
    },
    refund: async ({ payment_no, refund_no, refund_amount, reason }: RefundRequest): Promise<'done' | 'pending'> => {
      await this.request('/v3/alipay/trade/refund', {
        out_trade_no: payment_no,
        out_request_no: refund_no,
        refund_amount: toWire(refund_amount),
        refund_reason: reason.slice(0, 100) || undefined,
      });
      return 'done';
    },
  };

  /** The SDK checks the answer's signature. A 4xx is a refusal whose message begins with Alipay's code. */
  private async request<T>(path: string, body: Record<string, unknown>): Promise<T> {
    try {
      return (await this.sdk().curl<T>('POST', path, { body })).data;
    } catch (error) {
      const { code, responseHttpStatus = 0, message } = error as Error & { code?: string; responseHttpStatus?: number };
      const refused = responseHttpStatus >= 400 && responseHttpStatus < 500 && code && !code.includes('SYSTEM_ERROR');
      throw this.failure(error, refused && `${code} ${message}`);
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

function refundOf({ out_trade_no, refund_fee = '' }: Record<string, string>): RefundNotice | 'nothing' {
  const total = fromWire(refund_fee);
  if (!out_trade_no || !total) return 'nothing';
  return { about: 'refund', payment_no: out_trade_no, id: `total-${total}`, state: 'done', total, currency: CURRENCY };
}

/** "yyyy-MM-dd HH:mm:ss" in Beijing, which has no daylight saving time. */
const beijingTime = (at: Date) => new Date(at.getTime() + 8 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
