import fs from 'node:fs';
import path from 'node:path';
import { currencies as all } from '@shop/shared/domain/lists';
import { hmac, randomNumber, sameText, seal, unseal } from '../platform/crypto/tokens';
import { fromWire, toWire } from '../platform/http/money';
import type { Currency } from '../platform/http/schemas';
import { offersOf } from './gateway-supplier';
import { parseObject } from './parse';
import type {
  MailSender,
  Opened,
  PaymentNotice,
  PaymentProvider,
  PaymentRequest,
  SmsProvider,
  SuppliedValue,
  SupplierProvider,
  SupplyAnswer,
  SupplyOrder,
  WechatProvider,
  WechatUser,
} from './providers';

// Providers that work offline. settings.ts refuses them in production, where they would give goods away.

export const outbox: SmsProvider = {
  sendCode: async (sql, phone, code) => {
    await sql.run('insert into dev_outbox (phone, code) values ($1, $2)', [phone, code]);
  },
};

export const mailOutbox: MailSender = {
  send: async (sql, { to, subject, text, messageId, unsubscribe = '' }) => {
    await sql.run(
      'insert into dev_mails (recipient, subject, text, message_id, unsubscribe) values ($1, $2, $3, $4, $5)',
      [to, subject, text, messageId, unsubscribe],
    );
  },
};

interface SandboxNotice {
  payment_no: string;
  amount: string;
  currency: string;
  state: 'paid' | 'failed';
  reference: string;
  sign: string;
}

/** The cashier page of this server acts as the provider and sends signed notifications. */
export class SandboxPayments implements PaymentProvider {
  readonly code = 'sandbox';
  constructor(
    private readonly key: string,
    readonly currencies: readonly Currency[] = all,
  ) {}

  async open({ payment_no, locale }: PaymentRequest): Promise<Opened> {
    return { for: 'any', page: { kind: 'redirect', url: `/cashier/${payment_no}?lang=${locale}` } };
  }

  notice(payment: { payment_no: string; amount: number; currency: string }, paid: boolean): SandboxNotice {
    const body = {
      payment_no: payment.payment_no,
      amount: toWire(payment.amount),
      currency: payment.currency,
      state: paid ? ('paid' as const) : ('failed' as const),
      reference: `SB${randomNumber()}`,
    };
    return { ...body, sign: this.sign(body) };
  }

  readNotice(rawBody: string): PaymentNotice | undefined {
    const notice = parseObject(rawBody) as SandboxNotice;
    const { payment_no, amount, currency, state, reference, sign } = notice;
    if (![payment_no, amount, currency, state, reference, sign].every((field) => typeof field === 'string'))
      return undefined;
    if (!sameText(sign, this.sign(notice))) return undefined;
    const minor = fromWire(amount);
    if (minor === undefined) return undefined;
    return { payment_no, amount: minor, currency, paid: state === 'paid', reference };
  }

  private sign(body: Omit<SandboxNotice, 'sign'>): string {
    return hmac(this.key, JSON.stringify([body.payment_no, body.amount, body.currency, body.state, body.reference]));
  }
}

/**
 * The ending of the account decides its behaviour: …slow answers the second query, …fail refuses, …lost accepts the order and never answers
 * the first call, …bad is an account that does not exist. Any other account is delivered at once. Its calls are stored in a folder, one
 * file per reference, because a supplier outlives the shop's processes and all of them query the same one. Every value is available at
 * a low cost, except where `<folder>-products.json` says otherwise: {"genshin-uid/60": {"available": false, "costs": {"CNY": "9.00"}}}.
 */
export class SandboxSupplier implements SupplierProvider {
  readonly name = 'sandbox';
  constructor(private readonly folder: string) {}

  async order({ reference, fields }: SupplyOrder): Promise<SupplyAnswer> {
    const account = Object.values(fields).join(' ').toLowerCase();
    const kind = ['fail', 'slow', 'lost'].find((ending) => account.includes(ending)) ?? 'done';
    fs.mkdirSync(this.folder, { recursive: true });
    fs.appendFileSync(this.file(reference), `order ${kind}\n`);
    const calls = this.calls(reference);
    if (calls.length === 1 && kind === 'lost') throw new Error('timeout');
    return this.answer(reference, calls);
  }

  async query(reference: string): Promise<SupplyAnswer | undefined> {
    if (!this.calls(reference).length) return undefined;
    fs.appendFileSync(this.file(reference), 'query\n');
    return this.answer(reference, this.calls(reference));
  }

  async offers(values: readonly SuppliedValue[]) {
    const file = `${this.folder}-products.json`;
    const answers = fs.existsSync(file) ? parseObject(fs.readFileSync(file, 'utf8')) : {};
    const common = { available: true, costs: { CNY: '0.50', USD: '0.08' } };
    return values.flatMap((value) =>
      offersOf({ ...value, ...common, ...(answers as Record<string, object>)[`${value.goodsKey}/${value.specKey}`] }),
    );
  }

  async validateAccount(_goodsKey: string, fields: Record<string, string>): Promise<string | undefined> {
    const first = Object.values(fields)[0] ?? '';
    return first.toLowerCase().includes('bad') ? undefined : `玩家${first.slice(-4)}`;
  }

  ordered(reference: string): number {
    return this.calls(reference).filter((call) => call.startsWith('order')).length;
  }
  references(): string[] {
    return fs.existsSync(this.folder) ? fs.readdirSync(this.folder) : [];
  }

  private answer(reference: string, calls: string[]): SupplyAnswer {
    if (calls[0] === 'order fail') return { kind: 'failed', detail: 'refused by the sandbox supplier' };
    const queries = calls.filter((call) => call === 'query').length;
    if (calls[0] === 'order slow' && queries < 2) return { kind: 'pending' };
    return { kind: 'done', detail: `SBX-${reference.slice(0, 8)}` };
  }
  private file = (reference: string) => path.join(this.folder, reference.replace(/\W/g, '_'));
  private calls(reference: string): string[] {
    const file = this.file(reference);
    return fs.existsSync(file) ? fs.readFileSync(file, 'utf8').trim().split('\n') : [];
  }
}

export class SandboxWechat implements WechatProvider {
  private readonly used = new Set<string>();
  constructor(private readonly secret: string) {}
  authorizeUrl(callback: string, state: string): string {
    const code = seal(this.secret, 'wechat', { openid: 'sandbox-openid', nonce: randomNumber() }, 300);
    const [address = '', hash] = callback.split('#');
    const joint = address.includes('?') ? '&' : '?';
    return `${address}${joint}code=${code}&state=${state}${hash === undefined ? '' : `#${hash}`}`;
  }
  async user(code: string): Promise<WechatUser | undefined> {
    if (this.used.has(code)) return undefined;
    this.used.add(code);
    return unseal<WechatUser>(this.secret, 'wechat', code);
  }
}
