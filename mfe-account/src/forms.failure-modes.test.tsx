import * as payment from '@shop/shared/payment';
import { renderPage, testUser } from '@shop/shared/testing';
import { testFormFailureModes } from '@shop/shared/testing/form-failure-modes';
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as coupons from './coupon/coupon-page';
import { created, api as rechargeApi } from './recharge/recharge.fixture';
import * as recharge from './recharge/recharge-page';
import * as password from './security/password-page';
import * as setting from './setting/setting-page';

const messages = { timeout: /等待超时/, offline: /网络已断开/, notJson: /服务器发生错误/ };
const session = { user: testUser };
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label, { selector: 'input' }), { target: { value } });

beforeEach(() => {
  jest.spyOn(payment.leave, 'to').mockReturnValue(new Promise(() => {}));
});
afterEach(() => {
  jest.restoreAllMocks();
  sessionStorage.clear();
});

testFormFailureModes({
  name: 'the recharge',
  call: 'POST /api/front/recharge/create',
  answer: created,
  open: async (api) => {
    const opened = await renderPage(recharge, {
      path: '/user/recharge',
      session,
      api: { ...rechargeApi, ...api },
    });
    fireEvent.click(await screen.findByRole('radio', { name: '其他金额' }));
    fireEvent.change(screen.getByRole('textbox', { name: '其他金额' }), { target: { value: '66.50' } });
    return opened;
  },
  button: () => screen.getByRole('button', { name: /付款 ¥66.50/ }),
  expectInput: () => expect(screen.getByRole('textbox', { name: '其他金额' })).toHaveValue('66.50'),
  afterLeaving: () => expect(payment.leave.to).not.toHaveBeenCalled(),
  messages: { timeout: /没有及时回应.*不会重复充值/, offline: /网络不通.*不会重复充值/, notJson: /暂时无法发起充值/ },
});

testFormFailureModes({
  name: 'the coupon code',
  call: 'POST /api/front/coupon/receiveByCode',
  answer: [],
  open: async (api) => {
    const opened = await renderPage(coupons, {
      path: '/user/coupon',
      session,
      api: { 'GET /api/front/coupon/getUserCouponList': [], ...api },
    });
    fireEvent.click(await screen.findByRole('button', { name: '使用兑换码' }));
    await screen.findByLabelText(/兑换码/);
    type(/兑换码/, 'WELCOME8');
    return opened;
  },
  button: () => screen.getByRole('button', { name: '兑换' }),
  expectInput: () => expect(screen.getByLabelText(/兑换码/)).toHaveValue('WELCOME8'),
  messages,
});

testFormFailureModes({
  name: 'the password',
  call: 'POST /api/front/app/setPassword',
  answer: { updated: true },
  open: async (api) => {
    const opened = await renderPage(password, { path: '/user/password', session, api });
    fireEvent.change(await screen.findByLabelText('旧密码', { selector: 'input:not([type=radio])' }), {
      target: { value: 'demo1234' },
    });
    type('新密码', 'better-5678');
    type('确认新密码', 'better-5678');
    return opened;
  },
  button: () => screen.getByRole('button', { name: '保存新密码' }),
  expectInput: () => expect(screen.getByLabelText('新密码', { selector: 'input' })).toHaveValue('better-5678'),
  messages,
});

testFormFailureModes({
  name: 'the nickname',
  call: 'POST /api/front/user/info',
  answer: {},
  open: async (api) => {
    const opened = await renderPage(setting, { path: '/user/setting', session, api });
    await userEvent.click(await screen.findByRole('button', { name: /昵称/ }));
    await screen.findByRole('dialog');
    type('昵称', '玩家😀');
    return opened;
  },
  button: () => screen.getByRole('button', { name: '保存' }),
  expectInput: () => expect(screen.getByLabelText('昵称', { selector: 'input' })).toHaveValue('玩家😀'),
  messages,
});
