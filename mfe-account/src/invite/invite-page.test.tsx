import { failWith, renderPage, type StubbedAnswers, testUser } from '@shop/shared/testing';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './invite-page';
import { savePicture } from './save-picture';

jest.mock('./save-picture', () => ({ savePicture: jest.fn(async () => {}) }));

const invite = {
  invite_code: 'AB12CD34',
  percent: 10,
  orders: 2,
  within_days: 90,
  hold_days: 15,
  per_day: '15.00',
  people: 2,
  currency: 'USD',
  waiting: '1.00',
  paid: '3.50',
  taken_back: '0.50',
};
const person = {
  name: '玩***01',
  state: 'counts',
  registered_at: '2026-01-02T03:04:05Z',
  ends_at: '2026-04-02T03:04:05Z',
  counted: 2,
  orders: 2,
  rewards: [{ currency: 'USD', waiting: '1.00', paid: '3.50' }],
};
const pageOf = (...list: object[]) => ({ list, total: list.length, page: 1, limit: 20, has_more: false });
const open = (own: unknown, people: unknown = pageOf()) =>
  renderPage(page, {
    path: '/user/invite',
    session: { user: testUser, language: 'en' },
    api: { 'GET /api/front/user/invite': own, 'GET /api/front/user/invite/people': people } as StubbedAnswers,
  });

it('says what an invitation brings, what it has brought, and who brought what', async () => {
  await open(invite, pageOf(person, { ...person, name: '', state: 'held', counted: 0, rewards: [] }));
  expect(await screen.findByRole('heading', { name: 'Invite friends, get 10%' })).toBeVisible();
  const sums = screen.getByRole('region', { name: 'Invitation rewards' });
  expect(sums).toHaveTextContent('Received$3.50On the way$1.00$0.50 taken back after refunds');
  const rows = within(screen.getByRole('region', { name: 'People you invited: 2' })).getAllByRole('listitem');
  expect(rows[0]).toHaveTextContent('玩***01 Counts');
  expect(rows[0]).toHaveTextContent('2 of 2 orders counted$3.50$1.00 on the way');
  expect(rows[1]).toHaveTextContent('Closed account Being checked');
});

it('copies the link, and draws its code only when it is asked for, to be saved as a picture', async () => {
  await open(invite);
  expect(await screen.findByText('http://localhost/invite?invite_code=AB12CD34')).toBeVisible();
  expect(screen.queryByRole('img', { name: 'QR code of your invitation link' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Show QR code' }));
  const code = await screen.findByRole('img', { name: 'QR code of your invitation link' });
  await userEvent.click(screen.getByRole('button', { name: 'Save picture' }));
  expect(savePicture).toHaveBeenCalledWith(code, 'AB12CD34.png');
  expect(screen.getByText('Nobody yet')).toBeVisible();
});

it('empty: says so while invitations do not count, and offers to try again after a failure', async () => {
  const { unmount } = await open(failWith(404));
  expect(await screen.findByText('Invitations aren’t open right now')).toBeVisible();
  unmount();
  await open(failWith(50000, 'Down'));
  expect(await screen.findByRole('button', { name: /again/i })).toBeVisible();
});
