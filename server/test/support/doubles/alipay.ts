import { randomBytes } from 'node:crypto';
import { zipSync } from 'fflate';
import type { ProviderNotice } from '../test-app';
import { Double, type DoubleRequest, type DoubleResponse, json, keyPair, signRsa, verifyRsa } from './double';

interface Trade {
  out_trade_no: string;
  trade_no: string;
  trade_status: 'WAIT_BUYER_PAY' | 'TRADE_SUCCESS' | 'TRADE_CLOSED';
  total_amount: string;
  refunds: Map<string, number>;
  pendingRefunds: Set<string>;
}

/** Alipay: the page at a signed URL (a trade begins when the shopper reaches it), the calls of OpenAPI 3.0, signed notifications. */
export class AlipayDouble extends Double {
  readonly code = 'alipay';
  readonly options = { currency: 'CNY', locale: 'en' };
  readonly appId = '2021000000000001';
  readonly sellerId = '2088000000000001';
  readonly merchant = keyPair();
  readonly platform = keyPair();
  readonly trades = new Map<string, Trade>();
  tamper: (lines: string[]) => string[] = (lines) => lines;
  billAddress: string | undefined;
  pack: (archive: Buffer) => Buffer = (archive) => archive;
  private readonly nonces = new Set<string>();

  env(): NodeJS.ProcessEnv {
    return {
      PAYMENTS_CNY: 'alipay',
      PUBLIC_URL: 'https://shop.example',
      ALIPAY_APP_ID: this.appId,
      // Plain base64, the format of Alipay's tool.
      ALIPAY_PRIVATE_KEY: this.merchant.privateKey.replace(/-----[^-]+-----|\n/g, ''),
      ALIPAY_PUBLIC_KEY: this.platform.publicKey,
      ALIPAY_SELLER_ID: this.sellerId,
      ALIPAY_ENDPOINT: this.endpoint,
    };
  }

  protected answer(request: DoubleRequest): DoubleResponse {
    const { pathname, searchParams } = new URL(request.url, 'http://alipay');
    if (pathname === '/gateway.do') return this.page(Object.fromEntries(searchParams));
    if (pathname === '/downloadBillFile.resource') return { status: 200, body: this.pack(this.bill()) };
    const fault = this.faultOf(request);
    if (fault) {
      this.refusals.push(fault);
      return this.signed(json(401, { code: fault, message: fault }));
    }
    if (request.method === 'GET') return this.signed(this.billOf(pathname, searchParams));
    return this.signed(this.serve(pathname, JSON.parse(request.body)));
  }

  private faultOf({ method, url, headers, body }: DoubleRequest): string | undefined {
    const match = /^ALIPAY-SHA256withRSA (.+),sign=(.+)$/.exec(headers.authorization ?? '');
    if (!match) return 'invalid-authorization';
    const [, signedPart = '', signature = ''] = match;
    const part = Object.fromEntries(signedPart.split(',').map((field) => field.split('=') as [string, string]));
    if (part.app_id !== this.appId) return 'invalid-app-id';
    if (Math.abs(Date.now() - Number(part.timestamp)) > 300_000) return 'invalid-timestamp';
    if (!part.nonce || this.nonces.has(part.nonce)) return 'invalid-nonce';
    this.nonces.add(part.nonce);
    const text = `${signedPart}\n${method}\n${url}\n${body}\n`;
    return verifyRsa(text, signature, this.merchant.publicKey) ? undefined : 'invalid-signature';
  }

  private signed(response: DoubleResponse): DoubleResponse {
    const [timestamp, nonce] = [String(Date.now()), randomBytes(8).toString('hex')];
    const signature = signRsa(`${timestamp}\n${nonce}\n${response.body ?? ''}\n`, this.platform.privateKey);
    const proof = { 'alipay-timestamp': timestamp, 'alipay-nonce': nonce, 'alipay-signature': signature };
    return { ...response, headers: { ...response.headers, ...proof } };
  }

