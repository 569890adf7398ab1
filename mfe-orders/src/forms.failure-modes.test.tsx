import { failWith, type StubbedAnswers } from '@shop/shared/testing';
import { testFormFailureModes } from '@shop/shared/testing/form-failure-modes';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { processing, questioned } from './order/order.fixture';
import { info, open as openPage, payBalance } from './testing/detail-page';

const messages = { timeout: /等待超时/, offline: /网络已断开/, notJson: /服务器发生错误/ };
const open = (api: StubbedAnswers) => openPage(api, { language: 'zh-CN' });
const inDialog = () => within(screen.getByRole('dialog'));

testFormFailureModes({
  name: 'the refund request',
  call: 'POST /api/front/order/refundApply',
  answer: {},
  open: async (api) => {
    const opened = await open({ [info]: processing, ...api });
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
    const opened = await open({ [info]: questioned, ...api });
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
    const refusal = failWith(45003, '', { reason: 'amount', proofs: ['password'] });
    const opened = await open({ [payBalance]: refusal, ...api });
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
