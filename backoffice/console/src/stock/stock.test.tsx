import type { StaffStock } from '@shop/backoffice/wire';
import { screen, within } from '@testing-library/react';
import { openConsole, type Sent, stubCalls } from '../testing/console';

const texts = (text: string) => ({ 'zh-CN': text, en: text });
const stock = (more: Partial<StaffStock> = {}): StaffStock => ({
  goods: 'steam',
  spec: '10',
  name: texts('Steam'),
  spec_name: texts('$10'),
  codes: true,
  pieces: 3,
  expiring: 0,
  low_stock: 10,
  low: true,
  ...more,
});

let answers: Record<string, unknown>;
let sent: Sent[];
beforeEach(async () => {
  ({ answers, sent } = await stubCalls('stock'));
  answers['GET stock/low'] = { count: 1 };
  answers['GET stock?q='] = [stock(), stock({ goods: 'psn', name: texts('PSN'), low: false, pieces: 80, expiring: 2 })];
  answers['GET stock?q=steam'] = [stock()];
  answers['GET codes?goods=steam&spec=10&tail='] = [
    { id: 5, number: '••••AB12', created_at: '2026-11-22T00:00:00Z', expire_at: null },
  ];
});
const posts = (call: string) => sent.filter((one) => one.call === `POST ${call}`).map(({ body }) => body);

it('shows what runs out first, and how many do in the navigation', async () => {
  location.hash = '#/stock';
  openConsole();
  const row = await screen.findByRole('row', { name: /^Steam · \$10/ });
  const cells = (of: HTMLElement) =>
    within(of)
      .getAllByRole('cell')
      .map((one) => one.textContent);
  expect(cells(row)).toEqual(['3', 'Low']);
  expect(cells(screen.getByRole('row', { name: /^PSN/ }))).toEqual(['80', '2 codes expire within 30 days']);
  expect(await screen.findByRole('link', { name: /^Stock\s*1$/ })).toBeInTheDocument();
});

it('checks again after the text has changed, and keeps it when the server refuses', async () => {
  location.hash = '#/stock/import';
  const user = openConsole();
  await user.type(await screen.findByLabelText('Codes'), 'goods,spec,card_no');
  answers['POST codes/preview'] = { good: 1, faults: [], specs: [], unlike: [] };
  await user.click(screen.getByRole('button', { name: 'Check' }));
  const take = await screen.findByRole('button', { name: 'Import 1' });
  answers['POST codes/import'] = { code: 46071, message: 'nothing was imported' };
  await user.click(take);
  expect(await screen.findByRole('alert')).toHaveTextContent('nothing was imported');
  await user.type(screen.getByLabelText('Codes'), '!');
  expect(screen.getByLabelText('Codes')).toHaveValue('goods,spec,card_no!');
  expect(screen.getByRole('button', { name: 'Check' })).toBeInTheDocument();
});

it('finds codes by their end, and voids chosen ones with a reason only', async () => {
  location.hash = '#/stock/of/steam/10';
  answers['GET codes?goods=steam&spec=10&tail=AB12'] = answers['GET codes?goods=steam&spec=10&tail='];
  answers['GET codes?goods=steam&spec=10&tail='] = [];
  const user = openConsole();
  await user.type(await screen.findByLabelText('Ends with'), 'AB12{Enter}');
  expect(screen.getByLabelText('Ends with')).toHaveValue('AB12');
  const chosen = await screen.findByRole('checkbox', { name: /••••AB12/ });
  expect(screen.getByRole('button', { name: 'Void selected' })).toBeDisabled();
  await user.click(chosen);
  await user.click(screen.getByRole('button', { name: 'Void 1 code' }));
  const dialog = await screen.findByRole('dialog', { name: 'Void 1 code?' });
  const submit = within(dialog).getByRole('button', { name: 'Void 1 code' });
  expect(submit).toBeDisabled();
  await user.type(within(dialog).getByLabelText('Reason'), 'taken back');
  answers['POST codes/void'] = { done: true };
  await user.click(submit);
  expect(posts('codes/void')).toEqual([{ ids: [5], reason: 'taken back' }]);
});

it('asks about codes that look different before it imports them, and anew when the text changes', async () => {
  location.hash = '#/stock/import';
  const user = openConsole();
  const text = await screen.findByLabelText('Codes');
  await user.type(text, 'AAAA-1111{Enter}bad');
  answers['POST codes/preview'] = { good: 2, faults: [], specs: [], unlike: [2] };
  answers['POST codes/import'] = { added: 2, left_out: 0 };
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(await screen.findByText(/^Line 2 doesn’t look like the codes of this value/)).toBeInTheDocument();
  const take = () => screen.getByRole('button', { name: 'Import 2' });
  expect(take()).toBeDisabled();
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(posts('codes/import')).toEqual([]);
  const sure = () => screen.getByRole('checkbox', { name: 'I’ve checked; import anyway' });
  await user.click(sure());
  await user.type(text, '!');
  await user.click(screen.getByRole('button', { name: 'Check' }));
  await screen.findByText(/^Line 2 doesn’t/);
  expect(sure()).not.toBeChecked();
  await user.click(sure());
  await user.click(take());
  expect(posts('codes/import')).toEqual([expect.objectContaining({ text: 'AAAA-1111\nbad!', only_good: false })]);
});
