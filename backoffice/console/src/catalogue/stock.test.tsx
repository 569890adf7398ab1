import type { ListedBatch, StaffStock, StaffSuppliedValue, StaffSupplier } from '@shop/backoffice/wire';
import { screen, waitFor, within } from '@testing-library/react';
import { answers, both, cellsOf, openConsole, pageOf, posts, savedFiles, stubCalls } from '../testing/console';

const stock = (more: Partial<StaffStock> = {}): StaffStock => ({
  goods: 'steam',
  spec: '10',
  name: both('Steam'),
  spec_name: both('$10'),
  codes: true,
  shared: false,
  pieces: 3,
  expiring: 0,
  low_stock: 10,
  low: true,
  ...more,
});

beforeEach(async () => {
  await stubCalls('stock');
  answers['GET stock/low'] = { count: 1 };
  answers['GET stock?q='] = [stock(), stock({ goods: 'psn', name: both('PSN'), low: false, pieces: 80, expiring: 2 })];
  answers['GET stock?q=steam'] = [stock()];
  answers['GET codes?goods=steam&spec=10&tail='] = [
    { id: 5, number: '••••AB12', created_at: '2026-11-22T00:00:00Z', expire_at: null },
  ];
});

it('the stock page shows low stock first, and the navigation shows how many specifications have it', async () => {
  openConsole('stock');
  expect(await screen.findByRole('row', { name: /^Steam · \$10/ })).toHaveTextContent(/3Low$/);
  expect(screen.getByRole('row', { name: /^PSN/ })).toHaveTextContent(/802 codes expire within 30 days$/);
  expect(await screen.findByRole('link', { name: /^Stock\s*1$/ })).toBeInTheDocument();
});

it('a code import sends its batch, keeps its text if the server refuses, and needs a new check after a change', async () => {
  const user = openConsole('stock/import');
  await user.type(await screen.findByLabelText('Codes'), 'goods,spec,card_no');
  await user.type(screen.getByLabelText('Supplier'), 'Kelp');
  await user.type(screen.getByLabelText('Cost per code'), '8.5');
  answers['POST codes/preview'] = { good: 1, faults: [], specs: [], rows: [] };
  await user.click(screen.getByRole('button', { name: 'Check' }));
  const take = await screen.findByRole('button', { name: 'Import 1' });
  answers['POST codes/import'] = { code: 46071, message: 'nothing was imported' };
  await user.click(take);
  expect(await screen.findByRole('alert')).toHaveTextContent('nothing was imported');
  const batch = { name: '', supplier: 'Kelp', cost: '8.5', currency: 'CNY' };
  expect(posts('codes/import')).toMatchObject([{ batch }]);
  await user.type(screen.getByLabelText('Codes'), '!');
  expect(screen.getByLabelText('Codes')).toHaveValue('goods,spec,card_no!');
  expect(screen.getByRole('button', { name: 'Check' })).toBeInTheDocument();
});

it('a code import shows how the first codes are read, and imports known numbers only after a confirmation', async () => {
  const user = openConsole('stock/import');
  const box = await screen.findByLabelText('Codes');
  await user.type(box, 'x');
  const rows = [
    { line: 1, card_no: 'A1', card_pwd: 'p1', expire_at: '2027-01-31T16:00:00Z' },
    { line: 3, card_no: 'B2', card_pwd: '', expire_at: null },
  ];
  const preview = { good: 2, faults: [{ line: 2, kind: 'number' }], specs: [], rows };
  answers['POST codes/preview'] = preview;
  await user.click(screen.getByRole('button', { name: 'Check' }));
  const table = await screen.findByRole('table', { name: 'How the first codes are read' });
  expect(table).toHaveTextContent(/^LineNumberPasswordValid until/);
  expect(cellsOf(table)).toEqual([
    ['1', 'A1', 'p1', expect.stringContaining('2027')],
    ['3', 'B2', '—', '—'],
  ]);
  await user.click(screen.getByRole('checkbox', { name: /^Also import codes whose number exists/ }));
  await user.click(screen.getByRole('button', { name: 'Check' }));
  expect(posts('codes/preview').at(-1)).toMatchObject({ text: 'x', same_numbers: true });
  await user.type(box, 'y');
  expect(screen.queryByRole('checkbox')).not.toBeInTheDocument();
});

it('the stock page finds codes by their end, and voids selected ones with a reason, none that a new search has hidden', async () => {
  const code = (id: number, number: string) => ({ id, number, created_at: '2026-11-22T00:00:00Z', expire_at: null });
  answers['GET codes?goods=steam&spec=10&tail=CD34'] = [code(6, '••••CD34')];
  answers['POST codes/void'] = { done: true };
  const user = openConsole('stock/of/steam/10');
  await user.click(await screen.findByRole('checkbox', { name: /••••AB12/ }));
  await user.type(screen.getByLabelText('Ends with'), 'CD34{Enter}');
  expect(screen.getByLabelText('Ends with')).toHaveValue('CD34');
  const chosen = await screen.findByRole('checkbox', { name: /••••CD34/ });
  expect(screen.getByRole('button', { name: 'Void selected' })).toBeDisabled();
  await user.click(chosen);
  await user.click(screen.getByRole('button', { name: 'Void 1 code' }));
  const dialog = await screen.findByRole('dialog', { name: 'Void 1 code?' });
  const submit = within(dialog).getByRole('button', { name: 'Void 1 code' });
  expect(submit).toBeDisabled();
  await user.type(within(dialog).getByLabelText('Reason'), 'leaked');
  await user.click(submit);
  expect(posts('codes/void')).toEqual([{ ids: [6], reason: 'leaked' }]);
});

