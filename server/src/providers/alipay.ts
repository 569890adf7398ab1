import type { AlipaySdk } from 'alipay-sdk';
import { unzipSync } from 'fflate';
import { fromWire, toWire } from '../platform/http/money';
import type { Currency } from '../platform/http/schemas';
import { lazy } from './lazy';
import type { AlipaySettings } from './payment-settings';
import type {
  ListedEntry,
  Opened,
  PaymentCalls,
  PaymentNotice,
  PaymentProvider,
  PaymentRequest,
  RefundNotice,
} from './providers';
import { RemotePayments, unlessRefused } from './remote-payments';

const TIMEOUT_MS = 10_000;
const BILL_TIMEOUT_MS = 60_000;
const MOST_BILL_MB = 50;
const PAGE_SECONDS = 60;
const BEIJING_HOURS = 8;
/** Alipay's notifications contain no currency; their amounts are yuan with two decimals. */
const CURRENCY: Currency = 'CNY';

/** A trade exists once the shopper reaches Alipay's page, not when its URL is created. */
const UNKNOWN_TRADE = /TRADE_NOT_EXIST/;

/** Alipay: the mobile page for phones, the desktop page elsewhere. The shop signs the page's URL itself, without a call. */
export class Alipay extends RemotePayments<AlipaySettings> implements PaymentProvider {
  readonly code = 'alipay';
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
    // The signature contains the time.
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
    // Alipay reports a refund as a notification of the same trade, with the total of its refunds; the payment does not change.
    if (fields.out_biz_no || fields.refund_fee || fields.gmt_refund) return refundOf(fields);
    if (trade_status === 'WAIT_BUYER_PAY') return 'nothing';
    return noticeOf({ trade_status, out_trade_no, trade_no, total_amount });
  }

  readonly remote: PaymentCalls = {
    query: async ({ payment_no }) => {
      const call = this.request<Trade>('POST', '/v3/alipay/trade/query', { out_trade_no: payment_no });
      const trade = await unlessRefused(call, UNKNOWN_TRADE);
      if (!trade) return { state: 'unknown' };
      if (trade.trade_status === 'WAIT_BUYER_PAY') return { state: 'open' };
      if (trade.trade_status === 'TRADE_CLOSED') return { state: 'closed' };
      const notice = trade.out_trade_no === payment_no ? noticeOf(trade) : undefined;
      if (!notice) throw new Error('Alipay answered for another payment or without an amount');
      return { state: 'ended', notice };
    },
    close: async ({ payment_no }) => {
      const call = this.request('POST', '/v3/alipay/trade/close', { out_trade_no: payment_no });
      await unlessRefused(call, UNKNOWN_TRADE);
    },
    refund: async ({ payment_no, refund_no, refund_amount, reason }) => {
      const numbers = { out_trade_no: payment_no, out_request_no: refund_no };
      const { fund_change } = await this.request<{ fund_change?: string }>('POST', '/v3/alipay/trade/refund', {
        ...numbers,
        refund_amount: toWire(refund_amount),
        refund_reason: reason.slice(0, 100) || undefined,
      });
      if (fund_change === 'Y') return 'done';
      // N is also the response to a repetition.
      const { refund_status } = await this.request<{ refund_status?: string }>(
        'POST',
        '/v3/alipay/trade/fastpay/refund/query',
        numbers,
      );
      return refund_status === 'REFUND_SUCCESS' ? 'done' : 'pending';
    },
    list: { zone: BEIJING_HOURS, entries: (day) => this.bill(day) },
  };

  /** Loads the trade bill: a signed call returns its URL, then the file itself is unsigned. */
  private async bill(day: string): Promise<ListedEntry[]> {
    const address = await unlessRefused(
      this.request<{ bill_download_url: string }>('GET', '/v3/alipay/data/dataservice/bill/downloadurl/query', {
        bill_type: 'trade',
        bill_date: day,
      }),
      // Alipay documents BILL_NOT_EXIST, but its service sends isp.bill_not_exist.
      /^(isp\.)?bill_not_exist/i,
    );
    if (!address) return [];
    const url = new URL(address.bill_download_url);
    if (url.origin !== new URL(this.settings.endpoint).origin) {
      if (!url.hostname.endsWith('.alipay.com')) throw new Error('Alipay sent a bill URL on another host');
      // Alipay's own examples use http.
      url.protocol = 'https:';
    }
    const file = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(BILL_TIMEOUT_MS) });
    if (!file.ok) throw new Error(`Alipay did not send the bill: ${file.status}`);
    return readBill(await readBounded(file));
  }

  /** The SDK verifies the response's signature. A 4xx is a refusal whose message begins with Alipay's code. */
  private async request<T>(method: 'GET' | 'POST', path: string, parameters: Record<string, unknown>): Promise<T> {
    try {
      const sent = method === 'GET' ? { query: parameters as Record<string, string> } : { body: parameters };
      return (await this.sdk().curl<T>(method, path, sent)).data;
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
  /** Only one of the two is present, depending on the age of the app. */
  buyer_open_id?: string;
  buyer_id?: string;
}
function noticeOf(trade: Trade): PaymentNotice | undefined {
  const { trade_status, out_trade_no, trade_no, total_amount } = trade;
  const paid = trade_status === 'TRADE_SUCCESS' || trade_status === 'TRADE_FINISHED';
  if (!paid && trade_status !== 'TRADE_CLOSED') return undefined;
  const amount = fromWire(String(total_amount ?? ''));
  if (!out_trade_no || !trade_no || amount === undefined) return undefined;
  const payer = trade.buyer_open_id || trade.buyer_id;
  return { payment_no: out_trade_no, amount, currency: CURRENCY, paid, reference: trade_no, ...(payer && { payer }) };
}

function refundOf({ out_trade_no, refund_fee = '' }: Record<string, string>): RefundNotice | 'nothing' {
  const total = fromWire(refund_fee);
  if (!out_trade_no || !total) return 'nothing';
  return { about: 'refund', payment_no: out_trade_no, id: `total-${total}`, state: 'done', total, currency: CURRENCY };
}

const requireBounded = (bytes: number) => {
  if (bytes > MOST_BILL_MB * 1024 * 1024)
    throw new Error(`the bill of Alipay is larger than ${MOST_BILL_MB} MB: compare this day in Alipay's console`);
};

async function readBounded(file: Response): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of file.body ?? []) {
    size += part.length;
    requireBounded(size);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/**
 * A ZIP of two files in GB18030: the trades, and a summary. Lines that begin with "#" are comments; a value may end with a tab,
 * which prevents programs from reading it as a number. A refund's amount is negative.
 */
function readBill(archive: Uint8Array): ListedEntry[] {
  const decoder = new TextDecoder('gb18030');
  const files = unzipSync(archive, {
    filter: ({ originalSize }) => {
      requireBounded(originalSize);
      return true;
    },
  });
  const texts = Object.values(files).map((bytes) => decoder.decode(bytes));
  const details = texts.find((text) => HEADER.test(text));
  if (!details) throw new Error('the bill of Alipay has no list of trades');
  const [header = '', ...lines] = details.split(/\r?\n/).filter((line) => line.trim() && !line.startsWith('#'));
  const names = header.split(',');
  const indexOf = (name: string) => names.findIndex((column) => column.trim().startsWith(name));
  const [trade, type, created, price, request] = ['支付宝交易号', '业务类型', '创建时间', '订单金额', '退款批次号'].map(
    indexOf,
  ) as [number, number, number, number, number];
  return lines.map((line) => {
    const values = line.split(',');
    // The unquoted product name precedes the first time, and may contain commas.
    const shift = Math.max(0, values.findIndex((value) => TIME.test(value)) - created);
    const value = (index: number) => values[index < created ? index : index + shift]?.trim() ?? '';
    const refund = value(type) === '退款';
    const amount = fromWire(value(price).replace(/^-/, ''));
    if (!value(trade) || amount === undefined || (!refund && value(type) !== '交易'))
      throw new Error(`the bill of Alipay has an unreadable line: ${line}`);
    return {
      kind: refund ? 'refund' : 'payment',
      reference: value(trade),
      // Alipay gives a refund no number.
      refund_id: refund ? value(request) || value(trade) : '',
      refund_no: refund ? value(request) : '',
      amount,
      currency: CURRENCY,
    };
  });
}
const HEADER = /^支付宝交易号,/m;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/;

/** "yyyy-MM-dd HH:mm:ss" in Beijing, which has no daylight saving time. */
const beijingTime = (at: Date) =>
  new Date(at.getTime() + BEIJING_HOURS * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