  private page(fields: Record<string, string>): DoubleResponse {
    const { sign = '', ...rest } = fields;
    const wrong = (message: string): DoubleResponse => {
      this.refusals.push(message);
      return { status: 400, body: message };
    };
    if (rest.app_id !== this.appId) return wrong('invalid-app-id');
    if (rest.sign_type !== 'RSA2') return wrong('invalid-sign-type');
    if (!verifyRsa(signText(rest), sign, this.merchant.publicKey)) return wrong('invalid-signature');
    const content = JSON.parse(rest.biz_content ?? '{}');
    const products: Record<string, string> = {
      'alipay.trade.wap.pay': 'QUICK_WAP_WAY',
      'alipay.trade.page.pay': 'FAST_INSTANT_TRADE_PAY',
    };
    if (content.product_code !== products[rest.method ?? '']) return wrong('product_code');
    if (!/^\d{1,9}\.\d{2}$/.test(content.total_amount ?? '')) return wrong('total_amount');
    if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(content.time_expire ?? '')) return wrong('time_expire');
    if (!(new Date(`${content.time_expire.replace(' ', 'T')}+08:00`).getTime() > Date.now())) return wrong('expired');
    if (!/^https:\/\//.test(rest.notify_url ?? '') || !/^https:\/\//.test(rest.return_url ?? '')) return wrong('urls');
    const existing = this.trades.get(content.out_trade_no);
    if (existing && existing.total_amount !== content.total_amount) return wrong('CONTEXT_INCONSISTENT');
    if (existing && existing.trade_status !== 'WAIT_BUYER_PAY') return wrong('TRADE_HAS_CLOSE');
    this.trades.set(
      content.out_trade_no,
      existing ?? {
        out_trade_no: content.out_trade_no,
        trade_no: `20261121220014${randomBytes(7).toString('hex')}`,
        trade_status: 'WAIT_BUYER_PAY',
        total_amount: content.total_amount,
        refunds: new Map(),
        pendingRefunds: new Set(),
      },
    );
    return { status: 200, body: 'the cashier' };
  }

  private serve(
    path: string,
    sent: { out_trade_no?: string; out_request_no?: string; refund_amount?: string },
  ): DoubleResponse {
    const trade = this.trades.get(sent.out_trade_no ?? '');
    if (!trade) return json(400, { code: 'ACQ.TRADE_NOT_EXIST', message: '交易不存在' });
    const { refunds: _refunds, pendingRefunds: _pending, ...shown } = trade;
    switch (path) {
      case '/v3/alipay/trade/query':
        return json(200, shown);
      case '/v3/alipay/trade/close':
        if (trade.trade_status !== 'WAIT_BUYER_PAY')
          return json(400, { code: 'ACQ.TRADE_STATUS_ERROR', message: '交易状态不合法' });
        trade.trade_status = 'TRADE_CLOSED';
        return json(200, { out_trade_no: trade.out_trade_no, trade_no: trade.trade_no });
      case '/v3/alipay/trade/refund': {
        const { out_request_no = '', refund_amount = '' } = sent;
        if (trade.trade_status !== 'TRADE_SUCCESS')
          return json(400, { code: 'ACQ.TRADE_STATUS_ERROR', message: '交易状态不合法' });
        if (!/^\d+\.\d{2}$/.test(refund_amount))
          return json(400, { code: 'INVALID_PARAMETER', message: 'refund_amount' });
        const fresh = !trade.refunds.has(out_request_no);
        trade.refunds.set(out_request_no, Number(refund_amount.replace('.', '')));
        const sum = [...trade.refunds.values()].reduce((total, amount) => total + amount, 0);
        if (sum > Number(trade.total_amount.replace('.', ''))) {
          trade.refunds.delete(out_request_no);
          return json(400, { code: 'ACQ.REFUND_AMT_NOT_EQUAL_TOTAL', message: '退款金额超限' });
        }
        if (fresh && this.refundsPend) trade.pendingRefunds.add(out_request_no);
        return json(200, { out_trade_no: trade.out_trade_no, fund_change: fresh && !this.refundsPend ? 'Y' : 'N' });
      }
      case '/v3/alipay/trade/fastpay/refund/query': {
        const { out_request_no = '' } = sent;
        const isDone = trade.refunds.has(out_request_no) && !trade.pendingRefunds.has(out_request_no);
        return json(200, { out_trade_no: trade.out_trade_no, ...(isDone ? { refund_status: 'REFUND_SUCCESS' } : {}) });
      }
      default:
        return json(404, { code: 'not-found', message: path });
    }
  }

