import { createHmac, randomBytes } from 'node:crypto';
import { Double, type DoubleRequest, type DoubleResponse, secondsNow } from './double';

/** A supplier's gateway (docs/operations/deploy.md#a-suppliers-gateway): signed both ways; an order's reference is delivered once. */
export class GatewayDouble extends Double {
  readonly key = randomBytes(24).toString('hex');
  readonly orders = new Map<string, { state: string; delivered: number }>();
  next: 'done' | 'failed' | 'pending' = 'done';
  forge: 'key' | 'time' | 'reference' | undefined;
  /** What it answers for values, by "goods/spec"; it does not know others. */
  readonly products = new Map<string, object>();

  env(): NodeJS.ProcessEnv {
    return { SUPPLIERS: '91=north', SUPPLIER_NORTH_URL: this.endpoint, SUPPLIER_NORTH_KEY: this.key };
  }

  protected answer({ method, url, headers, body }: DoubleRequest): ReturnType<Double['answer']> {
    const timestamp = String(headers['x-shop-timestamp']);
    const right = this.sign(timestamp, url, body) === headers['x-shop-signature'];
    if (method !== 'POST' || !right || Math.abs(secondsNow() - Number(timestamp)) > 300) {
      this.refusals.push(url);
      return this.signed(url, 401, {});
    }
    const sent = JSON.parse(body) as {
      reference: string;
      fields?: Record<string, string>;
      products?: Array<{ goodsKey: string; specKey: string }>;
    };
    if (url === '/accounts/query') {
      const name = Object.values(sent.fields ?? {})[0] ?? '';
      return this.signed(url, 200, name === '404' ? {} : { nickname: `P${name}` });
    }
    if (url === '/products/query') {
      const products = sent.products?.flatMap((value) => {
        const product = this.products.get(`${value.goodsKey}/${value.specKey}`);
        return product ? [{ ...value, ...product }] : [];
      });
      return this.signed(url, 200, { products });
    }
    const reference = this.forge === 'reference' ? 'another' : sent.reference;
    const existing = this.orders.get(sent.reference);
    if (url === '/orders/query')
      return this.signed(url, 200, { reference, state: existing?.state ?? 'unknown', detail: 'T-1' });
    const order = existing ?? { state: this.next, delivered: this.next === 'failed' ? 0 : 1 };
    this.orders.set(sent.reference, order);
    return this.signed(url, 200, { reference, state: order.state, detail: 'T-1' });
  }

  private signed(path: string, status: number, content: object): DoubleResponse {
    const body = JSON.stringify(content);
    const timestamp = String(secondsNow() - (this.forge === 'time' ? 400 : 0));
    const signature = this.sign(timestamp, path, body, this.forge === 'key' ? 'another key' : this.key);
    return { status, headers: { 'x-shop-timestamp': timestamp, 'x-shop-signature': signature }, body };
  }
  private sign(timestamp: string, path: string, body: string, key = this.key): string {
    return createHmac('sha256', key).update(`${timestamp}\n${path}\n${body}`).digest('hex');
  }
}
