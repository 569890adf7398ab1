import { failWith, renderPage, type StubbedAnswers, testUser } from '@shop/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './centre-page';

const coupons = 'GET /api/front/coupon/getUserCouponList';
const orders = 'GET /api/front/order/list';
const api = { [coupons]: [], 'GET /api/front/level/list': [], [orders]: { list: [], total: 0 } };
const user = { ...testUser, phone: '13800000000' };
const open = (answers: StubbedAnswers = {}, session: object = {}) =>
  renderPage(page, { path: '/user', session: { user, ...session }, api: { ...api, ...answers } });

it.each([
  ['zh-CN', '¥100.00'],
  ['en', '$20.00'],
] as const)('shows the name, the masked phone and the balance of %s', async (language, balance) => {
  await open({}, { language });
  expect(await screen.findByText('Tester')).toBeVisible();
  expect(screen.getByText('138****0000')).toBeVisible();
  expect(screen.getByText(balance)).toBeVisible();
});

it('The account page links to every page of the area', async () => {
  await open();
  const targets = (await screen.findAllByRole('link')).map((link) => link.getAttribute('href'));
  for (const path of ['wallet', 'coupon', 'recharge', 'log', 'password', 'setting'])
    expect(targets).toContain(`/user/${path}`);
});

it('The account page links to invitations only while they are open', async () => {
  const { unmount } = await open();
  expect(await screen.findByRole('link', { name: '邀请好友' })).toHaveAttribute('href', '/user/invite');
  unmount();
  await open({}, { user: { ...user, inviteCode: '' } });
  await screen.findByText('Tester');
  expect(screen.queryByRole('link', { name: '邀请好友' })).toBeNull();
});

it('The account page counts usable coupons and unpaid orders, and has plain links when the numbers do not load', async () => {
  const { unmount } = await open({ [coupons]: [{}, {}, {}], [orders]: { list: [], total: 2 } });
  expect(await screen.findByText('3 张可用')).toBeVisible();
  expect(await screen.findByRole('link', { name: '2 笔 待付款' })).toHaveAttribute('href', '/order?tab=unpaid');
  expect(screen.getByRole('link', { name: '处理中' })).toBeVisible();
  unmount();
  await open({ [coupons]: failWith(50000, 'broken'), [orders]: failWith(50000, 'broken') });
  expect(await screen.findByRole('link', { name: '优惠券' })).toHaveAttribute('href', '/user/coupon');
  expect(screen.getByRole('link', { name: '待付款' })).toBeVisible();
});

it('A click hides the balance, and it stays hidden on this device', async () => {
  const { unmount } = await open();
  await userEvent.click(await screen.findByRole('button', { name: '隐藏余额' }));
  expect(screen.queryByText('¥100.00')).toBeNull();
  unmount();
  await open();
  await userEvent.click(await screen.findByRole('button', { name: '显示余额' }));
  expect(screen.getByText('¥100.00')).toBeVisible();
});

const levels = [
  {
    id: 1,
    name: 'Silver',
    percent: 95,
    own_prices: false,
    period_days: 90,
    thresholds: [
      { currency: 'CNY', amount: '500.00' },
      { currency: 'USD', amount: '70.00' },
    ],
  },
  { id: 2, name: 'Gold', percent: 100, own_prices: true, period_days: null, thresholds: [] },
];
const missing = [
  { currency: 'CNY', amount: '320.00' },
  { currency: 'USD', amount: '70.00' },
];
const list = 'GET /api/front/level/list';
const levelCall = 'GET /api/front/user/level';
const english = { language: 'en' };

it('shows no level and sends no call in a shop without levels', async () => {
  const { requests } = await open({}, english);
  expect(await screen.findByText('Tester')).toBeVisible();
  expect(screen.queryByText('Member level')).toBeNull();
  expect(requests.filter(({ url }) => url.endsWith('user/level'))).toEqual([]);
});

it('shows what the next level needs and what each level gives', async () => {
  const answer = { id: null, given: null, next: { id: 1, spent: [], missing } };
  await open({ [list]: levels, [levelCall]: answer }, english);
  await userEvent.click(await screen.findByRole('button', { name: 'Member level' }));
  expect(await screen.findByText('No level yet')).toBeVisible();
  expect(screen.getByText('Spend ¥320.00 or $70.00 more to reach Silver')).toBeVisible();
  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(
    expect.arrayContaining([
      'Silver5% off · ¥500.00 or $70.00 spent within 90 days',
      'Goldspecial prices on some products · assigned by the shop',
    ]),
  );
});

it('shows when a granted level ends', async () => {
  const answer = { id: 2, given: { until: '2030-01-02T03:04:05.000Z' }, next: null };
  await open({ [list]: levels, [levelCall]: answer }, english);
  await userEvent.click(await screen.findByRole('button', { name: 'Member level' }));
  expect(await screen.findByText('Your level: Gold')).toBeVisible();
  expect(screen.getByText(/^Until .*2030/)).toBeVisible();
});

it('signs out only after the user confirms', async () => {
  const logout = jest.fn(async () => {});
  await open({}, { logout });
  await userEvent.click(await screen.findByRole('button', { name: '退出登录' }));
  const dialog = await screen.findByRole('alertdialog');
  await userEvent.click(within(dialog).getByRole('button', { name: '取消' }));
  expect(logout).not.toHaveBeenCalled();
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  await userEvent.click(screen.getByRole('button', { name: '退出登录' }));
  const again = await screen.findByRole('alertdialog');
  await userEvent.click(within(again).getByRole('button', { name: '退出登录' }));
  await waitFor(() => expect(logout).toHaveBeenCalledTimes(1));
});
