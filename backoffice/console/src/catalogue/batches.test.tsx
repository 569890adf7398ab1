import type { ListedBatch } from '@shop/backoffice/wire';
import { screen, waitFor, within } from '@testing-library/react';
import { answers, openConsole, posts, stubCalls } from '../testing/console';

const batch = (more: Partial<ListedBatch> = {}): ListedBatch => ({
  id: 7,
  name: '2026-11-29 #7',
  supplier: 'Kelp',
  by: 'Ann',
  at: '2026-11-29T08:00:00Z',
  imported: 9,
  sold: 3,
  reserved: 1,
  unsold: 2,
  expired: 1,
  voided: 2,
  values: ['steam/10'],
  cost: null,
  currency: 'CNY',
  exports: [],
  ...more,
});
const waiting = {
  id: 4,
  codes: 3,
  state: 'waiting' as const,
  reason: 'returned',
  by: 'Ben',
  at: '2026-11-29T09:00:00Z',
  mine: false,
  readable: false,
};

beforeEach(async () => {
  await stubCalls('stock');
  answers['POST batches/file'] = { csv: 'card_no' };
  URL.createObjectURL = () => 'blob:1';
  HTMLAnchorElement.prototype.click = () => {};
});

it('the list of batches shows what became of their codes, and exports that wait', async () => {
  answers['GET batches'] = [batch(), batch({ id: 6, name: 'June', cost: '8.50' })];
  answers['GET batches?waiting=true'] = [batch({ exports: [waiting] })];
  openConsole('stock/batches');
  const table = await screen.findByRole('table', { name: 'Batches of codes' });
  const cells = within(within(table).getByRole('row', { name: /^June/ })).getAllByRole('cell');
  expect(cells.slice(1).map((cell) => cell.textContent)).toEqual(['9', '3', '1', '2', '1', '2', '¥8.50']);
  expect(await screen.findByRole('table', { name: 'Exports that wait for a second colleague' })).toBeInTheDocument();
});

it.each([
  ['Void 3 unsold codes', 'void', { voided: 3 }, '3 codes voided', 0],
  ['Export 3 unsold codes', 'export', { id: 4, state: 'done', codes: 3 }, '3 codes exported', 1],
  ['Export 3 unsold codes', 'export', { id: 4, state: 'second', codes: 3 }, /second colleague/, 0],
])(
  'an action on a batch needs a reason, and reports its result: %s (%s, %j)',
  async (name, call, answer, text, files) => {
    answers['GET batches?id=7'] = [batch()];
    answers[`POST batches/${call}`] = answer;
    const user = openConsole('stock/batch/7');
    await user.click(await screen.findByRole('button', { name }));
    const dialog = await screen.findByRole('dialog', { name });
    const submit = within(dialog).getByRole('button', { name });
    expect(submit).toBeDisabled();
    await user.type(within(dialog).getByLabelText('Reason'), 'returned');
    await user.click(submit);
    expect(await screen.findByText(text)).toBeInTheDocument();
    expect(posts(`batches/${call}`)).toEqual([{ id: 7, reason: 'returned' }]);
    expect(posts('batches/file')).toEqual(Array(files).fill({ id: 4 }));
  },
);

it('a colleague approves or refuses an export that waits, and its requester withdraws it', async () => {
  answers['GET batches?id=7'] = [batch({ exports: [waiting, { ...waiting, id: 3, mine: true }] })];
  answers['POST batches/agree'] = { codes: 3 };
  answers['POST batches/refuse'] = { codes: 0 };
  const user = openConsole('stock/batch/7');
  expect(await screen.findByRole('button', { name: 'Export 3 unsold codes' })).toBeDisabled();
  expect(screen.getAllByRole('button', { name: 'Approve' })).toHaveLength(1);
  await user.click(screen.getByRole('button', { name: 'Withdraw' }));
  await waitFor(() => expect(posts('batches/refuse')).toEqual([{ id: 3 }]));
  await user.click(screen.getByRole('button', { name: 'Approve' }));
  const dialog = await screen.findByRole('alertdialog', { name: 'Export 3 unsold codes' });
  await user.click(within(dialog).getByRole('button', { name: 'Approve' }));
  await waitFor(() => expect(posts('batches/agree')).toEqual([{ id: 4 }]));
});
