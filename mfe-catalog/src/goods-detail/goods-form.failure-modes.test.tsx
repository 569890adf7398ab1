import { type StubbedAnswers, testUser } from '@shop/shared/testing';
import { testFormFailureModes } from '@shop/shared/testing/form-failure-modes';
import { fireEvent, screen } from '@testing-library/react';
import { aTopUp } from '../common/fixtures';
import { created, open as openPage } from '../testing/detail-page';

const open = async (api: StubbedAnswers, goods = aTopUp()) => {
  const opened = await openPage({ 'GET /api/front/goods/info': goods, ...api }, { user: testUser });
  await screen.findByText('¥100.00');
  fireEvent.change(screen.getByLabelText('UID'), { target: { value: '123456789' } });
  fireEvent.change(screen.getByLabelText('服务器'), { target: { value: 'cn' } });
  return opened;
};
const expectInput = () => expect(screen.getByLabelText('UID')).toHaveValue('123456789');

testFormFailureModes({
  name: 'buying',
  call: 'POST /api/front/order/create',
  answer: created,
  open,
  button: () => screen.getByRole('button', { name: '立即购买' }),
  expectInput,
  messages: { timeout: /等待超时.*不会重复下单/, offline: /网络连接失败.*不会重复下单/, notJson: /服务器发生错误/ },
  // The order was created, so the page opens it.
  leadsOn: '/order/detail/N1234567890',
});

testFormFailureModes({
  name: 'the account check',
  call: 'POST /api/front/goods/validateAccount',
  answer: { ok: true, nickname: '旅行者', validation_token: 't' },
  open: (api) => open(api, aTopUp({ need_verify_account: true })),
  button: () => screen.getByRole('button', { name: '查询账号' }),
  expectInput,
  messages: { timeout: /暂时无法查询/, offline: /暂时无法查询/, notJson: /服务器发生错误/ },
});
