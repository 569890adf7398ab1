import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import type { ProviderNotice } from '../test-app';
import {
  Double,
  type DoubleRequest,
  type DoubleResponse,
  json,
  keyPair,
  secondsNow,
  signRsa,
  verifyRsa,
} from './double';

interface Order {
  out_trade_no: string;
  transaction_id: string;
  trade_state: 'NOTPAY' | 'SUCCESS' | 'CLOSED' | 'REFUND';
  trade_type: string;
  total: number;
  currency: string;
  refunds: Map<string, number>;
  refundStates: Map<string, string>;
}
interface NoticeChanges {
  out_trade_no?: string;
  total?: number;
  currency?: string;
  mchid?: string;
  appid?: string;
  /** Seconds since 1970. */
  timestamp?: number;
  serial?: string;
  privateKey?: string;
  apiV3Key?: string;
}

interface RefundReport {
  refundNo: string;
  id?: string;
  amount: number;
  status?: string;
}

interface Placed {
  appid?: string;
  mchid?: string;
  out_trade_no?: string;
  description?: string;
  notify_url?: string;
  time_expire?: string;
  amount?: { total: number; currency: string };
  scene_info?: { payer_client_ip?: string; h5_info?: { type?: string } };
  payer?: { openid?: string };
}

export class WechatPayDouble extends Double {
  readonly code = 'wechat';
  readonly options = { currency: 'CNY', locale: 'en' };
  readonly appId = 'wx1234567890abcdef';
  readonly mchId = '1900000001';
  readonly serial = '1DDE55AD98ED71D6EDD4A4A16996DE7B47773A8C';
  readonly platformId = 'PUB_KEY_ID_0119000000012024';
  readonly apiV3Key = randomBytes(16).toString('hex');
  readonly merchant = keyPair();
  readonly platform = keyPair();
  readonly orders = new Map<string, Order>();
  tamper: (lines: string[]) => string[] = (lines) => lines;
  private readonly nonces = new Set<string>();

  env(): NodeJS.ProcessEnv {
    return {
      PAYMENTS_CNY: 'wechat',
      PUBLIC_URL: 'https://shop.example',
      WECHAT_PAY_APP_ID: this.appId,
      WECHAT_PAY_MCH_ID: this.mchId,
      WECHAT_PAY_SERIAL: this.serial,
      WECHAT_PAY_PRIVATE_KEY: this.merchant.privateKey,
      WECHAT_PAY_API_V3_KEY: this.apiV3Key,
      WECHAT_PAY_PLATFORM_KEY_ID: this.platformId,
      WECHAT_PAY_PLATFORM_KEY: this.platform.publicKey.replaceAll('\n', '\\n'),
      WECHAT_PAY_ENDPOINT: this.endpoint,
    };
  }

  protected answer(request: DoubleRequest): DoubleResponse {
    const fault = this.faultOf(request);
    if (fault) {
      this.refusals.push(fault);
      return this.signed(json(401, { code: 'SIGN_ERROR', message: fault }));
    }
    // A file is not signed; its hash came with its URL.
    if (request.url.startsWith('/v3/billdownload/file')) return { status: 200, body: this.bill() };
    return this.signed(this.serve(request));
  }

