import type { OrderCards, OrderCardsBody, OrderState, OrderTab, SendCodeAnswer } from '@shop/server/wire';
import { get, post } from '@shop/shared/http';
import type { ListPage, PageKey } from '@shop/shared/query';
import { type Order, type OrderSummary, toOrder } from './order';

export type { OrderTab };
export type Card = OrderCards['cards'][number];

const api = '/api/front';
// Screens of this remote say what went wrong beside what failed.
const quiet = { quiet: true };

export const listKey = (tab: OrderTab, keyword: string): PageKey => ['orders', 'list', tab, keyword];
export const orderKey = (orderNo: string): PageKey => ['orders', 'info', orderNo];

export async function listOrders(tab: OrderTab, keyword: string, page: number): Promise<ListPage<OrderSummary>> {
  const answer = await get(`${api}/order/list`, { tab, page, ...(keyword ? { keyword } : {}) }, quiet);
  return { ...answer, list: answer.list.map(toOrder) };
}

export async function getOrder(orderNo: string): Promise<Order> {
  return toOrder(await get(`${api}/order/info`, { order_no: orderNo }, quiet));
}

export const cancelOrder = (orderNo: string) => post(`${api}/order/cancel`, { order_no: orderNo });
export const deleteOrder = (orderNo: string) => post(`${api}/order/delete`, { order_no: orderNo });
export const buyAgain = (orderNo: string) => post(`${api}/order/again`, { order_no: orderNo });

export function applyRefund(orderNo: string, reason: string): Promise<OrderState> {
  return post(`${api}/order/refundApply`, { order_no: orderNo, ...(reason ? { reason } : {}) }, quiet);
}

export async function revealCards(
  orderNo: string,
  proof: Pick<OrderCardsBody, 'password' | 'verify'>,
): Promise<Card[]> {
  return (await post(`${api}/order/cards`, { order_no: orderNo, ...proof }, quiet)).cards;
}

export function sendRevealCode(phone: string): Promise<SendCodeAnswer> {
  return post(`${api}/app/send_code`, { phone, scene: 'cards' });
}
