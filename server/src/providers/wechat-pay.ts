import { createHash } from 'node:crypto';
import type { AxiosRequestConfig } from 'axios';
import { fromWire } from '../platform/http/money';
import { lazy } from './lazy';
import { headerOf, isSafeAmount, parseObject } from './parse';
import type { WechatPaySettings } from './payment-settings';
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

interface Transaction {
  appid?: unknown;
  mchid?: unknown;
  out_trade_no?: unknown;
  transaction_id?: unknown;
  trade_state?: unknown;
  amount?: { total?: unknown; currency?: unknown };
  payer?: { openid?: unknown };
}

interface Refund {
  mchid?: unknown;
  out_trade_no?: unknown;
  out_refund_no?: unknown;
  refund_id?: unknown;
  refund_status?: unknown;
  amount?: { refund?: unknown };
}

/** WeChat's limit on the age of a signed message. */
const MOST_CLOCK_SECONDS = 300;
const TIMEOUT_MS = 10_000;
const BEIJING_HOURS = 8;
/** The plugin expects no signature at this path. */
const BILL_PATH = '/v3/billdownload/file';
/** An H5 URL is valid for five minutes; codes and windows for two hours, longer than any payment. */
const H5_SECONDS = 240;

/** WeChat Pay, API v3: H5 for a phone's browser, JSAPI inside WeChat, a code to scan on a desktop. Amounts are fen. */
export class WechatPay extends RemotePayments<WechatPaySettings> implements PaymentProvider {
  readonly code = 'wechat';
  readonly acknowledgement = { type: 'application/json', body: '{"code":"SUCCESS","message":"OK"}' };
  protected readonly serviceName = 'WeChat Pay';
  private readonly sdk = lazy(() => {
    const { mchId, serial, privateKey, platformKeys, endpoint } = this.settings;
    const { Aes, Decorator, Formatter, Rsa } =
      require('wechatpay-axios-plugin') as typeof import('wechatpay-axios-plugin');
    const { v3 } = new Decorator({
      mchid: mchId,
      serial,
      privateKey,
      // A copy, because the plugin writes key objects into it.
      certs: { ...platformKeys },
      baseURL: `${endpoint}/`,
      timeout: TIMEOUT_MS,
    });
    return { api: v3, Aes, Formatter, Rsa };
  });

  async open(request: PaymentRequest): Promise<Opened> {
    const { payment_no, amount, currency, subject, expire_at, address, openid, browser } = request;
    const { appId, mchId } = this.settings;
    const order = {
      appid: appId,
      mchid: mchId,
      description: subject.slice(0, 100),
      out_trade_no: payment_no,
      time_expire: `${expire_at.toISOString().slice(0, 19)}+00:00`,
      notify_url: this.callbackUrl,
      amount: { total: amount, currency },
      scene_info: { payer_client_ip: address },
    };
    if (browser === 'mobile') {
      const body = { ...order, scene_info: { ...order.scene_info, h5_info: { type: 'Wap' } } };
      const { h5_url } = await this.request<{ h5_url: string }>('POST', '/v3/pay/transactions/h5', body);
      const back = encodeURIComponent(this.returnUrl(payment_no));
      const until = new Date(Date.now() + H5_SECONDS * 1000).toISOString();
      return { for: browser, until, page: { kind: 'redirect', url: `${h5_url}&redirect_url=${back}` } };
    }
    // Inside WeChat, a shopper who has not signed in through WeChat gets a code to long-press.
    if (browser === 'wechat' && openid) {
      const body = { ...order, payer: { openid } };
      const { prepay_id } = await this.request<{ prepay_id: string }>('POST', '/v3/pay/transactions/jsapi', body);
      return { for: browser, page: { kind: 'bridge', parameters: this.bridge(prepay_id) } };
    }
    const { code_url } = await this.request<{ code_url: string }>('POST', '/v3/pay/transactions/native', order);
    return { for: browser, page: { kind: 'code', text: code_url } };
  }

  private bridge(prepayId: string): Record<string, string> {
    const { Formatter, Rsa } = this.sdk();
    const appId = this.settings.appId;
    const [timeStamp, nonceStr, pack] = [String(Formatter.timestamp()), Formatter.nonce(), `prepay_id=${prepayId}`];
    const text = [appId, timeStamp, nonceStr, pack, ''].join('\n');
    const paySign = Rsa.sign(text, this.settings.privateKey);
    return { appId, timeStamp, nonceStr, package: pack, signType: 'RSA', paySign };
  }

