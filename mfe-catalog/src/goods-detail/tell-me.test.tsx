import { testUser } from '@shop/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { goodsFixture } from '../common/fixtures';
import { open as openPage } from '../testing/detail-page';

const read = 'GET /api/front/user/stockWish';
const add = 'POST /api/front/user/stockWish';
const remove = 'DELETE /api/front/user/stockWish';
const open = (api: Record<string, unknown>, session: object = { user: testUser }) =>
  openPage({ 'GET /api/front/goods/info': goodsFixture({ tells_stock: true }), ...api }, session);
const chip = async () =>
  within(await screen.findByRole('list', { name: '到货提醒我：' })).getByRole('button', { name: '648 结晶' });

it('subscribes to a sold-out face value, and unsubscribes', async () => {
  const { requests } = await open({
    [read]: { spec_ids: [] },
    [add]: { spec_id: 73, waiting: true, channels: ['mail'] },
    [remove]: { spec_id: 73, waiting: false, channels: [] },
  });
  await userEvent.click(await chip());
  await waitFor(async () => expect(await chip()).toHaveAttribute('aria-pressed', 'true'));
  expect(requests.find(({ method, url }) => method === 'POST' && url.includes('stockWish'))?.body).toEqual({
    spec_id: 73,
  });
  await userEvent.click(await chip());
  await waitFor(async () => expect(await chip()).toHaveAttribute('aria-pressed', 'false'));
});

it('links to the settings when the user has no channel for notices', async () => {
  const { router } = await open({
    [read]: { spec_ids: [] },
    [add]: { spec_id: 73, waiting: false, channels: [] },
  });
  await userEvent.click(await chip());
  await userEvent.click(await screen.findByRole('button', { name: '通知设置' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/user/notices'));
});

it('asks a guest to sign in first', async () => {
  const openLogin = jest.fn(async () => false);
  const { requests } = await open({}, { user: null, openLogin });
  await userEvent.click(await chip());
  expect(openLogin).toHaveBeenCalledTimes(1);
  expect(requests.filter(({ url }) => url.includes('stockWish'))).toEqual([]);
});

it('is hidden in a shop without notices', async () => {
  await open({ 'GET /api/front/goods/info': goodsFixture() });
  await screen.findByText('已售罄');
  expect(screen.queryByText('到货提醒我：')).toBeNull();
});
