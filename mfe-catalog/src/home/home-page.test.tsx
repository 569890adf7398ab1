import type { CustomModule, ModuleItem } from '@shop/server/wire';
import {
  failWith,
  inTurn,
  pageOf,
  recordNotices,
  renderPage,
  type StubbedAnswers,
  testUser,
} from '@shop/shared/testing';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aGoods } from '../common/fixtures';
import * as page from './home-page';

const item = (changes: Partial<ModuleItem> = {}): ModuleItem => ({
  id: 1,
  kind: 'goods',
  image: '/media/a.webp',
  title: '原神',
  price: '6.00',
  original_price: '6.48',
  tag: '热卖',
  link_type: 1,
  link_value: '7',
  ...changes,
});
const aModule = (template: number, changes: Partial<CustomModule> = {}): CustomModule => ({
  id: template,
  title: `模块${template}`,
  subtitle: '',
  template,
  sort: template,
  more_link: '',
  items: [item({ id: template * 10 }), item({ id: template * 10 + 1, title: '崩坏', link_value: '8' })],
  ...changes,
});
const banner = {
  id: 1,
  title: '特惠',
  image: '/media/b.webp',
  image_alt: '横幅',
  link_type: 4,
  link_value: 'https://example.com/',
  sort: 1,
};

const open = (api: StubbedAnswers, session: object = {}) =>
  renderPage(page, {
    path: '/home',
    session,
    api: {
      'GET /api/front/swiper/list': [banner],
      'GET /api/front/customModule/list': [],
      'GET /api/front/goods/list': pageOf([]),
      ...api,
    },
  });

it('loads the banners and modules of the new mobile channel, and says that goods follow', async () => {
  const { requests } = await open({});
  await screen.findByText('商品正在上架');
  expect(screen.queryByRole('link', { name: '全部游戏' })).not.toBeInTheDocument();
  expect(requests.map((request) => [request.url, request.params])).toEqual(
    expect.arrayContaining([
      ['/api/front/swiper/list', { channel: 4 }],
      ['/api/front/customModule/list', { channel: 3 }],
    ]),
  );
});

it('renders every template as a titled region with links to its products', async () => {
  const templates = [1, 2, 3, 4, 5, 6];
  await open({ 'GET /api/front/customModule/list': templates.map((template) => aModule(template)) });
  for (const template of templates) {
    const region = await screen.findByRole('region', { name: `模块${template}` });
    expect(within(region).getByRole('link', { name: /原神/ })).toHaveAttribute('href', '/goods/7');
  }
});

it('renders an unknown template as cards with a price', async () => {
  await open({ 'GET /api/front/customModule/list': [aModule(42)] });
  const card = await screen.findByRole('link', { name: /原神.*¥6.00/ });
  expect(card.closest('ul')).toHaveClass('catalog-tiles');
});

it('marks a price as the lowest only when the values of a product differ', async () => {
  const items = [item({ prices_differ: true }), item({ id: 2, title: '崩坏', prices_differ: false })];
  await open({ 'GET /api/front/customModule/list': [aModule(3, { items })] });
  expect(await screen.findByRole('link', { name: /原神.*¥6\.00.*起/ })).toBeVisible();
  expect(screen.getByRole('link', { name: /崩坏/ })).not.toHaveTextContent('起');
});

it('links to all products of a module', async () => {
  await open({ 'GET /api/front/customModule/list': [aModule(3, { more_link: 'recharge_type=1' })] });
  expect(await screen.findByRole('link', { name: '更多 模块3' })).toHaveAttribute('href', '/goods?recharge_type=1');
});

describe('a timed module', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('counts down, and is refetched when it ends', async () => {
    const soon = new Date(Date.now() + 60_000).toISOString();
    const { requests } = await open({
      'GET /api/front/customModule/list': () => [aModule(6, { countdown_end: soon })],
    });
    expect(await screen.findByRole('timer')).toHaveTextContent(/^(01:00|00:59)$/);
    const moduleCalls = () => requests.filter((request) => request.url.endsWith('customModule/list')).length;
    const before = moduleCalls();
    await act(() => jest.advanceTimersByTimeAsync(30_000));
    expect(screen.getByRole('timer')).toHaveTextContent(/^00:(29|30)$/);
    expect(moduleCalls()).toBe(before);
    await act(() => jest.advanceTimersByTimeAsync(30_000));
    await waitFor(() => expect(moduleCalls()).toBeGreaterThan(before));
  });
});