  readNotice(rawBody: string, headers: Record<string, string | string[] | undefined>) {
    const [timestamp, nonce, serial, signature] = ['timestamp', 'nonce', 'serial', 'signature'].map((part) =>
      headerOf(headers, `wechatpay-${part}`),
    );
    if (!timestamp || !nonce || !serial || !signature || !/^\d{1,12}$/.test(timestamp)) return undefined;
    if (Math.abs(Date.now() / 1000 - Number(timestamp)) > MOST_CLOCK_SECONDS) return undefined;
    const { platformKeys, apiV3Key } = this.settings;
    const key = Object.hasOwn(platformKeys, serial) ? platformKeys[serial] : undefined;
    const { Formatter, Rsa, Aes } = this.sdk();
    if (!key) return undefined;
    try {
      if (!Rsa.verify(Formatter.response(timestamp, nonce, rawBody), signature, key)) return undefined;
      const { event_type, resource } = parseObject(rawBody) as {
        event_type?: unknown;
        resource?: { algorithm?: unknown; ciphertext?: unknown; nonce?: unknown; associated_data?: unknown };
      };
      const isRefund = typeof event_type === 'string' && event_type.startsWith('REFUND.');
      if (!isRefund && event_type !== 'TRANSACTION.SUCCESS') return 'nothing';
      if (resource?.algorithm !== 'AEAD_AES_256_GCM') return undefined;
      const plain = Aes.AesGcm.decrypt(
        String(resource.ciphertext),
        apiV3Key,
        String(resource.nonce),
        String(resource.associated_data ?? ''),
      );
      if (isRefund) return this.refundOf(parseObject(plain) as Refund);
      const transaction = parseObject(plain) as Transaction;
      if (transaction.trade_state !== 'SUCCESS') return 'nothing';
      return this.noticeOf(transaction);
    } catch {
      return undefined;
    }
  }

  /** A paid transaction. Returns undefined for another merchant or app, or without a number or an amount. */
  private noticeOf(transaction: Transaction): PaymentNotice | undefined {
    const { appid, mchid, out_trade_no, transaction_id, amount, payer } = transaction;
    const { appId, mchId } = this.settings;
    if (appid !== appId || mchid !== mchId || typeof out_trade_no !== 'string') return undefined;
    // payer_total would be wrong: WeChat pays the difference when its own coupon was used.
    // WeChat leaves out the currency of a merchant who takes CNY only.
    const { currency = 'CNY' } = amount ?? {};
    if (!isSafeAmount(amount?.total) || typeof currency !== 'string') return undefined;
    if (typeof transaction_id !== 'string' || !transaction_id) return undefined;
    return {
      payment_no: out_trade_no,
      amount: amount.total as number,
      currency: currency.toUpperCase(),
      paid: true,
      reference: transaction_id,
      ...(typeof payer?.openid === 'string' && { payer: payer.openid }),
    };
  }

  /**
   * ABNORMAL means that the payer's account refused the money. The refund stays pending until the merchant completes it in
   * WeChat's console.
   */
  private refundOf(refund: Refund): RefundNotice | 'nothing' | undefined {
    const { mchid, out_trade_no, out_refund_no, refund_id, refund_status, amount } = refund;
    if (mchid !== this.settings.mchId || !isSafeAmount(amount?.refund)) return undefined;
    if (![out_trade_no, out_refund_no, refund_id].every((id) => typeof id === 'string' && id)) return undefined;
    if (refund_status !== 'SUCCESS' && refund_status !== 'CLOSED') return 'nothing';
    return {
      about: 'refund',
      payment_no: out_trade_no as string,
      id: refund_id as string,
      refund_no: out_refund_no as string,
      state: refund_status === 'SUCCESS' ? 'done' : 'failed',
      amount: amount.refund,
      currency: 'CNY',
    };
  }

