import { failWith, renderPage, type StubbedAnswers, testUser } from '@shop/shared/testing';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './invitation-page';

const call = 'POST /api/front/app/invitation';
const open = (api: StubbedAnswers, session: object = {}, path = '/invite?invite_code=AB12CD34') =>
  renderPage(page, { path, route: '/invite', session: { user: null, token: '', language: 'en', ...session }, api });

it('shows a guest both rewards, stores the code and links to the registration', async () => {
  const openRegister = jest.fn();
  const { requests } = await open({ [call]: { opened: true } }, { openRegister });
  await userEvent.click(await screen.findByRole('button', { name: 'Register' }));
  expect(openRegister).toHaveBeenCalledTimes(1);
  expect(requests.map(({ body }) => body)).toEqual([{ invite_code: 'AB12CD34' }]);
  expect(screen.getByText(/When your first order is finished, your friend gets a coupon/)).toBeVisible();
  expect(screen.getByRole('link', { name: 'Look around first' })).toHaveAttribute('href', '/home');
});

it.each([
  ['a code that there is not', { [call]: failWith(41009) }, undefined],
  ['closed invitations', { [call]: failWith(404) }, undefined],
  ['no code', {}, '/invite'],
])('shows an invalid link as invalid with %s', async (_case, api, path) => {
  await open(api, {}, path);
  expect(await screen.findByText('This invitation is not valid')).toBeVisible();
});

it('sends no call for a user who has an account', async () => {
  const { requests } = await open({}, { user: testUser, token: 'token' });
  expect(await screen.findByText('You already have an account')).toBeVisible();
  expect(requests).toEqual([]);
});
