import { usePageTitleOf } from '@shop/shared/router';
import { failWith, pageOf, renderPage, type StubbedAnswers, type StubbedRequest } from '@shop/shared/testing';
import { renderHook, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aGoods } from '../common/fixtures';
import * as page from './goods-list-page';

const user = userEvent.setup();
const categories = [
  { id: 1, name: '手机游戏', icon: '', sort: 1 },
  { id: 2, name: '礼品卡', icon: '', sort: 2 },
];
const counts = [
  { category_id: 1, recharge_type: 1, letter: 'Y', goods: 4 },
  { category_id: 1, recharge_type: 2, letter: 'B', goods: 2 },
  { category_id: 2, recharge_type: 2, letter: 'Y', goods: 3 },
];
/** A desktop has the filters in a column, a phone in a sheet. */
const findFilters = () => screen.findByRole('region', { name: '筛选' });
const open = (api: StubbedAnswers = {}, path = '/goods') =>
  renderPage(page, {
    path,
    route: '/goods',
    api: {
      'GET /api/front/goods/category': categories,
      'GET /api/front/goods/counts': counts,
      'GET /api/front/goods/list': pageOf([aGoods()]),
      ...api,
    },
  });
const lists = (requests: StubbedRequest[]) => requests.filter((request) => request.url.endsWith('goods/list'));

it('filters by category, kind and initial until a second click, and keeps the filter in the address', async () => {
  const { requests, router } = await open();
  const filters = await findFilters();
  await user.click(await within(filters).findByRole('button', { name: /^礼品卡/ }));
  await user.click(within(filters).getByRole('button', { name: /^直充/ }));
  await user.click(within(filters).getByRole('button', { name: 'Y' }));
  await waitFor(() =>
    expect(lists(requests).at(-1)?.params).toMatchObject({ category_id: 2, recharge_type: 2, letter: 'Y', page: 1 }),
  );
  expect(router.state.location.search).toContain('category_id=2');
  await waitFor(() =>
    expect(within(filters).getByRole('button', { name: 'Y' })).toHaveAttribute('aria-pressed', 'true'),
  );
  await user.click(within(filters).getByRole('button', { name: 'Y' }));
  await waitFor(() => expect(router.state.location.search).not.toContain('letter'));
});

it.each([
  ['/goods?category_id=2&recharge_type=2&letter=y', '礼品卡 直充 Y'],
  ['/goods?letter=Y', '全部游戏 Y'],
  ['/goods?keyword=ys&letter=Y', '全部游戏'],
  ['/goods', '全部游戏'],
])('names the list of %s %s in the bar and the tab', async (path, title) => {
  await open({}, path);
  await waitFor(() => expect(renderHook(() => usePageTitleOf('/goods')).result.current).toBe(title));
});

it('shows beside each filter its number of results together with the other filters', async () => {
  await open({}, '/goods?recharge_type=2');
  const filters = await findFilters();
  expect(await within(filters).findByRole('button', { name: '手机游戏 2' })).toBeVisible();
  expect(within(filters).getByRole('button', { name: '礼品卡 3' })).toBeVisible();
  expect(within(filters).getByRole('button', { name: '全部 5' })).toBeVisible();
  expect(within(filters).getByRole('button', { name: '卡密 4' })).toBeVisible();
});

it('lists goods without counts while these are missing, and for a search', async () => {
  const { unmount } = await open({ 'GET /api/front/goods/counts': failWith(50000, '') });
  expect(await within(await findFilters()).findByRole('button', { name: '礼品卡' })).toBeVisible();
  unmount();
  await open({}, '/goods?keyword=ys');
  expect(await within(await findFilters()).findByRole('button', { name: '礼品卡' })).toBeVisible();
});

it('applies the choice of the sheet with one click, and shows the number of results first', async () => {
  const { requests, router } = await open();
  await user.click(await screen.findByRole('button', { name: '筛选' }));
  const sheet = await screen.findByRole('dialog', { name: '筛选' });
  await user.click(await within(sheet).findByRole('button', { name: '礼品卡 3' }));
  await user.click(within(sheet).getByRole('button', { name: 'Y' }));
  expect(lists(requests).at(-1)?.params).not.toHaveProperty('category_id');
  await user.click(within(sheet).getByRole('button', { name: '查看 3 个商品' }));
  await waitFor(() => expect(lists(requests).at(-1)?.params).toMatchObject({ category_id: 2, letter: 'Y' }));
  const button = await screen.findByRole('button', { name: '筛选，已选 2 项' });
  await waitFor(() => expect(button).toHaveFocus());
  await user.click(button);
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: '清除筛选' }));
  await user.click(screen.getByRole('button', { name: '查看 9 个商品' }));
  await waitFor(() => expect(router.state.location.search).toBe(''));
});

it('drops the choice when Escape closes the sheet', async () => {
  const { requests } = await open();
  await user.click(await screen.findByRole('button', { name: '筛选' }));
  const sheet = await screen.findByRole('dialog', { name: '筛选' });
  await user.click(await within(sheet).findByRole('button', { name: '礼品卡 3' }));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(sheet).not.toBeInTheDocument());
  expect(lists(requests)).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: '筛选' }));
  expect(await screen.findByRole('button', { name: '查看 9 个商品' })).toBeVisible();
});

it('sorts by price', async () => {
  const { requests, router } = await open();
  const sort = await screen.findByRole('combobox', { name: '排序' });
  expect(sort).toHaveDisplayValue('综合推荐');
  await user.selectOptions(sort, '价格从低到高');
  await waitFor(() => expect(lists(requests).at(-1)?.params).toMatchObject({ sort: 'price_asc' }));
  await waitFor(() => expect(sort).toHaveDisplayValue('价格从低到高'));
  await user.selectOptions(sort, '综合推荐');
  await waitFor(() => expect(router.state.location.search).toBe(''));
});

it('reads the filters of the address and ignores invalid ones', async () => {
  const { requests } = await open({}, '/goods?category_id=2&sort=sales&letter=%3C&recharge_type=99');
  await screen.findByText('原神');
  expect(lists(requests)[0]?.params).toEqual({ category_id: 2, sort: 'hot', page: 1, limit: 20 });
});

it('marks sold-out goods', async () => {
  await open({ 'GET /api/front/goods/list': pageOf([aGoods({ sold_out: true })]) });
  expect(await screen.findByRole('link', { name: /已售罄.*原神/ })).toBeVisible();
});

it('clears the filters of an empty result', async () => {
  const { router } = await open({ 'GET /api/front/goods/list': pageOf([]) }, '/goods?letter=Q');
  const [clear] = await screen.findAllByRole('button', { name: '清除筛选' });
  await user.click(clear as HTMLElement);
  expect(router.state.location.search).toBe('');
});

it('shows an empty state without filters in a shop without products', async () => {
  await open({ 'GET /api/front/goods/category': [], 'GET /api/front/goods/list': pageOf([]) });
  expect(await screen.findByText('首批商品即将上线，请稍后再来')).toBeVisible();
  expect(screen.getByRole('link', { name: '返回首页' })).toHaveAttribute('href', '/home');
  expect(screen.queryByRole('button', { name: '清除筛选' })).not.toBeInTheDocument();
});
