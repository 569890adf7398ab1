import { failWith, renderPage, type StubbedAnswers, testUser } from '@shop/shared/testing';
import { testFormFailureModes } from '@shop/shared/testing/form-failure-modes';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import * as detail from './detail/order-detail-page';
import { methods, orderNo, processing, questioned, unpaid } from './order/order.fixture';

const messages = { timeout: /等待超时/, offline: /网络已断开/, notJson: /服务器发生错误/ };
const open = (order: unknown, api: StubbedAnswers) =>
  renderPage(detail, {
    path: `/order/detail/${orderNo}`,
    route: '/order/detail/:id',
    session: { user: testUser },
    api: { 'GET /api/front/order/info': order, ...api },
  });
const inDialog = () => within(screen.getByRole('dialog'));

testFormFailureModes({
  name: 'the refund request',
  call: 'POST /api/front/order/refundApply',
  answer: {},
  open: async (api) => {
    const opened = await open(processing, api);
    fireEvent.click(await screen.findByRole('button', { name: '申请退款' }));
    fireEvent.change(await screen.findByLabelText('退款原因'), { target: { value: '<b>充错了</b>😀' } });
    return opened;
  },
  button: () => inDialog().getByRole('button', { name: '提交申请' }),
  expectInput: () => expect(screen.getByLabelText('退款原因')).toHaveValue('<b>充错了</b>😀'),
  messages,
});

testFormFailureModes({
  name: 'the answer to a question of staff',
  call: 'POST /api/front/order/answer',
  answer: {},
  open: async (api) => {
    const opened = await open(questioned, api);
    fireEvent.change(await screen.findByLabelText('你的回复'), { target: { value: '<b>服务器 9</b>😀' } });
    return opened;
  },
  button: () => screen.getByRole('button', { name: '发送回复' }),
  expectInput: () => expect(screen.getByLabelText('你的回复')).toHaveValue('<b>服务器 9</b>😀'),
  messages,
});

testFormFailureModes({
  name: 'the proof before the wallet is spent from',
  call: 'POST /api/front/payment/proof',
  answer: { expires_in: 300 },
  open: async (api) => {
    const opened = await open(unpaid, {
      'GET /api/front/payment/methods': methods,
      'POST /api/front/payment/balance': failWith(45003, '', { reason: 'amount', proofs: ['password'] }),
      ...api,
    });
    const pay = await screen.findByRole('button', { name: '付款 ¥96.00' });
    await waitFor(() => expect(pay).toBeEnabled());
    fireEvent.click(pay);
    const password = await screen.findByLabelText('登录密码', { selector: 'input:not([type=radio])' });
    fireEvent.change(password, { target: { value: 'demo1234' } });
    return opened;
  },
  button: () => inDialog().getByRole('button', { name: '验证并付款' }),
  expectInput: () =>
    expect(inDialog().getByLabelText('登录密码', { selector: 'input:not([type=radio])' })).toHaveValue('demo1234'),
  messages,
});
