import { held, hostileTexts, inTurn, noConnection, notJson, renderPage, timesOut } from '@shop/shared/testing';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aGoods, aPage, aPreview, aTopUp, goodsFixture } from './common/fixtures';
import * as goodsDetail from './goods-detail/goods-detail-page';
import * as search from './search/search-page';

const list = 'GET /api/front/goods/list';
const quiet = { 'GET /api/front/search/hot': ['Steam'], 'GET /api/front/search/suggest': [] };
const openSearch = (answer: unknown) => renderPage(search, { path: '/search', api: { ...quiet, [list]: answer } });
const box = () => screen.findByRole('combobox', { name: '搜索游戏或商品' });
const submitSearch = async (text: string) => {
  const input = await box();
  fireEvent.change(input, { target: { value: text } });
  fireEvent.submit(input.closest('form') as HTMLFormElement);
};

afterEach(() => localStorage.clear());

describe('the search', () => {
  it.each(Object.entries(hostileTexts))('survives %s', async (_, text) => {
    const { requests, container } = await openSearch(aPage([]));
    await submitSearch(text);
    const word = [...text.trim()].slice(0, 60).join('');
    if (word) {
      expect(await screen.findByText(/没有找到/)).toHaveTextContent(word.replace(/\s+/g, ' '));
      await waitFor(() => expect(requests.find(({ url }) => url.endsWith('/goods/list'))?.params.keyword).toBe(word));
    } else {
      expect(requests.some(({ url }) => url.endsWith('/goods/list'))).toBe(false);
    }
    expect(container.querySelector('script, img[onerror]')).toBeNull();
    expect('hacked' in window).toBe(false);
  });

  it('cuts a word between two characters, never through one', async () => {
    const { requests } = await openSearch(aPage([]));
    await submitSearch(`${'a'.repeat(59)}🎮🎮`);
    await waitFor(() =>
      expect(requests.find(({ url }) => url.endsWith('/goods/list'))?.params.keyword).toBe(`${'a'.repeat(59)}🎮`),
    );
  });

  it.each([
    ['never comes', timesOut(), /没有加载出来/],
    ['cannot come', noConnection(), /没有加载出来/],
    ['is not JSON', notJson(), /服务器发生错误/],
  ])(
    'shows an error when the response %s, keeps the word, and finds results at the next try',
    async (_, accident, words) => {
      await openSearch(inTurn(accident, aPage([aGoods()])));
      await submitSearch('ys');
      expect(await screen.findByRole('alert')).toHaveTextContent(words);
      expect(await box()).toHaveValue('ys');
      await userEvent.click(screen.getByRole('button', { name: '重试' }));
      expect(await screen.findByRole('link', { name: /原神/ })).toBeVisible();
    },
  );

  it('sends one request for a word that is submitted twice while the answer is pending', async () => {
    const answer = held();
    const { requests } = await openSearch(answer.stub);
    await submitSearch('ys');
    await submitSearch('ys');
    answer.answer(aPage([aGoods()]));
    await screen.findByRole('link', { name: /原神/ });
    expect(requests.filter(({ url }) => url.endsWith('/goods/list'))).toHaveLength(1);
  });
});

const openGoodsPage = (goods: unknown) =>
  renderPage(goodsDetail, {
    path: '/goods/7',
    route: '/goods/:id',
    session: { user: undefined },
    api: { 'GET /api/front/goods/info': goods, 'POST /api/front/order/preview': aPreview() },
  });

describe('the fields of a product', () => {
  it.each(Object.entries(hostileTexts))('take %s for no account', async (_, text) => {
    const { requests } = await openGoodsPage(aTopUp());
    const field = await screen.findByLabelText('UID');
    fireEvent.change(field, { target: { value: text } });
    fireEvent.blur(field);
    await waitFor(() => expect(field).toBeInvalid());
    expect([...(field as HTMLInputElement).value].length).toBeLessThanOrEqual(9);
    expect(requests.some(({ url }) => url.endsWith('/order/create'))).toBe(false);
  });

  const custom = { min: 10, max: 500, step: 10, unit_price: '0.98', unit: '元' };
  it.each([
    ...Object.entries(hostileTexts),
    ['a sign', '-50'],
    ['a float', '1e3.5'],
    ['too many digits', '9'.repeat(40)],
  ])('make %s a value on sale', async (_, text) => {
    await openGoodsPage(goodsFixture({ spec_type: 2, specs: [], custom }));
    const field = await screen.findByLabelText('自定义面值');
    fireEvent.change(field, { target: { value: text } });
    fireEvent.blur(field);
    const value = Number((field as HTMLInputElement).value);
    expect(value).toBeGreaterThanOrEqual(custom.min);
    expect(value).toBeLessThanOrEqual(custom.max);
    expect(value % custom.step).toBe(0);
  });

  it.each([...Object.entries(hostileTexts), ['a sign', '-3'], ['a float', '1.5'], ['too many', '9'.repeat(40)]])(
    'make %s a quantity within the limits',
    async (_, text) => {
      await openGoodsPage(goodsFixture());
      const field = await screen.findByRole('spinbutton', { name: '购买数量' });
      fireEvent.change(field, { target: { value: text } });
      fireEvent.blur(field);
      const value = Number((field as HTMLInputElement).value);
      expect(Number.isInteger(value)).toBe(true);
      expect(value).toBeGreaterThanOrEqual(1);
      expect(value).toBeLessThanOrEqual(5);
    },
  );
});
