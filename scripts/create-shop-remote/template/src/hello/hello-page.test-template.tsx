import { renderPage, testUser } from '@shop/shared/testing';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './hello-page';

it.each([
  ['zh-CN', '你好，朋友', '返回首页'],
  ['en', 'Hello, there', 'Go home'],
] as const)('greets a guest in %s and leads home', async (language, title, home) => {
  await renderPage(page, { path: '/__name__', session: { language } });
  expect(screen.getByRole('heading', { name: title })).toBeVisible();
  await userEvent.click(screen.getByRole('link', { name: home }));
  expect(await screen.findByTestId('elsewhere')).toBeVisible();
});

it('the hello page greets a shopper by name', async () => {
  await renderPage(page, { path: '/__name__', session: { language: 'en', user: { ...testUser, nickname: 'Ann' } } });
  expect(screen.getByRole('heading', { name: 'Hello, Ann' })).toBeVisible();
});