  readonly remote: PaymentCalls = {
    query: async ({ payment_no }) => {
      const { mchId } = this.settings;
      const url = `/v3/pay/transactions/out-trade-no/${payment_no}?mchid=${mchId}`;
      const transaction = await unlessRefused(this.request<Transaction>('GET', url), /^ORDER_?NOT_?EXIST/);
      if (!transaction) return { state: 'unknown' };
      const { trade_state } = transaction;
      // REFUND: paid, and partly or fully refunded since.
      if (trade_state === 'SUCCESS' || trade_state === 'REFUND') {
        const notice = this.noticeOf(transaction);
        if (!notice) throw new Error('WeChat Pay answered for another merchant or without an amount');
        return { state: 'ended', notice };
      }
      return { state: trade_state === 'CLOSED' || trade_state === 'REVOKED' ? 'closed' : 'open' };
    },
    close: async ({ payment_no }) => {
      const url = `/v3/pay/transactions/out-trade-no/${payment_no}/close`;
      await unlessRefused(this.request('POST', url, { mchid: this.settings.mchId }), /^ORDER_?CLOSED/);
    },
    refund: async ({ payment_no, refund_no, refund_amount, amount, currency, reason }) => {
      const { status } = await this.request<{ status: string }>('POST', '/v3/refund/domestic/refunds', {
        out_trade_no: payment_no,
        out_refund_no: refund_no,
        reason: reason.slice(0, 60) || undefined,
        notify_url: this.callbackUrl,
        amount: { refund: refund_amount, total: amount, currency },
      });
      if (status === 'SUCCESS') return 'done';
      if (status === 'CLOSED') return 'failed';
      return status === 'ABNORMAL' ? 'stuck' : 'pending';
    },
    list: { zone: BEIJING_HOURS, entries: (day) => this.bill(day) },
  };

  /** Loads the trade bill: a signed call returns its URL, then WeChat signs the file only by its hash. */
  private async bill(day: string): Promise<ListedEntry[]> {
    const call = this.request<{ hash_type: string; hash_value: string; download_url: string }>(
      'GET',
      `/v3/bill/tradebill?bill_date=${day}&bill_type=ALL`,
    );
    const address = await unlessRefused(call, /^NO_STATEMENT_EXIST/);
    if (!address) return [];
    const { hash_type, hash_value, download_url } = address;
    const { origin, pathname, searchParams } = new URL(download_url);
    if (hash_type !== 'SHA1' || origin !== new URL(this.settings.endpoint).origin || pathname !== BILL_PATH)
      throw new Error('WeChat Pay sent a bill URL on another host');
    const file = await this.request<Buffer>('GET', BILL_PATH, undefined, {
      params: Object.fromEntries(searchParams),
      responseType: 'arraybuffer',
    });
    if (createHash('sha1').update(file).digest('hex') !== hash_value.toLowerCase())
      throw new Error('the bill of WeChat Pay does not have its hash');
    return readBill(file.toString('utf8'));
  }

  /** The plugin verifies the response's signature. A 4xx is a refusal whose message begins with WeChat's code. */
  private async request<T>(
    method: 'GET' | 'POST',
    url: string,
    data?: object,
    options: AxiosRequestConfig = {},
  ): Promise<T> {
    try {
      return (await this.sdk().api.request<T>({ method, url, data, ...options })).data;
    } catch (error) {
      const { response } = error as { response?: { status: number; data?: { code?: string; message?: string } } };
      const code = response?.data?.code;
      const refused = response && response.status >= 400 && response.status < 500 && response.status !== 429 && code;
      throw this.failure(error, refused && `${code} ${response.data?.message ?? ''}`);
    }
  }
}

/** Lines begin with "`", which also begins every value; a summary with its own header follows. */
function readBill(text: string): ListedEntry[] {
  const [header = '', ...lines] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const names = header.split(',');
  const end = lines.findIndex((line) => !line.startsWith('`'));
  return lines.slice(0, end < 0 ? undefined : end).map((line) => {
    const values = line.slice(1).split(',`');
    const value = (name: string) => values[names.indexOf(name)]?.trim() ?? '';
    const refund = value('交易状态') === 'REFUND';
    const amount = fromWire(value(refund ? '申请退款金额' : '订单金额'));
    if (!value('微信订单号') || amount === undefined)
      throw new Error(`the bill of WeChat Pay has an unreadable line: ${line}`);
    return {
      kind: refund ? 'refund' : 'payment',
      reference: value('微信订单号'),
      refund_id: refund ? value('微信退款单号') : '',
      refund_no: refund ? value('商户退款单号') : '',
      amount,
      currency: value('货币种类') || 'CNY',
    };
  });
}