  private billOf(path: string, query: URLSearchParams): DoubleResponse {
    if (path !== '/v3/alipay/data/dataservice/bill/downloadurl/query')
      return json(404, { code: 'not-found', message: path });
    const beijing = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10);
    if (query.get('bill_type') !== 'trade') return json(400, { code: 'invalid_arguments', message: 'bill_type' });
    if (query.get('bill_date') !== beijing)
      return json(400, { code: 'isp.bill_not_exist', message: '当前用户不存在账单' });
    return json(200, {
      bill_download_url: this.billAddress ?? `${this.endpoint}/downloadBillFile.resource?bizType=trade&fileId=x`,
    });
  }

  private bill(): Buffer {
    const names =
      '支付宝交易号,商户订单号,业务类型,商品名称,创建时间,完成时间,门店编号,门店名称,操作员,终端号,对方账户,订单金额（元）,商家实收（元）,支付宝红包（元）,集分宝（元）,支付宝优惠（元）,商家优惠（元）,券核销金额（元）,券名称,商家红包消费金额（元）,卡消费金额（元）,退款批次号/请求号,服务费（元）,分润（元）,备注';
    const time = '2026-11-22 08:00:00';
    const line = ({ trade_no, out_trade_no }: Trade, amount: string, request = '') => {
      const [kind, number] = request ? ['退款', `${request}\t`] : ['交易', ''];
      const start = `${trade_no}\t,${out_trade_no}\t,${kind},原神, 创世结晶,${time},${time},,,,,buy***@example.com`;
      return `${start},${amount},${amount},0.00,0.00,0.00,0.00,0.00,,0.00,0.00,${number},-0.12,0.00,`;
    };
    const lines = [...this.trades.values()]
      .filter((trade) => trade.trade_status === 'TRADE_SUCCESS')
      .flatMap((trade) => [
        line(trade, trade.total_amount),
        ...[...trade.refunds].map(([request, cents]) => line(trade, `-${(cents / 100).toFixed(2)}`, request)),
      ]);
    const shown = this.tamper(lines);
    const remarks = (title: string) => `#支付宝${title}\r\n#账号：[${this.sellerId}]\r\n`;
    const file = (text: string): [Uint8Array, { level: 0 }] => [encodeGb18030(text), { level: 0 }];
    const archive = zipSync({
      'summary.csv': file(`${remarks('业务汇总查询')}门店编号,门店名称,交易订单总笔数\r\n合计,,${shown.length}\r\n`),
      'details.csv': file(
        `${remarks('业务明细查询')}${[names, ...shown].join('\r\n')}\r\n#交易合计：${shown.length}笔\r\n`,
      ),
    });
    return Buffer.from(archive);
  }

  /** Alipay reports only success. */
  endRefund(paymentNo: string, refundNo: string): void {
    this.trades.get(paymentNo)?.pendingRefunds.delete(refundNo);
  }
  pay(paymentNo: string): void {
    const trade = this.trades.get(paymentNo);
    if (trade?.trade_status !== 'WAIT_BUYER_PAY') throw new Error('there is nothing to pay');
    trade.trade_status = 'TRADE_SUCCESS';
  }

  notice(
    paymentNo: string,
    changes: Record<string, string> = {},
    privateKey = this.platform.privateKey,
  ): ProviderNotice {
    const trade = this.trades.get(paymentNo);
    if (!trade) throw new Error('no such trade');
    const fields: Record<string, string> = {
      notify_time: '2026-11-21 08:00:00',
      notify_type: 'trade_status_sync',
      notify_id: randomBytes(16).toString('hex'),
      charset: 'utf-8',
      version: '1.0',
      app_id: this.appId,
      seller_id: this.sellerId,
      subject: '原神 创世结晶 + 60% & more',
      trade_status: 'TRADE_SUCCESS',
      out_trade_no: paymentNo,
      trade_no: trade.trade_no,
      total_amount: trade.total_amount,
      receipt_amount: trade.total_amount,
      ...changes,
    };
    const sign = signRsa(signText(fields), privateKey);
    return {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...fields, sign, sign_type: 'RSA2' }).toString(),
    };
  }
}

/** Node can only decode GB18030, so this inverts the decoding of every two bytes. */
function encodeGb18030(text: string): Uint8Array {
  const bytes = [...text].flatMap((letter) => {
    if (letter < '\x80') return [letter.charCodeAt(0)];
    const bytePair = gb18030().get(letter);
    if (!bytePair) throw new Error(`"${letter}" has no two bytes`);
    return bytePair;
  });
  return Uint8Array.from(bytes);
}
let table: Map<string, number[]> | undefined;
function gb18030(): Map<string, number[]> {
  if (table) return table;
  table = new Map();
  const decoder = new TextDecoder('gb18030');
  for (let first = 0x81; first < 0xff; first++)
    for (let second = 0x40; second < 0xff; second++)
      table.set(decoder.decode(Uint8Array.of(first, second)), [first, second]);
  return table;
}

const signText = (fields: Record<string, string>) =>
  Object.keys(fields)
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&');
