import { createHmac } from 'node:crypto';
import { Type } from 'typebox';
import Value from 'typebox/value';
import { sameText } from '../platform/crypto/tokens';
import { fromWire } from '../platform/http/money';
import { parseObject } from './parse';
import {
  ProviderRefusal,
  type SuppliedValue,
  type SupplierOffer,
  type SupplierProvider,
  type SupplyAnswer,
  type SupplyOrder,
} from './providers';
import type { GatewaySettings } from './settings';

const TIMEOUT_MS = 15_000;
const MOST_CLOCK_SECONDS = 300;
/** No connection was made, so nothing was sent. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT'];

/**
 * A supplier behind a gateway with the shop's protocol (docs/operations/deploy.md#a-suppliers-gateway), because every supplier has another protocol.
 * Requests and answers are signed with one shared key:
 * `hex(HMAC-SHA256(key, timestamp + "\n" + path + "\n" + body))` in x-shop-signature, seconds in x-shop-timestamp.
 */
export class GatewaySupplier implements SupplierProvider {
  readonly name: string;
  constructor(private readonly settings: GatewaySettings) {
    this.name = settings.name;
  }

  async order({ sentAt, ...order }: SupplyOrder): Promise<SupplyAnswer> {
    const body = await this.ask('/orders', order, sentAt).catch((error: Error & { cause?: { code?: string } }) => {
      throw NOT_SENT.includes(error.cause?.code ?? '') ? new ProviderRefusal(`no connection to ${this.name}`) : error;
    });
    const answer = answerOf(body, order.reference);
    if (!answer) throw new Error(`${this.name} does not know the order it was given`);
    return answer;
  }
  async query(reference: string): Promise<SupplyAnswer | undefined> {
    return answerOf(await this.ask('/orders/query', { reference }), reference);
  }
  async offers(values: readonly SuppliedValue[]) {
    const { products } = (await this.ask('/products/query', { products: values })) as { products?: unknown };
    if (!Array.isArray(products)) throw new Error(`${this.name} answered without products`);
    return products.flatMap(offersOf);
  }
  async validateAccount(goodsKey: string, fields: Record<string, string>): Promise<string | undefined> {
    const { nickname } = (await this.ask('/accounts/query', { goodsKey, fields })) as { nickname?: unknown };
    return typeof nickname === 'string' && nickname ? nickname.slice(0, 100) : undefined;
  }

  private sign(timestamp: string, path: string, body: string): string {
    return createHmac('sha256', this.settings.key).update(`${timestamp}\n${path}\n${body}`).digest('hex');
  }

  private async ask(path: string, content: object, at = new Date()): Promise<object> {
    const body = JSON.stringify(content);
    const timestamp = String(Math.floor(at.getTime() / 1000));
    const response = await fetch(`${this.settings.url}${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-shop-timestamp': timestamp,
        'x-shop-signature': this.sign(timestamp, path, body),
      },
      body,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      redirect: 'error',
    });
    const text = await response.text();
    const answeredAt = response.headers.get('x-shop-timestamp') ?? '';
    const signature = response.headers.get('x-shop-signature') ?? '';
    if (!/^\d+$/.test(answeredAt) || Math.abs(Date.now() / 1000 - Number(answeredAt)) > MOST_CLOCK_SECONDS)
      throw new Error(`${this.name} answered without a fresh time`);
    if (!sameText(signature, this.sign(answeredAt, path, text)))
      throw new Error(`${this.name} answered with a wrong signature`);
    if (response.status !== 200) throw new Error(`${this.name} answered ${response.status}`);
    return parseObject(text);
  }
}

/** Returns undefined if the supplier does not know the reference. Throws for a malformed response. */
function answerOf(answer: object, reference: string): SupplyAnswer | undefined {
  const { state, detail, reference: answeredReference } = answer as Record<string, unknown>;
  if (answeredReference !== reference) throw new Error('the answer is for another reference');
  const text = typeof detail === 'string' ? detail.slice(0, 300) : '';
  if (state === 'unknown') return undefined;
  if (state === 'pending') return { kind: 'pending' };
  if (state === 'done' || state === 'failed') return { kind: state, detail: text };
  throw new Error('the answer has no known state');
}

/** Refuses zero and a cost of ten million or more, which no value of a shop has. */
const CostSchema = Type.String({ pattern: '^(?=.*[1-9])\\d{1,7}(\\.\\d{1,2})?$' });
const OfferSchema = Type.Object({
  goodsKey: Type.String(),
  specKey: Type.String(),
  available: Type.Boolean(),
  costs: Type.Object(
    { CNY: Type.Optional(CostSchema), USD: Type.Optional(CostSchema) },
    { additionalProperties: false, minProperties: 1 },
  ),
});

/** Returns [] for an offer in which anything is missing or impossible, because it must change nothing. */
export function offersOf(answered: unknown): SupplierOffer[] {
  if (!Value.Check(OfferSchema, answered)) return [];
  const { goodsKey, specKey, available, costs } = answered;
  const minorCosts = Object.entries(costs).map(([currency, cost]) => [currency, fromWire(cost)]);
  return [{ goodsKey, specKey, available, costs: Object.fromEntries(minorCosts) }];
}
