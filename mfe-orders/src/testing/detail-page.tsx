import { inTurn, renderPage, type StubbedAnswers, type StubbedRequest, testUser } from '@shop/shared/testing';
import { screen } from '@testing-library/react';
import * as page from '../detail/order-detail-page';
import { finished, methods, orderNo, unpaid } from '../order/order.fixture';

export const info = 'GET /api/front/order/info';
export const payBalance = 'POST /api/front/payment/balance';
export const open = (api: StubbedAnswers, session: object = {}) =>
  renderPage(page, {
    path: `/order/detail/${orderNo}`,
    route: '/order/detail/:id',
    session: { user: testUser, language: 'en', ...session } as never,
    api: { 'GET /api/front/payment/methods': methods, [info]: unpaid, ...api },
  });
/** Answers for an order that is `before`, and `after` its payment from the wallet. The first payments get the refusals. */
export function payable(after: object = finished, before: object = unpaid, ...refusals: unknown[]) {
  let isPaid = false;
  const paid = () => {
    isPaid = true;
    return { order_no: orderNo, status: 30, delivery_status: 20, balance: '4.00', server_time: '' };
  };
  return { [info]: () => (isPaid ? after : before), [payBalance]: inTurn(...refusals, paid) };
}
export const payments = (requests: StubbedRequest[]) =>
  requests.filter((request) => request.url.endsWith('/payment/balance'));
export const payButton = () => screen.findByRole('button', { name: 'Pay ¥96.00' });
