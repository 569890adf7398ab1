import type { StaffHoldSettings } from '@shop/backoffice/wire';
import { screen } from '@testing-library/react';
import { answers, openConsole, posts, stubCalls } from '../testing/console';

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

it('a manager sets the hold rules, and an empty rule is off', async () => {
  await stubCalls('manager');
  answers['GET hold-settings/shop'] = { value: settings, revision: 'r1' };
  answers['GET hold-settings/shop/history'] = [];
  answers['POST hold-settings/save'] = { value: settings, revision: 'r2' };
  const user = openConsole('holds');
  await user.clear(await screen.findByLabelText('USD amount from'));
  await user.type(screen.getByLabelText('Hours an account counts as new'), '24');
  await user.clear(screen.getByLabelText('Most codes per shopper in an hour'));
  await user.type(screen.getByLabelText('Countries payments should come from'), 'cn, hk');
  await user.selectOptions(screen.getByLabelText('When time is up'), 'Refund it');
  await user.click(screen.getByRole('checkbox', { name: 'Hold paid orders that match these rules' }));
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  expect(posts('hold-settings/save')[0]).toMatchObject({
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
