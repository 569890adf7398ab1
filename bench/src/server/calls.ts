import { call } from '../../../e2e/src/steps';
import { SPECS, tokenOf } from './stock-shop';

export interface OrderRequest {
  goods_id: number;
  spec_id: number;
  quantity: number;
  price_version: string;
}

export const buyer = (user: number) => ({ currency: 'CNY', authorization: `Bearer ${tokenOf(user)}` });

export const post = (url: string, path: string, body: object) =>
  call<Record<string, string>>({ url }, `/api/front/${path}`, buyer(1).authorization, body);

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
