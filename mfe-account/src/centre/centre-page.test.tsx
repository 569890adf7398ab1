import { renderPage, testUser } from '@shop/shared/testing';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './centre-page';

const user = { ...testUser, phone: '13800000000' };

it.each([
  ['zh-CN', '¥100.00'],
  ['en', '$20.00'],
] as const)('shows the name, the masked phone and the balance of %s', async (language, balance) => {
  await renderPage(page, { path: '/user', session: { user, language } });
  expect(screen.getByText('Tester')).toBeVisible();
  expect(screen.getByText('138****0000')).toBeVisible();
  expect(screen.getByText(balance)).toBeVisible();
});

it('leads to every page of the area', async () => {
  await renderPage(page, { path: '/user', session: { user } });
  const targets = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
  for (const path of ['wallet', 'coupon', 'recharge', 'log', 'password', 'setting'])
    expect(targets).toContain(`/user/${path}`);
});

it('signs out only after the shopper has confirmed', async () => {
  const logout = jest.fn(async () => {});
  await renderPage(page, { path: '/user', session: { user, logout } });
  await userEvent.click(screen.getByRole('button', { name: '退出登录' }));
  const dialog = await screen.findByRole('alertdialog');
  await userEvent.click(within(dialog).getByRole('button', { name: '取消' }));
  expect(logout).not.toHaveBeenCalled();
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
  await userEvent.click(screen.getByRole('button', { name: '退出登录' }));
  const again = await screen.findByRole('alertdialog');
  await userEvent.click(within(again).getByRole('button', { name: '退出登录' }));
  await waitFor(() => expect(logout).toHaveBeenCalledTimes(1));
});
