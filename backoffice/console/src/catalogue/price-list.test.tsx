import type { StaffPricesPreview } from '@shop/backoffice/wire';
import { screen, within } from '@testing-library/react';
import { answers, openConsole, posts, stubCalls } from '../testing/console';

const change: StaffPricesPreview['changes'][number] = {
  row: 2,
  goods: 'card',
  spec: 'a',
  name: 'Card',
  spec_name: 'Ten',
  before: { 'price.CNY': '10.00', 'original.USD': '2.00' },
  after: { 'price.CNY': '4.00', 'original.USD': null },
  'price.CNY': '4.00',
  'original.CNY': null,
  'price.USD': '1.50',
  'original.USD': null,
  'cost.CNY': '4.20',
  'cost.USD': null,
  buyers: [
    { level: null, currency: 'CNY', price: '4.00', margin: '-5.0' },
    { level: 'Gold', currency: 'USD', price: '1.42', margin: null },
  ],
};
const preview: StaffPricesPreview = {
  changes: [change],
  faults: [],
  fault_count: 0,
  unknown: ['Remark'],
  revision: 'r1',
};
const edit = { id: 7, at: '2026-11-29T10:00:00Z', by: 'Ann', values: 1, put_back: null };

beforeEach(async () => {
  await stubCalls('stock');
  Object.assign(answers, { 'GET prices/edits': [], 'POST prices/preview': preview });
  location.hash = '#/goods/prices/';
});
const upload = async () => {
  const user = openConsole();
  await screen.findByRole('button', { name: 'Choose a file' });
  const input = document.querySelector<HTMLInputElement>('input[type=file]') as HTMLInputElement;
  const file = new File(['goods,spec,price'], 'prices.csv', { type: 'text/csv' });
  // jsdom lacks it.
  await user.upload(input, Object.assign(file, { arrayBuffer: async () => new ArrayBuffer(16) }));
  return user;
};

it('an uploaded price list shows each change with who pays what, and is applied by its revision', async () => {
  const user = await upload();
  const row = within(await screen.findByRole('table', { name: '1 value changes' })).getAllByRole(
    'row',
  )[1] as HTMLElement;
  expect(row).toHaveTextContent('Card · Ten card a');
  expect(row).toHaveTextContent('Price ¥10.00 → ¥4.00Original price $2.00 → none');
  expect(row).toHaveTextContent('Everyone ¥4.00 · -5.0% margin Below costGold $1.42 Cost ¥4.20');
  expect(screen.getByText('Columns that are not read: Remark')).toBeInTheDocument();
  answers['POST prices/apply?revision=r1'] = { values: 1 };
  answers['GET prices/edits'] = [edit];
  await user.click(screen.getByRole('button', { name: 'Apply 1 change' }));
  expect(await screen.findByRole('row', { name: /Ann 1/ })).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: 'Apply 1 change' })).not.toBeInTheDocument();
});

it('a price list with faults names row, column and problem, and cannot be applied', async () => {
  const fault = { row: 3, column: 'Price (CNY)', kind: 'number', text: '-5' } as const;
  answers['POST prices/preview'] = { ...preview, faults: [fault], fault_count: 1 };
  await upload();
  const table = await screen.findByRole('table', { name: '1 error' });
  expect(within(table).getAllByRole('row')[1]).toHaveTextContent('3Price (CNY)-5Must be an amount');
  expect(screen.getByText(/Nothing was applied/)).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /^Apply/ })).not.toBeInTheDocument();
});

it('a price list that meets a conflict is previewed again', async () => {
  const user = await upload();
  const apply = await screen.findByRole('button', { name: 'Apply 1 change' });
  answers['POST prices/apply?revision=r1'] = { code: 46030, message: 'changed meanwhile' };
  answers['POST prices/preview'] = { ...preview, changes: [], revision: 'r2' };
  await user.click(apply);
  expect(await screen.findByText('changed meanwhile')).toBeInTheDocument();
  expect(screen.getByText('Nothing changes')).toBeInTheDocument();
});

it('an applied price list is undone after a question, and cannot be undone twice', async () => {
  answers['GET prices/edits'] = [edit];
  answers['POST prices/undo'] = { values: 1 };
  const user = openConsole();
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  answers['GET prices/edits'] = [{ ...edit, id: 8, put_back: 7 }, edit];
  await user.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Undo' }));
  expect(await screen.findByText('Undone')).toBeInTheDocument();
  expect(posts('prices/undo')[0]).toEqual({ id: 7 });
  expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1);
});
