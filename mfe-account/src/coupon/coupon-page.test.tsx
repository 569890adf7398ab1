import { failWith, inTurn, renderPage, testUser } from '@shop/shared/testing';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './coupon-page';

const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
const reduction = {
  user_coupon_id: 11,
  name: '新人券',
  coupon_type: 10,
  reduce_price: '20.00',
  discount: 0,
  min_price: '100.00',
  currency: 'CNY',
  currencies: ['CNY'],
  start_time: hours(-2),
  end_time: hours(5),
  apply_range: 10,
  items: [],
  status: 1,
  use_status: 1,
};
const discount = {
  ...reduction,
  user_coupon_id: 12,
  name: '八折券',
  coupon_type: 20,
  discount: 8,
  min_price: '0.00',
  end_time: hours(900),
  apply_range: 20,
  items: [{ goods_id: 7, goods_name: '原神' }],
};
const list = 'GET /api/front/coupon/getUserCouponList';
const redeem = 'POST /api/front/coupon/receiveByCode';
const open = (api: Record<string, unknown>, language: 'zh-CN' | 'en' = 'zh-CN') =>
  renderPage(page, { path: '/user/coupon', session: { user: testUser, language }, api });
const openRedeeming = async () => {
  await userEvent.click(await screen.findByRole('button', { name: '使用兑换码' }));
  return screen.findByLabelText(/兑换码/);
};

it('shows each kind of coupon with its worth, threshold, goods and end', async () => {
  await open({ [list]: [reduction, discount] });
  expect(await screen.findByText('¥20')).toBeVisible();
  expect(screen.getByText('满 ¥100 可用')).toBeVisible();
  expect(screen.getByText(/即将过期，剩/)).toBeVisible();
  expect(screen.getByText('8折')).toBeVisible();
  expect(screen.getByText('无门槛')).toBeVisible();
  expect(screen.getByText('适用商品（1）')).toBeVisible();
  expect(screen.getByText('原神')).toHaveAttribute('href', '/goods/7');
});

it('says in English what a discount takes off and that it needs the other currency', async () => {
  await open({ [list]: [discount] }, 'en');
  expect(await screen.findByText('20% off')).toBeVisible();
  expect(screen.getByText('Chinese yuan orders only')).toBeVisible();
});

it('shows an empty state in a tab without coupons', async () => {
  const { requests } = await open({ [list]: [] });
  await userEvent.click(await screen.findByRole('tab', { name: /已过期/ }));
  expect(await screen.findByText('没有过期的优惠券')).toBeVisible();
  expect(requests.map((request) => request.params.status)).toContain(3);
});

it('redeems a code once for two clicks, in the form that the server reads, and shows the new coupon', async () => {
  const { requests } = await open({ [list]: inTurn([], [reduction]), [redeem]: [reduction] });
  await userEvent.type(await openRedeeming(), ' ｗｅｌｃｏｍｅ8 ');
  await userEvent.dblClick(screen.getByRole('button', { name: '兑换' }));
  expect(await screen.findByText('新人券')).toBeVisible();
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  const posts = requests.filter((request) => request.method === 'POST');
  expect(posts.map((request) => request.body)).toEqual([{ code: 'WELCOME8' }]);
  expect(posts[0]?.headers['Idempotency-Key']).toHaveLength(32);
});

it('shows the server’s refusal next to the code', async () => {
  await open({ [list]: [], [redeem]: failWith(44404, '优惠券不存在') });
  const field = await openRedeeming();
  await userEvent.type(field, 'NOPE');
  await userEvent.click(screen.getByRole('button', { name: '兑换' }));
  await waitFor(() => expect(field).toHaveAccessibleDescription(/优惠券不存在/));
});

it.each([
  ['', '兑换码不能为空'],
  ['😀', '兑换码只包含字母和数字'],
  ['<script>', '兑换码只包含字母和数字'],
])('refuses the code "%s" without a call', async (typed, text) => {
  const { requests } = await open({ [list]: [] });
  const field = await openRedeeming();
  if (typed) await userEvent.type(field, typed);
  await userEvent.click(screen.getByRole('button', { name: '兑换' }));
  await waitFor(() => expect(field).toHaveAccessibleDescription(new RegExp(text)));
  expect(requests.filter((request) => request.method === 'POST')).toEqual([]);
});
