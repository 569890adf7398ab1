import type { Article } from '@shop/server/wire';
import { usePageTitleOf } from '@shop/shared/router';
import { failWith, type RenderPageOptions, renderPage } from '@shop/shared/testing';
import { renderHook, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './article-page';

const anArticle = (over: Partial<Article> = {}): Article => ({
  id: 'agreement',
  title: '星点用户服务协议',
  content: '<p>欢迎使用星点。</p><h2>一、账号</h2><p>请妥善保管。</p><h2>二、商品与交付</h2><p>卡密即时交付。</p>',
  updated_at: '2026-10-01T12:00:00.000Z',
  ...over,
});
const open = (answer: unknown, options: Partial<RenderPageOptions> = {}) =>
  renderPage(page, { path: '/article/agreement', api: { 'GET /api/front/article/info': answer }, ...options });

it('loads the article of its address and shows its title, text and date', async () => {
  const { requests } = await open(anArticle({ id: 'summer-sale', title: '夏日活动' }), {
    path: '/article/summer-sale',
    route: '/article/:id',
  });
  expect(await screen.findByText('夏日活动')).toBeVisible();
  expect(await screen.findByText('请妥善保管。')).toBeVisible();
  expect(renderHook(() => usePageTitleOf('/article/summer-sale')).result.current).toBe('夏日活动');
  expect(screen.getByText('更新于 2026年10月1日')).toHaveAttribute('datetime', '2026-10-01T12:00:00.000Z');
  expect(requests.filter((request) => request.params.id !== 'summer-sale')).toEqual([]);
});

it.each([
  ['is unknown', failWith(404, '没有找到'), '没有找到'],
  ['has no text', anArticle({ content: ' ' }), '这篇文章还没有内容'],
])('shows a message for an article that %s', async (_, answer, text) => {
  await open(answer);
  expect(await screen.findByText(text)).toBeVisible();
});

it('links to support and to the other articles', async () => {
  const openSupport = jest.fn();
  await open(anArticle(), { session: { openSupport } });
  await userEvent.click(await screen.findByRole('button', { name: '联系客服' }));
  expect(openSupport).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('link', { name: '隐私政策' })).toHaveAttribute('href', '/article/privacy');
  expect(screen.queryByRole('link', { name: '用户服务协议' })).not.toBeInTheDocument();
});