describe('a shared code', () => {
  const get = 'GET codes/shared?goods=steam&spec=10';
  const shared = { shared: true, stock: 7, has_text: true };
  beforeEach(() => {
    answers['POST codes/share'] = { done: true };
  });

  it('a shared code opens by a click, and is sent with its text and its pieces', async () => {
    answers[get] = { shared: false, stock: null, has_text: false };
    const user = openConsole('stock/of/steam/10');
    await user.click(await screen.findByRole('button', { name: 'Sell a shared code instead' }));
    await user.type(await screen.findByLabelText('Content'), 'one{Enter}two');
    await user.type(screen.getByLabelText('Pieces to sell'), '5');
    await user.click(screen.getByRole('button', { name: 'Save shared code' }));
    const place = { goods: 'steam', spec: '10' };
    expect(posts('codes/share')).toEqual([{ ...place, text: 'one\ntwo', stock: 5 }]);
  });

  it('a shared code replaces single codes, loads its text on request only, keeps the input after a refusal, and ends after a confirmation', async () => {
    answers['GET stock?q=steam'] = [stock({ codes: false, shared: true, pieces: 7 })];
    answers[get] = shared;
    Object.assign(answers, { 'POST codes/read': { text: 'the first' }, 'POST codes/unshare': { done: true } });
    const user = openConsole('stock/of/steam/10');
    const text = await screen.findByLabelText('New content');
    expect(text).toHaveValue('');
    expect(screen.queryByRole('heading', { name: 'Import codes' })).not.toBeInTheDocument();
    expect(screen.queryByRole('heading', { name: 'Unsold codes' })).not.toBeInTheDocument();
    expect(screen.queryByLabelText('Pieces to sell')).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'View content' }));
    expect(text).toHaveValue('the first');
    expect(screen.getByRole('button', { name: 'View content' })).toBeDisabled();
    answers['POST codes/share'] = { code: 46030, message: 'somebody else has saved' };
    await user.type(text, '!');
    await user.click(screen.getByRole('button', { name: 'Save shared code' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('somebody else has saved');
    expect(text).toHaveValue('the first!');
    answers['POST codes/share'] = { done: true };
    await user.clear(text);
    await user.click(screen.getByRole('checkbox', { name: 'Remove the limit' }));
    await user.click(screen.getByRole('button', { name: 'Save shared code' }));
    const place = { goods: 'steam', spec: '10' };
    expect(posts('codes/share')).toEqual([
      { ...place, text: 'the first!' },
      { ...place, stock: null },
    ]);
    await user.click(screen.getByRole('button', { name: 'Stop selling it' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Stop selling this shared code?' });
    await user.click(within(dialog).getByRole('button', { name: 'Stop selling it' }));
    expect(posts('codes/unshare')).toEqual([place]);
  });

  it('a shared code without a limit says so, and has no counter to change', async () => {
    answers['GET stock?q=steam'] = [stock({ codes: false, shared: true, pieces: null, low: false })];
    answers[get] = { ...shared, stock: null };
    openConsole('stock/of/steam/10');
    expect(await screen.findByText('Unlimited')).toBeInTheDocument();
    expect(await screen.findByLabelText('Pieces to sell')).toBeInTheDocument();
    expect(screen.queryByLabelText('Add or remove units')).not.toBeInTheDocument();
  });
});

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
    answers['POST batches/file'] = { csv: 'card_no' };
    answers[`POST batches/${call}`] = answer;
    savedFiles();
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

const supplier: StaffSupplier = {
  name: 'north',
  margin_percent: 10,
  answered_at: '2026-11-01T08:00:00.000Z',
  failing_since: '2026-11-01T09:00:00.000Z',
  fault: 'north answered 503',
  asking: false,
};
const supplied: StaffSuppliedValue = {
  goods: 'genshin-uid',
  spec: '60',
  supplier: 'north',
  hold: 'cost',
  name: both('Genshin'),
  spec_name: both('60 crystals'),
  answered_at: '2026-11-01T08:00:00.000Z',
  prices: [
    { currency: 'CNY', price: '6.00', cost: '7.00', margin: -16.7 },
    { currency: 'USD', price: '0.99', cost: null, margin: null },
  ],
};

it('staff see since when a supplier does not answer, what holds a value, and ask again', async () => {
  answers['GET suppliers'] = [supplier];
  answers['GET suppliers/values?q=&page=1'] = pageOf([supplied]);
  answers['POST suppliers/ask'] = { done: true };
  const user = openConsole('suppliers');
  expect(await screen.findByText(/^No usable answer since .*8:00.*: north answered 503$/)).toBeVisible();
  expect(screen.getByText(/leaves less than 10 % of its price is off sale/)).toBeVisible();
  const table = await screen.findByRole('table', { name: 'Values that suppliers deliver' });
  const margins = ['¥7.00 / Unknown', '¥6.00 / $0.99', '-16.7 % / Unknown', 'Off sale: costs too much'];
  expect(cellsOf(table)[0]?.slice(1)).toEqual(margins);
  answers['GET suppliers'] = [{ ...supplier, asking: true }];
  await user.click(screen.getByRole('button', { name: 'Ask now' }));
  expect(await screen.findByRole('button', { name: 'Asking' })).toBeDisabled();
  expect(posts('suppliers/ask')[0]).toEqual({ name: 'north' });
});
