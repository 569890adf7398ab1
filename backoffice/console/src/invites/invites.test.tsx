import type { StaffInvite, StaffInviteSettings } from '@shop/backoffice/wire';
import { screen, within } from '@testing-library/react';
import { openConsole, type Sent, stubCalls } from '../testing/console';

const invite: StaffInvite = {
  invitee: { id: 7, phone: '', sign_in_email: 'an***@mail.example' },
  inviter: { id: 3, phone: '138****0003', sign_in_email: '' },
  state: 'held',
  reasons: ['device', 'payment'],
  registered_at: '2026-11-01T08:00:00.000Z',
  ends_at: '2027-01-30T08:00:00.000Z',
  counted: 1,
  orders: 3,
  percent: 5,
  sums: [{ currency: 'CNY', waiting: '1.00', paid: '0.00', taken_back: '0.00', owed: '0.00' }],
  decided_by: null,
  decided_at: null,
};
const pageOf = (...list: StaffInvite[]) => ({ list, total: list.length, page: 1, limit: 20, has_more: false });
const settings: StaffInviteSettings = {
  enabled: false,
  percent: 5,
  orders: 3,
  within_days: 90,
  hold_days: 15,
  people_per_day: 10,
  per_day: { CNY: '100.00', USD: '15.00' },
};

let answers: Record<string, unknown>;
let sent: Sent[];
const open = async (role: string, place = 'invites') => {
  ({ answers, sent } = await stubCalls(role));
  answers['GET invites?page=1&state=held'] = pageOf(invite);
  answers['GET invites/figures'] = {
    counts: 4,
    held: 1,
    refused: 2,
    sums: [{ currency: 'CNY', waiting: '6.00', paid: '30.00', taken_back: '2.00', owed: '0.50' }],
  };
  answers['POST invites/decide'] = { done: true };
  location.hash = `#/${place}`;
  return openConsole();
};
const decisions = () => sent.filter(({ call }) => call === 'POST invites/decide').map(({ body }) => body);

it('shows which invitations are held and why, and lets one count by a press', async () => {
  const user = await open('money');
  const one = (await screen.findByRole('link', { name: 'an***@mail.example' })).closest('tr') as HTMLElement;
  expect(one).toHaveTextContent('another account has used the device · pays as another account does');
  expect(one).toHaveTextContent('1 of 3, 5% each');
  expect(one).toHaveTextContent('¥1.00 waiting');
  await user.click(within(one).getByRole('button', { name: 'Let it count' }));
  expect(decisions()).toEqual([{ id: 7, counts: true }]);
});

it('refuses one only after it has asked', async () => {
  const user = await open('money');
  await user.click(await screen.findByRole('button', { name: 'Refuse' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Refuse this invitation?' });
  expect(decisions()).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Refuse' }));
  expect(decisions()).toEqual([{ id: 7, counts: false }]);
});

it('shows what all of it costs, and those of another state', async () => {
  const user = await open('money');
  expect(await screen.findByText('4 count, 1 held, 2 refused')).toBeVisible();
  const [, row] = within(screen.getByRole('table', { name: 'Figures' })).getAllByRole('row');
  expect(row).toHaveTextContent('CNY¥6.00¥30.00¥2.00¥0.50');
  answers['GET invites?page=1'] = pageOf({
    ...invite,
    state: 'counts',
    reasons: [],
    decided_by: 'Bea',
    decided_at: invite.ends_at,
  });
  await user.selectOptions(screen.getByLabelText('Show'), 'All');
  expect(await screen.findByText(/^Bea · /)).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Rules' })).toBeNull();
});

it('lets a manager change the rules, with the bounds of the server', async () => {
  const user = await open('manager', 'invites/settings');
  answers['GET invite-settings/shop'] = { value: settings, revision: 'r1' };
  answers['GET invite-settings/shop/history'] = [];
  const percent = await screen.findByLabelText('Percent of what was paid');
  await user.clear(percent);
  await user.type(percent, '51');
  await user.click(screen.getByRole('checkbox', { name: 'Invitations count' }));
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  expect(sent.filter(({ call }) => call === 'POST invite-settings/save')).toEqual([]);
  await user.clear(percent);
  await user.type(percent, '8');
  answers['POST invite-settings/save'] = { value: { ...settings, enabled: true, percent: 8 }, revision: 'r2' };
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  expect(sent.find(({ call }) => call === 'POST invite-settings/save')?.body).toEqual({
    key: 'shop',
    revision: 'r1',
    value: { ...settings, enabled: true, percent: 8 },
  });
});
