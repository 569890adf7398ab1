import { renderPage, type StubbedAnswers, type StubbedRequest, testUser } from '@shop/shared/testing';
import { screen } from '@testing-library/react';
import * as page from '../detail/order-detail-page';
import { methods, orderNo, unpaid } from '../order/order.fixture';

export const info = 'GET /api/front/order/info';
export const payBalance = 'POST /api/front/payment/balance';
export const open = (api: StubbedAnswers, session: object = {}) =>
  renderPage(page, {
    path: `/order/detail/${orderNo}`,
    route: '/order/detail/:id',
    session: { user: testUser, language: 'en', ...session } as never,
    api: { 'GET /api/front/payment/methods': methods, [info]: unpaid, ...api },
  });
export const payments = (requests: StubbedRequest[]) =>
  requests.filter((request) => request.url.endsWith('/payment/balance'));
export const payButton = () => screen.findByRole('button', { name: 'Pay ¥96.00' });
