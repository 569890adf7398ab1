import { failWith, pageOf, renderPage, type StubbedAnswers, testUser } from '@shop/shared/testing';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './invite-page';

const invite = { invite_code: 'AB12CD34', coupon: '5 off', people: 2, coupons: 1 };
const user = { name: '玩***01', state: 'rewarded', registered_at: '2026-01-02T03:04:05Z' };
const open = (invitation: unknown, people: unknown = pageOf([])) =>
  renderPage(page, {
    path: '/user/invite',
    session: { user: testUser, language: 'en' },
    api: { 'GET /api/front/user/invite': invitation, 'GET /api/front/user/invite/people': people } as StubbedAnswers,
  });

it('shows the coupon for an invitation, the number of guests, and their names', async () => {
  await open(invite, pageOf([user, { ...user, name: '', state: 'waiting' }]));
  expect(await screen.findByRole('heading', { name: 'Invite friends, get a coupon' })).toBeVisible();
  expect(screen.getByText(/first order is finished, you get the coupon “5 off”/)).toBeVisible();
  expect(screen.getByText('Coupons you received: 1')).toBeVisible();
  const rows = within(screen.getByRole('region', { name: 'People you invited: 2' })).getAllByRole('listitem');
  expect(rows[0]).toHaveTextContent('玩***01 Coupon received');
  expect(rows[1]).toHaveTextContent('Closed account No order yet');
});

it('copies the link, and renders a QR code on request', async () => {
  await open(invite);
  expect(await screen.findByText('http://localhost/invite?invite_code=AB12CD34')).toBeVisible();
  expect(screen.queryByRole('img', { name: 'QR code of your invitation link' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show QR code' }));
  expect(await screen.findByRole('img', { name: 'QR code of your invitation link' })).toBeVisible();
  expect(screen.getByText('Nobody yet')).toBeVisible();
});

it('shows an empty state while invitations are closed', async () => {
  await open(failWith(404));
  expect(await screen.findByText('Invitations aren’t open right now')).toBeVisible();
});
