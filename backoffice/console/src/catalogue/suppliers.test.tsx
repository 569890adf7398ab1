import type { StaffSuppliedValue, StaffSupplier } from '@shop/backoffice/wire';
import { screen, within } from '@testing-library/react';
import { answers, openConsole, pageOf, posts, stubCalls } from '../testing/console';

const supplier: StaffSupplier = {
  name: 'north',
  margin_percent: 10,
  answered_at: '2026-11-01T08:00:00.000Z',
  failing_since: '2026-11-01T09:00:00.000Z',
  fault: 'north answered 503',
  asking: false,
};
const value: StaffSuppliedValue = {
  goods: 'genshin-uid',
  spec: '60',
  supplier: 'north',
  hold: 'cost',
  name: { 'zh-CN': '原神', en: 'Genshin' },
  spec_name: { 'zh-CN': '60 创世结晶', en: '60 crystals' },
  answered_at: '2026-11-01T08:00:00.000Z',
  prices: [
    { currency: 'CNY', price: '6.00', cost: '7.00', margin: -16.7 },
    { currency: 'USD', price: '0.99', cost: null, margin: null },
  ],
};

it('staff see since when a supplier does not answer, what holds a value, and ask again', async () => {
  await stubCalls('stock');
  answers['GET suppliers'] = [supplier];
  answers['GET suppliers/values?q=&page=1'] = pageOf([value]);
  answers['POST suppliers/ask'] = { done: true };
  const user = openConsole('suppliers');
  expect(await screen.findByText(/^No usable answer since .*8:00.*: north answered 503$/)).toBeVisible();
  expect(screen.getByText(/leaves less than 10 % of its price is off sale/)).toBeVisible();
  const [, row] = within(await screen.findByRole('table', { name: 'Values that suppliers deliver' })).getAllByRole(
    'row',
  );
  expect(row).toHaveTextContent('¥7.00 / Unknown');
  expect(row).toHaveTextContent('-16.7 % / Unknown');
  expect(row).toHaveTextContent('Off sale: costs too much');
  answers['GET suppliers'] = [{ ...supplier, asking: true }];
  await user.click(screen.getByRole('button', { name: 'Ask now' }));
  expect(await screen.findByRole('button', { name: 'Asking' })).toBeDisabled();
  expect(posts('suppliers/ask')[0]).toEqual({ name: 'north' });
});