it('opens other sites only by https, in a new tab without an opener', async () => {
  await open({});
  const link = await screen.findByRole('link', { name: /横幅/ });
  expect(link).toHaveAttribute('href', 'https://example.com/');
  expect(link).toHaveAttribute('target', '_blank');
  expect(link.getAttribute('rel')).toContain('noopener');
});

it('keeps the banners when the modules fail, and recovers with "try again"', async () => {
  await open({ 'GET /api/front/customModule/list': inTurn(failWith(50000, ''), [aModule(3)]) });
  const alert = await screen.findByRole('alert');
  expect(screen.getByRole('link', { name: /横幅/ })).toBeVisible();
  await userEvent.click(within(alert).getByRole('button', { name: '重试' }));
  expect(await screen.findByRole('region', { name: '模块3' })).toBeVisible();
});

it('shows a failure only on the page, because a hover may have started the call', async () => {
  const notices = recordNotices();
  const failed = failWith(50000, '服务器开小差了');
  await open({ 'GET /api/front/swiper/list': failed, 'GET /api/front/customModule/list': failed });
  await screen.findByRole('alert');
  expect(notices).toEqual([]);
});

it('lists the goods of a shop without modules', async () => {
  await open({ 'GET /api/front/goods/list': pageOf([aGoods()]) });
  expect(await screen.findByRole('link', { name: /原神/ })).toBeVisible();
});

describe('recent purchases', () => {
  const bought = {
    order_no: 'OLD0000001',
    goods_id: 7,
    name: '原神',
    image: '/media/a.webp',
    face_value: '648 结晶',
    quantity: 2,
    account: '100000001 · 天空岛',
    price: '12.00',
    currency: 'CNY',
    available: true,
  };
  const modules = { 'GET /api/front/customModule/list': [1, 2, 3].map((template) => aModule(template)) };

  it('shows recent purchases after two modules, and buys one again with one click', async () => {
    const { router, requests } = await open(
      {
        ...modules,
        'GET /api/front/order/recent': [bought, { ...bought, order_no: 'OLD0000002', available: false, name: '绝版' }],
        'POST /api/front/order/again': { ...bought, spec_id: 71, custom_value: null, fields: { uid: '100000001' } },
        'POST /api/front/order/preview': { price_version: 'v1' },
        'POST /api/front/order/create': { order_no: 'NEW0000001' },
      },
      { user: testUser },
    );
    const again = await screen.findByRole('button', { name: '再次购买：原神 648 结晶 × 2 100000001 · 天空岛' });
    const titles = screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent);
    expect(titles).toEqual(['模块1', '模块2', '最近买过', '模块3']);
    const gone = screen.getByText('绝版').closest('li') as HTMLElement;
    expect(gone).toHaveTextContent('暂时无法购买');
    expect(within(gone).queryByRole('button')).toBeNull();
    await userEvent.click(again);
    await waitFor(() => expect(router.state.location.pathname).toBe('/order/detail/NEW0000001'));
    expect(requests.find(({ url }) => url.endsWith('order/create'))?.body).toMatchObject({
      spec_id: 71,
      quantity: 2,
      fields: { uid: '100000001' },
    });
  });

  it('loads no recent purchases for a guest, and leaves no gap after a failure', async () => {
    const guest = await open(modules);
    await screen.findByRole('region', { name: '模块3' });
    expect(guest.requests.filter(({ url }) => url.endsWith('order/recent'))).toEqual([]);
    guest.unmount();
    const { requests } = await open({ ...modules, 'GET /api/front/order/recent': failWith(50000) }, { user: testUser });
    await waitFor(() => expect(requests.some(({ url }) => url.endsWith('order/recent'))).toBe(true));
    expect(screen.queryByText('最近买过')).toBeNull();
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
