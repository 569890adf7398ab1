import type { OrderCardsBody } from '@shop/server/wire';
import { identifierBody } from '@shop/shared/domain/mask-phone';
import { post } from '@shop/shared/http';

const api = '/api/front';
const quiet = { quiet: true };

export const cancelOrder = (orderNo: string) => post(`${api}/order/cancel`, { order_no: orderNo });
export const deleteOrder = (orderNo: string) => post(`${api}/order/delete`, { order_no: orderNo });
export const applyRefund = (orderNo: string, reason: string) =>
  post(`${api}/order/refundApply`, { order_no: orderNo, ...(reason ? { reason } : {}) }, quiet);
export const answerQuestion = (orderNo: string, answer: string) =>
  post(`${api}/order/answer`, { order_no: orderNo, answer }, quiet);
export const revealCards = (orderNo: string, proof: Pick<OrderCardsBody, 'password' | 'verify'>) =>
  post(`${api}/order/cards`, { order_no: orderNo, ...proof }, quiet);
export const sendProofCode = (to: string, scene: 'cards' | 'wallet') =>
  post(`${api}/app/send_code`, { ...identifierBody(to), scene }, quiet);
