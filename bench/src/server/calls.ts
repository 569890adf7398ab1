import { SPECS, tokenOf } from './stock-shop';

export interface OrderRequest {
  goods_id: number;
  spec_id: number;
  quantity: number;
  price_version: string;
}

export const buyer = (user: number) => ({ currency: 'CNY', authorization: `Bearer ${tokenOf(user)}` });

export async function post(url: string, call: string, body: object): Promise<Record<string, string>> {
  const response = await fetch(`${url}/api/front/${call}`, {
    method: 'POST',
    headers: { ...buyer(1), 'content-type': 'application/json', 'idempotency-key': `bench-${Math.random()}` },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as { code: number; message: string; data: Record<string, string> };
  if (answer.code !== 200) throw new Error(`${call}: ${answer.code} ${answer.message}`);
  return answer.data;
}

/** Previews the first `count` specifications one by one, because the server refuses more at a time. */
export async function previewsOf(url: string, count: number): Promise<OrderRequest[]> {
  const orders: OrderRequest[] = [];
  for (let spec = 1; spec <= count; spec += 1) {
    const order = { goods_id: Math.floor((spec - 1) / SPECS) + 1, spec_id: spec, quantity: 1 };
    const { price_version = '' } = await post(url, 'order/preview', order);
    orders.push({ ...order, price_version });
  }
  return orders;
}
