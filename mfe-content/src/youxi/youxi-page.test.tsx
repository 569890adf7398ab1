import { renderPage } from '@shop/shared/testing';
import { screen } from '@testing-library/react';
import * as page from './youxi-page';

it('stands alone with its own main and heading, and leads into the shop', async () => {
  await renderPage(page, { path: '/youxi' });
  expect(await screen.findByRole('main')).toBeVisible();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('想玩的游戏，一站充好');
  expect(screen.getByRole('link', { name: '进入商城' })).toHaveAttribute('href', '/home');
});
