/** What a generated shopper does to buy, by the calls that the pages send: each is a step of the visit whose cookie it carries. */
import { randomUUID } from 'node:crypto';

const TIMEOUT_MS = 10_000;
/** What the one field of a product gets: an account in the game. */
const GAME_ACCOUNT = '123456789';
const TOP_UP = 2;

/** Of a browser that has a document. */
export interface Visitor {
  address: string;
  cookie: string;
}

interface Product {
  id: number;
  spec: number;
  field: string;
}
interface Spec {
  id: number;
}
interface Info {
  id: number;
  recharge_type: number;
  need_verify_account: boolean;
  specs?: Spec[];
  fields?: Array<{ key: string; type: string; required: boolean; pattern?: string }>;
}

/** Orders in one shop. */
export class Buyer {
  private product: Promise<Product> | undefined;
  private accounts = 0;

  constructor(private readonly url: string) {}

  async seePrice(visitor: Visitor): Promise<void> {
    const { id } = await this.chosen();
    await this.call('GET', `goods/info?id=${id}`, { visitor });
  }

  /** Places an order, unpaid, by an account of its own: the steps of one count once. */
  async order(visitor: Visitor): Promise<void> {
    const { id, spec, field } = await this.chosen();
    const token = await this.signIn();
    const wish = { goods_id: id, spec_id: spec, quantity: 1 };
    const { price_version } = await this.call<{ price_version: string }>('POST', 'order/preview', {
      ...{ visitor, token },
      body: wish,
    });
    const body = { ...wish, price_version, fields: { [field]: GAME_ACCOUNT } };
    await this.call('POST', 'order/create', { visitor, token, body });
  }

  private chosen(): Promise<Product> {
    this.product ??= this.choose();
    return this.product;
  }

  /** A product without stock that asks for one thing only, and does not look it up. */
  private async choose(): Promise<Product> {
    const { list } = await this.call<{ list: Array<{ id: number }> }>('GET', 'goods/list?limit=100', {});
    for (const { id } of list) {
      const info = await this.call<Info>('GET', `goods/info?id=${id}`, {});
      const required = (info.fields ?? []).filter((one) => one.required);
      const [field, more] = required;
      const [spec] = info.specs ?? [];
      const isPlain = field?.type === 'text' && (!field.pattern || new RegExp(field.pattern).test(GAME_ACCOUNT));
      if (info.recharge_type === TOP_UP && !info.need_verify_account && spec && field && !more && isPlain)
        return { id, spec: spec.id, field: field.key };
    }
    throw new Error('the shop has no product that the drill can order');
  }

  /** By the code of the outbox, from an address of its own and without the cookie of a visit: it is no step of one. */
  private async signIn(): Promise<string> {
    this.accounts += 1;
    const phone = `139${String(this.accounts).padStart(8, '0')}`;
    const visitor = { address: `11.0.${this.accounts >> 8}.${this.accounts & 255}`, cookie: '' };
    await this.call('POST', 'app/send_code', { visitor, body: { phone } });
    const answer = await fetch(`${this.url}/dev/outbox.json?phone=${phone}`);
    const [newest] = (await answer.json()) as Array<{ code: string }>;
    const body = { phone, login_type: 'verify', verify: newest?.code };
    return (await this.call<{ access_token: string }>('POST', 'app/login', { visitor, body })).access_token;
  }

  private async call<T>(
    method: 'GET' | 'POST',
    path: string,
    { visitor, token, body }: { visitor?: Visitor; token?: string; body?: object },
  ): Promise<T> {
    const response = await fetch(`${this.url}/api/front/${path}`, {
      method,
      headers: {
        currency: 'CNY',
        ...(visitor && { 'x-forwarded-for': visitor.address, cookie: visitor.cookie }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { code, msg, data } = (await response.json()) as { code: number; msg?: string; data: T };
    if (code !== 0 && code !== 200) throw new Error(`${path} was answered with ${code}: ${msg ?? ''}`);
    return data;
  }
}
