import { failWith, inTurn, pendingAnswer, renderPage, type StubbedRequest, testUser } from '@shop/shared/testing';
import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as page from './sessions-page';

const list = 'GET /api/front/user/sessions';
const end = 'DELETE /api/front/user/sessions';
const endOthers = 'DELETE /api/front/user/sessions/others';
const at = '2026-11-22T09:25:44.000Z';
const session = (id: string, browser: string, system: string, current = false) => ({
  id,
  browser,
  system,
  created_at: at,
  seen_at: at,
  current,
});
const here = session('a', 'Chrome', 'Android', true);
const away = session('b', 'Safari', 'iPhone');
const open = (api: Record<string, unknown>) =>
  renderPage(page, { path: '/user/sessions', session: { user: testUser, language: 'en' }, api });
const deletions = (requests: StubbedRequest[]) => requests.filter(({ method }) => method === 'DELETE');

it('names each device and marks this one', async () => {
  await open({ [list]: { list: [here, session('c', '', '')] } });
  expect(await screen.findByText('Chrome on Android')).toBeVisible();
  expect(screen.getByText('This device')).toBeVisible();
  expect(screen.getByText('Unknown device')).toBeVisible();
});

it('signs out one device after a confirmation, and shows no button for the current device', async () => {
  const { requests } = await open({ [list]: inTurn({ list: [here, away] }, { list: [here] }), [end]: { ended: 1 } });
  await screen.findByText('Safari on iPhone');
  expect(screen.queryByRole('button', { name: 'Sign out Chrome on Android' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Sign out Safari on iPhone' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Sign out Safari on iPhone?' });
  expect(deletions(requests)).toHaveLength(0);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Sign out' }));
  expect(await screen.findByText('No other device is signed in')).toBeVisible();
  expect(deletions(requests).map(({ params }) => params)).toEqual([{ id: 'b' }]);
});

it('signs out all other devices after a confirmation, and none when it is cancelled', async () => {
  const lists = inTurn({ list: [here, away] }, { list: [here] });
  const { requests } = await open({ [list]: lists, [endOthers]: { ended: 1 } });
  const button = await screen.findByRole('button', { name: 'Sign out all other devices' });
  await userEvent.click(button);
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Cancel' }));
  expect(deletions(requests)).toHaveLength(0);
  await waitFor(() => expect(button).toHaveFocus());
  await userEvent.keyboard('{Enter}');
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Sign out' }));
  expect(await screen.findByText('No other device is signed in')).toBeVisible();
  expect(deletions(requests).map(({ url }) => url)).toEqual(['/api/front/user/sessions/others']);
});

it('ignores clicks while it signs a device out, and then moves the focus to the list', async () => {
  const call = pendingAnswer();
  const before = { list: [here, away, session('c', 'Edge', 'Windows')] };
  await open({ [list]: inTurn(before, { list: [here] }), [end]: call.stub });
  const button = await screen.findByRole('button', { name: 'Sign out Safari on iPhone' });
  await userEvent.click(button);
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(button).toHaveAttribute('aria-busy', 'true'));
  expect(screen.getByRole('button', { name: 'Sign out Edge on Windows' })).toBeDisabled();
  expect(screen.getByRole('button', { name: 'Sign out all other devices' })).toBeDisabled();
  await act(async () => call.answer({ ended: 1 }));
  expect(await screen.findByText('No other device is signed in')).toBeVisible();
  expect(screen.getByText('Other devices')).toHaveFocus();
});

it('keeps the device in the list when the server refuses', async () => {
  await open({ [list]: { list: [here, away] }, [end]: failWith(50000, 'Something went wrong') });
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out Safari on iPhone' }));
  await userEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(screen.getByRole('button', { name: 'Sign out Safari on iPhone' })).toBeEnabled());
});
