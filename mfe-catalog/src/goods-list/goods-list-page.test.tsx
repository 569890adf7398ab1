import { failWith, renderPage, type StubbedAnswers, type StubbedRequest } from '@shop/shared/testing';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aGoods, aPage } from '../common/fixtures';
import * as page from './goods-list-page';

const user = userEvent.setup();
const categories = [
  { id: 1, name: '手机游戏', icon: '', sort: 1 },
  { id: 2, name: '礼品卡', icon: '', sort: 2 },
];
const open = (api: StubbedAnswers = {}, path = '/goods') =>
  renderPage(page, {
    path,
    route: '/goods',
    api: { 'GET /api/front/goods/category': categories, 'GET /api/front/goods/list': aPage([aGoods()]), ...api },
  });
const lists = (requests: StubbedRequest[]) => requests.filter((request) => request.url.endsWith('goods/list'));

it('filters by category, kind and letter, in the address', async () => {
  const { requests, router } = await open();
  await user.click(await screen.findByRole('button', { name: '礼品卡' }));
  await user.selectOptions(screen.getByLabelText('商品类型'), '直充');
  await user.click(screen.getByRole('button', { name: 'Y' }));
  await waitFor(() =>
    expect(lists(requests).at(-1)?.params).toMatchObject({ category_id: 2, recharge_type: 2, letter: 'Y', page: 1 }),
  );
  expect(router.state.location.search).toContain('category_id=2');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Y' })).toHaveAttribute('aria-pressed', 'true'));
});

it('takes a letter away when it is pressed again', async () => {
  const { requests } = await open({}, '/goods?letter=Y');
  await user.click(await screen.findByRole('button', { name: 'Y' }));
  await waitFor(() => expect(lists(requests).at(-1)?.params).not.toHaveProperty('letter'));
});

it('sorts by price', async () => {
  const { requests } = await open();
  await user.selectOptions(await screen.findByLabelText('排序'), '价格从低到高');
  await waitFor(() => expect(lists(requests).at(-1)?.params).toMatchObject({ sort: 'price_asc' }));
});

it('opens with the filters of its address and ignores what it cannot read', async () => {
  const { requests } = await open({}, '/goods?category_id=2&sort=sales&letter=%3C&recharge_type=99');
  await screen.findByText('原神');
  expect(lists(requests)[0]?.params).toEqual({ category_id: 2, sort: 'hot', page: 1, limit: 20 });
});

it('loads more until there is no more', async () => {
  await open({
    'GET /api/front/goods/list': (request: StubbedRequest) =>
      Number(request.params.page) === 1
        ? aPage([aGoods()], { has_more: true, total: 2 })
        : aPage([aGoods({ id: 8, name: '崩坏' })], { page: 2, total: 2 }),
  });
  await user.click(await screen.findByRole('button', { name: '加载更多' }));
  expect(await screen.findByText('崩坏')).toBeVisible();
  expect(screen.queryByRole('button', { name: '加载更多' })).not.toBeInTheDocument();
});

it('marks what is sold out', async () => {
  await open({ 'GET /api/front/goods/list': aPage([aGoods({ sold_out: true })]) });
  expect(await screen.findByRole('link', { name: /已售罄.*原神/ })).toBeVisible();
});

it('clears the filters when nothing matches', async () => {
  const { router } = await open({ 'GET /api/front/goods/list': aPage([]) }, '/goods?letter=Q');
  await user.click(await screen.findByRole('button', { name: '清除筛选' }));
  expect(router.state.location.search).toBe('');
});

it('says that a shop without products has none yet, and offers no filters to clear', async () => {
  await open({ 'GET /api/front/goods/category': [], 'GET /api/front/goods/list': aPage([]) });
  expect(await screen.findByText('首批商品即将上线，请稍后再来')).toBeVisible();
  expect(screen.getByRole('link', { name: '返回首页' })).toHaveAttribute('href', '/home');
  expect(screen.queryByRole('button', { name: '清除筛选' })).not.toBeInTheDocument();
});

it('offers to try again after a fault', async () => {
  let tries = 0;
  await open({ 'GET /api/front/goods/list': () => (++tries === 1 ? failWith(50000, '') : aPage([aGoods()])) });
  await user.click(await screen.findByRole('button', { name: '重试' }));
  expect(await screen.findByText('原神')).toBeVisible();
});
