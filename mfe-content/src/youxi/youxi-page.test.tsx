import { renderPage } from '@shop/shared/testing';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './youxi-page';

it('renders a landing page with its own landmark, heading and link to the shop, without a call', async () => {
  const { requests, router } = await renderPage(page, { path: '/youxi' });
  expect(screen.getByRole('main')).toContainElement(screen.getByRole('heading', { level: 1 }));
  expect(document.title).toBe('游戏 - 星点');
  expect(requests).toHaveLength(0);
  await userEvent.click(screen.getByRole('link', { name: '进入商城' }));
  expect(router.state.location.pathname).toBe('/home');
});

it('switches language and theme, because the shell’s bars are missing here', async () => {
  const setLanguage = jest.fn();
  const setTheme = jest.fn();
  await renderPage(page, { path: '/youxi', session: { setLanguage, setTheme } });
  await userEvent.click(screen.getByRole('button', { name: 'English' }));
  await userEvent.click(screen.getByRole('button', { name: '切换到深色' }));
  expect(setLanguage).toHaveBeenCalledWith('en');
  expect(setTheme).toHaveBeenCalledWith('dark');
});