  private faultOf({ method, url, headers, body }: DoubleRequest): string | undefined {
    const [scheme, rest = ''] = (headers.authorization ?? '').split(/ (.*)/s);
    if (scheme !== 'WECHATPAY2-SHA256-RSA2048') return 'scheme';
    const part = Object.fromEntries([...rest.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]));
    if (part.mchid !== this.mchId) return 'mchid';
    if (part.serial_no !== this.serial) return 'serial';
    if (Math.abs(secondsNow() - Number(part.timestamp)) > 300) return 'timestamp';
    if (!part.nonce_str || this.nonces.has(part.nonce_str)) return 'nonce';
    this.nonces.add(part.nonce_str);
    const text = `${[method, url, part.timestamp, part.nonce_str, body].join('\n')}\n`;
    return verifyRsa(text, part.signature ?? '', this.merchant.publicKey) ? undefined : 'signature';
  }

  private signed(response: DoubleResponse): DoubleResponse {
    const [timestamp, nonce] = [String(secondsNow()), randomBytes(16).toString('hex')];
    return {
      ...response,
      headers: { ...response.headers, ...this.signature(timestamp, nonce, String(response.body ?? '')) },
    };
  }
  private signature(
    timestamp: string,
    nonce: string,
    body: string,
    { privateKey = this.platform.privateKey, serial = this.platformId } = {},
  ) {
    return {
      'wechatpay-timestamp': timestamp,
      'wechatpay-nonce': nonce,
      'wechatpay-serial': serial,
      'wechatpay-signature': signRsa(`${timestamp}\n${nonce}\n${body}\n`, privateKey),
    };
  }

  private serve({ method, url, body }: DoubleRequest): DoubleResponse {
    const { pathname, searchParams } = new URL(url, 'http://wechat');
    const sent = body ? JSON.parse(body) : {};
    if (method === 'GET' && pathname === '/v3/bill/tradebill') {
      const beijing = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
      if (searchParams.get('bill_date') !== beijing)
        return json(400, { code: 'NO_STATEMENT_EXIST', message: '账单文件不存在' });
      const hash_value = createHash('sha1').update(this.bill()).digest('hex');
      return json(200, {
        hash_type: 'SHA1',
        hash_value,
        download_url: `${this.endpoint}/v3/billdownload/file?token=x`,
      });
    }
    const opening = /^\/v3\/pay\/transactions\/(h5|jsapi|native)$/.exec(pathname)?.[1];
    if (method === 'POST' && opening) return this.place(opening, sent);
    const match = /^\/v3\/pay\/transactions\/out-trade-no\/(\w+)(\/close)?$/.exec(pathname);
    if (match) {
      const order = this.orders.get(match[1] ?? '');
      const mchid = match[2] ? sent.mchid : searchParams.get('mchid');
      if (mchid !== this.mchId) return json(400, { code: 'PARAM_ERROR', message: 'mchid' });
      if (!order) return json(404, { code: 'ORDER_NOT_EXIST', message: '订单不存在' });
      if (!match[2]) return json(200, this.transaction(order));
      if (order.trade_state === 'SUCCESS') return json(400, { code: 'ORDERPAID', message: '订单已支付' });
      order.trade_state = 'CLOSED';
      return { status: 204 };
    }
    if (method === 'POST' && pathname === '/v3/refund/domestic/refunds') return this.refund(sent);
    return json(404, { code: 'NOT_FOUND', message: 'no such call' });
  }

  private place(kind: string, sent: Placed): DoubleResponse {
    const wrong = (message: string) => json(400, { code: 'PARAM_ERROR', message });
    const { out_trade_no = '', description, notify_url = '', time_expire = '', amount, scene_info } = sent;
    if (sent.appid !== this.appId) return json(400, { code: 'APPID_MCHID_NOT_MATCH', message: 'appid' });
    if (sent.mchid !== this.mchId) return wrong('mchid');
    if (!/^[\w|*@-]{6,32}$/.test(out_trade_no)) return wrong('out_trade_no');
    if (!description || description.length > 127) return wrong('description');
    if (!/^https:\/\/[^?#]+$/.test(notify_url)) return wrong('notify_url');
    if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(time_expire)) return wrong('time_expire');
    if (!(new Date(time_expire).getTime() > Date.now())) return wrong('time_expire is past');
    if (!amount || !Number.isInteger(amount.total) || amount.total < 1 || amount.currency !== 'CNY')
      return wrong('amount');
    if (kind === 'h5' && (!scene_info?.payer_client_ip || scene_info.h5_info?.type !== 'Wap'))
      return wrong('scene_info');
    if (kind === 'jsapi' && !sent.payer?.openid) return wrong('payer');
    const existing = this.orders.get(out_trade_no);
    if (existing && existing.total !== amount.total)
      return json(400, { code: 'INVALID_REQUEST', message: '请求重入时，参数与首次请求时不一致' });
    if (existing?.trade_state === 'SUCCESS') return json(400, { code: 'ORDERPAID', message: '订单已支付' });
    if (existing?.trade_state === 'CLOSED') return json(400, { code: 'ORDER_CLOSED', message: '订单已关闭' });
    this.orders.set(
      out_trade_no,
      existing ?? {
        out_trade_no,
        transaction_id: `42000${randomBytes(10).toString('hex')}`,
        trade_state: 'NOTPAY',
        trade_type: kind,
        total: amount.total,
        currency: amount.currency,
        refunds: new Map(),
        refundStates: new Map(),
      },
    );
    if (kind === 'h5')
      return json(200, { h5_url: `https://wx.tenpay.com/cgi-bin/mmpayweb-bin/checkmweb?prepay_id=wx${out_trade_no}` });
    if (kind === 'jsapi') return json(200, { prepay_id: `wx${out_trade_no}` });
    return json(200, { code_url: `weixin://wxpay/bizpayurl?pr=${out_trade_no}` });
  }

  private bill(): string {
    const yuan = (fen: number) => (fen / 100).toFixed(2);
    const names =
      '交易时间,公众账号ID,商户号,微信订单号,商户订单号,交易状态,货币种类,应结订单金额,微信退款单号,商户退款单号,退款金额,退款状态,商品名称,订单金额,申请退款金额';
    const line = (order: Order, refund?: [no: string, amount: number]) =>
      [
        '2026-11-22 08:00:00',
        this.appId,
        this.mchId,
        order.transaction_id,
        order.out_trade_no,
        refund ? 'REFUND' : 'SUCCESS',
        order.currency,
        yuan(order.total - 1),
        refund ? `50-${refund[0]}` : '0',
        refund ? refund[0] : '0',
        yuan(refund?.[1] ?? 0),
        refund ? 'SUCCESS' : '',
        '原神, 创世结晶',
        yuan(order.total),
        yuan(refund?.[1] ?? 0),
      ]
        .map((value) => `\`${value}`)
        .join(',');
    const lines = [...this.orders.values()]
      .filter((order) => order.trade_state === 'SUCCESS' || order.trade_state === 'REFUND')
      .flatMap((order) => [line(order), ...[...order.refunds].map((refund) => line(order, refund))]);
    const shown = this.tamper(lines);
    return [`\uFEFF${names}`, ...shown, '总交易单数,应结订单总金额', `\`${shown.length},\`0.00`, ''].join('\r\n');
  }

  private refund(sent: {
    out_trade_no?: string;
    out_refund_no?: string;
    amount?: { refund: number; total: number };
  }): DoubleResponse {
    const order = this.orders.get(sent.out_trade_no ?? '');
    if (!order || !['SUCCESS', 'REFUND'].includes(order.trade_state))
      return json(404, { code: 'RESOURCE_NOT_EXISTS', message: '订单不存在' });
    const { out_refund_no = '', amount } = sent;
    if (!amount || amount.total !== order.total) return json(400, { code: 'PARAM_ERROR', message: 'total' });
    const others = [...order.refunds].reduce((sum, [no, refunded]) => sum + (no === out_refund_no ? 0 : refunded), 0);
    if (others + amount.refund > order.total) return json(403, { code: 'NOT_ENOUGH', message: '退款金额大于支付金额' });
    order.refunds.set(out_refund_no, amount.refund);
    order.trade_state = 'REFUND';
    const status = order.refundStates.get(out_refund_no) ?? (this.refundsPend ? 'PROCESSING' : 'SUCCESS');
    order.refundStates.set(out_refund_no, status);
    return json(200, { status, out_refund_no });
  }
  endRefund(paymentNo: string, refundNo: string, done: boolean): void {
    this.setRefund(paymentNo, refundNo, done ? 'SUCCESS' : 'CLOSED');
  }
  setRefund(paymentNo: string, refundNo: string, status: string): void {
    this.orders.get(paymentNo)?.refundStates.set(refundNo, status);
  }

  private transaction({ out_trade_no, transaction_id, trade_state, total, currency }: Order) {
    return {
      appid: this.appId,
      mchid: this.mchId,
      out_trade_no,
      trade_state,
      ...(trade_state === 'NOTPAY' || trade_state === 'CLOSED' ? {} : { transaction_id }),
      amount: { total, payer_total: Math.max(1, total - 1), currency, payer_currency: currency },
    };
  }

  pay(paymentNo: string): void {
    const order = this.orders.get(paymentNo);
    if (order?.trade_state !== 'NOTPAY') throw new Error('there is nothing to pay');
    order.trade_state = 'SUCCESS';
  }

  notice(paymentNo: string, changes: NoticeChanges = {}): ProviderNotice {
    const order = this.orders.get(paymentNo);
    if (!order) throw new Error('no such order');
    const plain = this.transaction({ ...order, trade_state: 'SUCCESS' });
    const { total = order.total, currency = order.currency, out_trade_no = paymentNo } = changes;
    const { mchid = this.mchId, appid = this.appId } = changes;
    const transaction = { ...plain, out_trade_no, mchid, appid, amount: { ...plain.amount, total, currency } };
    return this.sealed('TRANSACTION.SUCCESS', 'transaction', transaction, changes);
  }

  refundNotice(
    paymentNo: string,
    { refundNo, id = refundNo, amount, status = 'SUCCESS' }: RefundReport,
    changes: NoticeChanges = {},
  ): ProviderNotice {
    const order = this.orders.get(paymentNo);
    const refund = {
      mchid: changes.mchid ?? this.mchId,
      out_trade_no: paymentNo,
      transaction_id: order?.transaction_id,
      out_refund_no: refundNo,
      refund_id: id,
      refund_status: status,
      user_received_account: '支付用户零钱',
      amount: { total: order?.total, refund: amount, payer_total: order?.total, payer_refund: amount },
    };
    return this.sealed(`REFUND.${status}`, 'refund', refund, changes);
  }

  private sealed(event_type: string, kind: string, content: object, changes: NoticeChanges) {
    const { timestamp = secondsNow() } = changes;
    const nonce = randomBytes(6).toString('hex');
    const cipher = createCipheriv('aes-256-gcm', changes.apiV3Key ?? this.apiV3Key, nonce).setAAD(Buffer.from(kind));
    const sealed = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final(), cipher.getAuthTag()]);
    const body = JSON.stringify({
      id: randomBytes(16).toString('hex'),
      create_time: new Date().toISOString(),
      resource_type: 'encrypt-resource',
      event_type,
      summary: kind === 'refund' ? '退款' : '支付成功',
      resource: {
        original_type: kind,
        algorithm: 'AEAD_AES_256_GCM',
        ciphertext: sealed.toString('base64'),
        associated_data: kind,
        nonce,
      },
    });
    const headers = this.signature(String(timestamp), randomBytes(16).toString('hex'), body, changes);
    return { headers: { ...headers, 'content-type': 'application/json' }, body };
  }
}
