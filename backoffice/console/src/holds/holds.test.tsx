import type { StaffHoldFigures, StaffHoldSettings } from '@shop/backoffice/wire';
import { screen, within } from '@testing-library/react';
import { openConsole, stubCalls } from '../testing/console';

const counts: StaffHoldFigures['total'] = {
  held: 1,
  released: 6,
  refunded: 3,
  by_time: 2,
  missed: 1,
  right_percent: 44,
  median_seconds: 420,
};
const settings: StaffHoldSettings = {
  enabled: false,
  from: { CNY: '500.00', USD: '80.00' },
  new_account_hours: null,
  codes_per_hour: 20,
  countries: '',
  networks: true,
  minutes: 30,
  at_end: 'release',
};

it('shows how many orders each rule has held, for how long, and how many rightly', async () => {
  const { answers } = await stubCalls('money');
  const none = { held: 1, released: 0, refunded: 0, by_time: 0, missed: 0, right_percent: null, median_seconds: null };
  answers['GET holds/figures'] = { total: counts, rules: [{ rule: 'country', ...none }] };
  location.hash = '#/holds';
  openConsole();
  const rows = within(await screen.findByRole('table', { name: 'The last 90 days' })).getAllByRole('row');
  expect(rows[1]).toHaveTextContent('All1632144%7 min');
  expect(rows[2]).toHaveTextContent('Country of the payment10000——');
  expect(screen.queryByRole('link', { name: 'Rules' })).toBeNull();
});

it('lets a manager set the rules; one that is empty is off', async () => {
  const { answers, sent } = await stubCalls('manager');
  answers['GET holds/figures'] = { total: counts, rules: [] };
  answers['GET hold-settings/shop'] = { value: settings, revision: 'r1' };
  answers['GET hold-settings/shop/history'] = [];
  answers['POST hold-settings/save'] = { value: settings, revision: 'r2' };
  location.hash = '#/holds/settings';
  const user = openConsole();
  await user.clear(await screen.findByLabelText('USD amount from'));
  await user.type(screen.getByLabelText('Hours an account counts as new'), '24');
  await user.clear(screen.getByLabelText('Most codes per person in an hour'));
  await user.type(screen.getByLabelText('Countries payments should come from'), 'cn, hk');
  await user.selectOptions(screen.getByLabelText('When time is up'), 'Refund it');
  await user.click(screen.getByRole('checkbox', { name: 'Hold paid orders that match these rules' }));
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  expect(sent.find(({ call }) => call === 'POST hold-settings/save')?.body).toMatchObject({
    key: 'shop',
    value: {
      enabled: true,
      from: { CNY: '500.00', USD: '' },
      new_account_hours: 24,
      codes_per_hour: null,
      countries: 'CN, HK',
      at_end: 'refund',
    },
  });
});
