import { pageOf, renderPage, type StubbedAnswers, type StubbedRequest } from '@shop/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { aGoods } from '../common/fixtures';
import * as page from './search-page';

const user = userEvent.setup();
const open = (api: StubbedAnswers = {}, path = '/search') =>
  renderPage(page, {
    path,
    route: '/search',
    api: {
      'GET /api/front/search/hot': ['王者荣耀', 'Steam'],
      'GET /api/front/search/suggest': [{ id: 7, name: '原神', image: '' }],
      'GET /api/front/goods/list': pageOf([aGoods()]),
      ...api,
    },
  });
const box = () => screen.findByRole('combobox', { name: '搜索游戏或商品' });

beforeEach(() => localStorage.clear());

it('suggests 原神 for "ys", closes the suggestions with Escape, and opens one with the keyboard alone', async () => {
  const { requests, router } = await open();
  expect(await box()).not.toHaveAttribute('aria-controls');
  expect(await box()).toHaveAttribute('aria-expanded', 'false');
  await user.type(await box(), 'ys');
  const option = () => screen.findByRole('option', { name: '原神' });
  expect(await option()).toBeVisible();
  const suggestCalls = requests.filter((request) => request.url.endsWith('suggest'));
  expect(suggestCalls.map((request) => request.params.keyword)).toEqual(['ys']);
  expect(await box()).toHaveAttribute('aria-controls', screen.getByRole('listbox').id);
  await user.keyboard('{ArrowDown}{Escape}');
  expect(screen.queryByRole('listbox', { hidden: true })).not.toBeInTheDocument();
  expect(await box()).not.toHaveAttribute('aria-activedescendant');
  expect(await box()).toHaveFocus();
  await user.clear(await box());
  await user.type(await box(), 'ys');
  await option();
  await user.keyboard('{ArrowDown}');
  expect(await option()).toHaveAttribute('aria-selected', 'true');
  expect(await box()).toHaveAttribute('aria-activedescendant', screen.getByRole('option').id);
  await user.keyboard('{Enter}');
  expect(router.state.location.pathname).toBe('/goods/7');
});

it('shows the products of a search, and adds it to the history', async () => {
  const { router, requests } = await open();
  await user.type(await box(), 'ys{Enter}');
  expect(await screen.findByRole('link', { name: /原神/ })).toHaveAttribute('href', '/goods/7');
  expect(router.state.location.search).toBe('?keyword=ys');
  expect(requests.find((request) => request.url.endsWith('goods/list'))?.params).toMatchObject({ keyword: 'ys' });
  expect(JSON.parse(localStorage.getItem('catalog.search-history') ?? '')).toEqual(['ys']);
});

it('keeps the last ten searches, newest first, and clears them', async () => {
  const words = Array.from({ length: 12 }, (_, index) => `w${index}`);
  localStorage.setItem('catalog.search-history', JSON.stringify(words));
  await open();
  const history = await screen.findByRole('region', { name: '搜索历史' });
  expect(within(history).getAllByRole('button', { name: /^w/ })).toHaveLength(10);
  await user.click(within(history).getByRole('button', { name: '清空' }));
  expect(screen.queryByRole('region', { name: '搜索历史' })).not.toBeInTheDocument();
  expect(localStorage.getItem('catalog.search-history')).toBe('[]');
});

it('searches for a popular word on a click', async () => {
  const { router } = await open();
  await user.click(await screen.findByRole('button', { name: 'Steam' }));
  expect(router.state.location.search).toBe('?keyword=Steam');
  await waitFor(async () => expect(await box()).toHaveValue('Steam'));
});

it('loads the results for a keyword, which is cut between code points', async () => {
  const keyword = `${'a'.repeat(59)}🎮`;
  const { requests } = await open({}, `/search?keyword=${keyword}🎮`);
  expect(await screen.findByRole('link', { name: /原神/ })).toBeVisible();
  expect(requests.find(({ url }) => url.endsWith('/goods/list'))?.params.keyword).toBe(keyword);
});

it('shows alternatives for an empty result', async () => {
  await open({ 'GET /api/front/goods/list': pageOf([]) }, '/search?keyword=%3Cscript%3E');
  expect(await screen.findByText('没有找到“<script>”')).toBeVisible();
  expect(screen.getByRole('link', { name: '全部游戏' })).toHaveAttribute('href', '/goods');
  expect(screen.getByRole('button', { name: '王者荣耀' })).toBeVisible();
});

it('handles a broken history and full storage', async () => {
  localStorage.setItem('catalog.search-history', '{broken');
  const setItem = jest.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new Error('QuotaExceededError');
  });
  await open();
  await user.type(await box(), 'ys{Enter}');
  expect(await screen.findByRole('link', { name: /原神/ })).toBeVisible();
  setItem.mockRestore();
});

it('does not search for an empty keyword', async () => {
  const { requests } = await open();
  await user.type(await box(), '   {Enter}');
  await waitFor(async () => expect(await box()).toHaveFocus());
  expect(requests.filter((request: StubbedRequest) => request.url.endsWith('goods/list'))).toHaveLength(0);
});
