import { fromWire, toWire } from '../app/money';
import type { Currency } from '../app/schema';
import { hmac, randomNumber, sameText, seal, unseal } from '../crypto/tokens';
import { parseObject } from './provider-parts';
import type {
  Opened,
  PaymentNotice,
  PaymentProvider,
  PaymentRequest,
  SmsProvider,
  SupplierProvider,
  SupplyAnswer,
  SupplyOrder,
  WechatPerson,
  WechatProvider,
} from './providers';

// Providers that work offline. create-providers.ts keeps them out of production, where their answers would give goods away.

export const outbox: SmsProvider = {
  name: 'outbox',
  sendCode: async (sql, phone, code) => {
    await sql.run('insert into dev_outbox (phone, code) values ($1, $2)', [phone, code]);
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

/** The cashier page of this server plays the provider; its notices are signed as a provider signs them. */
export class SandboxPayments implements PaymentProvider {
  readonly code = 'sandbox';
  readonly texts = { 'zh-CN': '在线支付（沙箱）', en: 'Online payment (sandbox)' };
  constructor(
    private readonly key: string,
    readonly currencies: readonly Currency[] = ['CNY', 'USD'],
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
    const notice = parseObject(rawBody) as Partial<SandboxNotice>;
    const { payment_no, amount, currency, state, reference, sign } = notice;
    if (![payment_no, amount, currency, state, reference, sign].every((one) => typeof one === 'string'))
      return undefined;
    if (!sameText(sign as string, this.sign(notice as Omit<SandboxNotice, 'sign'>))) return undefined;
    const minor = fromWire(amount as string);
    if (minor === undefined) return undefined;
    return {
      payment_no: payment_no as string,
      amount: minor,
      currency: currency as string,
      paid: state === 'paid',
      reference: reference as string,
    };
  }

  private sign(body: Omit<SandboxNotice, 'sign'>): string {
    return hmac(this.key, JSON.stringify([body.payment_no, body.amount, body.currency, body.state, body.reference]));
  }
}

/**
 * Behaves as the account's last letters say: …slow answers at the second question, …fail refuses, …lost takes the order
 * and never answers the first call, …bad is an account that doesn't exist. Anything else is delivered at once.
 */
export class SandboxSupplier implements SupplierProvider {
  readonly name = 'sandbox';
  /** Every reference ever ordered, with how often it was really delivered: tests look at it. */
  readonly deliveries = new Map<string, { answer: SupplyAnswer; asked: number; delivered: number }>();

  async order({ reference, fields }: SupplyOrder): Promise<SupplyAnswer> {
    const seen = this.deliveries.get(reference);
    if (seen) return seen.answer;
    const wish = Object.values(fields).join(' ').toLowerCase();
    const done: SupplyAnswer = { kind: 'done', detail: `SBX-${reference.slice(0, 8)}` };
    if (wish.includes('fail')) {
      const answer: SupplyAnswer = { kind: 'failed', detail: 'refused by the sandbox supplier' };
      this.deliveries.set(reference, { answer, asked: 0, delivered: 0 });
      return answer;
    }
    if (wish.includes('slow')) {
      this.deliveries.set(reference, { answer: { kind: 'pending' }, asked: 0, delivered: 1 });
      return { kind: 'pending' };
    }
    this.deliveries.set(reference, { answer: done, asked: 0, delivered: 1 });
    if (wish.includes('lost')) throw new Error('timeout');
    return done;
  }

  async query(reference: string): Promise<SupplyAnswer | undefined> {
    const seen = this.deliveries.get(reference);
    if (!seen) return undefined;
    seen.asked += 1;
    if (seen.answer.kind === 'pending' && seen.asked >= 2) {
      seen.answer = { kind: 'done', detail: `SBX-${reference.slice(0, 8)}` };
    }
    return seen.answer;
  }

  async validateAccount(_goodsKey: string, fields: Record<string, string>): Promise<string | undefined> {
    const first = Object.values(fields)[0] ?? '';
    return first.toLowerCase().includes('bad') ? undefined : `玩家${first.slice(-4)}`;
  }
}

/** Consent is given at once: the return address comes back with a code that stands for one sandbox person. */
export class SandboxWechat implements WechatProvider {
  private readonly used = new Set<string>();
  constructor(private readonly secret: string) {}
  authorizeUrl(callback: string, state: string): string {
    const code = seal(this.secret, 'wechat', { openid: 'sandbox-openid', nonce: randomNumber() }, 300);
    const [address = '', hash] = callback.split('#');
    const joint = address.includes('?') ? '&' : '?';
    return `${address}${joint}code=${code}&state=${state}${hash === undefined ? '' : `#${hash}`}`;
  }
  async person(code: string): Promise<WechatPerson | undefined> {
    if (this.used.has(code)) return undefined;
    this.used.add(code);
    return unseal<WechatPerson>(this.secret, 'wechat', code);
  }
}
