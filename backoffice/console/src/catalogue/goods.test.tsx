import type { StaffGoods, StaffListedGoods } from '@shop/backoffice/wire';
import { screen, waitFor, within } from '@testing-library/react';
import { answers, both, cellsOf, hostile, openConsole, pageOf, posts, stubCalls } from '../testing/console';
import { freshGoods } from './goods-fields';

const spec = {
  key: 'a',
  name: both('ten'),
  face_value: '10',
  prices: { CNY: '10.00', USD: '1.50' },
  original_prices: { CNY: '10.00', USD: '2.00' },
  max_qty: 9,
};
const goods: StaffGoods = {
  ...freshGoods('games'),
  name: { 'zh-CN': '原神', en: hostile },
  recharge_type: 2,
  stock_type: '91',
  tags: [both('hot')],
  specs: [spec],
  fields: [{ key: 'uid', label: both('Account'), type: 'text', required: true, remember: true, pattern: '\\d+' }],
  sort: 3,
};
const listed: StaffListedGoods = {
  key: 'genshin',
  name: goods.name,
  image: '',
  status: 2,
  recharge_type: 1,
  prices: [{ currency: 'CNY', price: '10.00' }],
  stock: 7,
  updated_at: '2026-11-22T00:00:00Z',
};

beforeEach(async () => {
  await stubCalls('stock');
  answers['GET categories'] = [{ key: 'games', name: both('Games') }];
  answers['GET goods/genshin'] = { value: goods, revision: 'one' };
});
const findPrice = () => screen.findByLabelText('Value 1 10 · Price (CNY)');

it('the product list shows state, price and stock, can be searched, and shows hostile names as text', async () => {
  answers['GET goods?q=&page=1'] = pageOf([listed], { total: 2, limit: 1, has_more: true, next: '1.2' });
  const second = { ...listed, key: 'second' };
  answers['GET goods?q=&page=2&cursor=1.2'] = pageOf([listed, second], { page: 2, limit: 2 });
  answers['GET goods?q=gen&page=1'] = pageOf([]);
  const user = openConsole();
  const table = await screen.findByRole('table', { name: 'Products' });
  const [, row] = within(table).getAllByRole('row');
  expect(row).toHaveTextContent(`${hostile}genshin¥10.007Hidden`);
  expect(within(table).getByRole('link')).toHaveAttribute('href', '#/goods/edit/genshin');
  expect(document.querySelector('img')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show more' }));
  await waitFor(() => expect(within(table).getAllByRole('row')).toHaveLength(3));
  await user.type(screen.getByLabelText('Search products'), 'gen{Enter}');
  expect(await screen.findByText('No products found')).toBeInTheDocument();
});

it('a product list that does not load says so, not that there are no products, and loads again on request', async () => {
  answers['GET goods?q=&page=1'] = { code: 500, message: 'The server is busy' };
  const user = openConsole();
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(screen.queryByText('No products found')).not.toBeInTheDocument();
  answers['GET goods?q=&page=1'] = pageOf([listed]);
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('row', { name: /genshin/ })).toBeInTheDocument();
});

it('the product form saves the whole product with the changes, also by Ctrl Enter, and keeps hidden fields', async () => {
  const user = openConsole('goods/edit/genshin');
  const price = await findPrice();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent(`${hostile} genshin`);
  const save = screen.getByRole('button', { name: /^Save/ });
  expect(save).toBeDisabled();
  await user.clear(price);
  await user.type(price, '9.5');
  expect(screen.getByLabelText('Value 1 10 · Original price (CNY)')).toHaveValue('9.5');
  const original = screen.getByLabelText('Value 1 10 · Original price (USD)');
  await user.clear(screen.getByLabelText('Value 1 10 · Price (USD)'));
  expect(original).toHaveValue('2.00');
  await user.clear(original);
  await user.type(screen.getByLabelText('Tags'), '{Enter}新 | new');
  const value = {
    ...goods,
    tags: [...goods.tags, { 'zh-CN': '新', en: 'new' }],
    specs: [{ ...spec, prices: { CNY: '9.5' }, original_prices: { CNY: '9.5' } }],
  };
  answers['POST goods/save'] = { value, revision: 'two' };
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(posts('goods/save')).toEqual([{ key: 'genshin', revision: 'one', value }]);
  expect(save).toBeDisabled();
});

it('a copy of a product is a marked draft off sale under its own key, saved as a new product', async () => {
  answers['GET goods/genshin'] = { value: { ...goods, status: 1 }, revision: 'one' };
  const user = openConsole('goods/edit/genshin');
  await user.click(await screen.findByRole('button', { name: 'Copy this product' }));
  await user.type(await screen.findByLabelText('Product key'), 'second{Enter}');
  expect(await screen.findByDisplayValue('原神（副本）')).toBeInTheDocument();
  answers['POST goods/save'] = { value: goods, revision: 'two' };
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  const name = { 'zh-CN': '原神（副本）', en: `${hostile} (copy)` };
  expect(posts('goods/save')).toEqual([{ key: 'second', revision: null, value: { ...goods, name, status: 2 } }]);
});

it('the product form folds existing specifications, and opens a new one and one with a wrong field', async () => {
  answers['POST goods/save'] = { code: 40001, data: { errors: { 'value.specs.0.key': 'Taken' } } };
  const user = openConsole('goods/edit/genshin');
  const first = await screen.findByRole('group', { name: 'Value 1 10' });
  expect(first).not.toHaveAttribute('open');
  await user.click(screen.getByRole('button', { name: 'Add a value' }));
  const second = screen.getByRole('group', { name: 'Value 2' });
  expect(second).toHaveAttribute('open');
  const table = within(screen.getByRole('table', { name: 'Prices of all values' }));
  expect(table.getAllByRole('rowheader').map((head) => head.textContent)).toEqual(['Value 1 10', 'Value 2']);
  await user.type(table.getByLabelText('Value 2 · Price (USD)'), '3.20');
  expect(table.getByLabelText('Value 2 · Original price (USD)')).toHaveValue('3.20');
  await user.click(within(second).getByRole('button', { name: 'Remove' }));
  expect(first).not.toHaveAttribute('open');
  await user.type(screen.getByLabelText('Name (English)'), ' 2');
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  await waitFor(() => expect(first).toHaveAttribute('open'));
  expect(screen.getByText('Value 1 · Key: Taken')).toBeInTheDocument();
  expect(screen.getByLabelText('Name (English)')).toHaveValue(`${hostile} 2`);
  expect(within(first).getByLabelText('Key')).toHaveFocus();
});

it('on a conflict the product form shows the other user’s changes beside one’s own, merges both, and saves the result', async () => {
  const theirs = { ...goods, name: { ...goods.name, 'zh-CN': '原神二' }, sort: 8 };
  answers['POST goods/save'] = { code: 46030, data: { value: theirs, revision: 'two', by: 'Ben (staff)', at: null } };
  const user = openConsole('goods/edit/genshin');
  const name = await screen.findByLabelText('Name (English)');
  await user.clear(name);
  await user.type(name, 'Mine');
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  const conflict = await screen.findByRole('region', { name: 'Ben saved changes first' });
  expect(cellsOf(conflict)).toEqual([
    ['Name (Chinese)', '原神', '原神二', '原神'],
    ['Name (English)', hostile, hostile, 'Mine'],
    ['Position', '3', '8', '3'],
  ]);
  await user.click(screen.getByRole('button', { name: 'Keep my changes' }));
  const value = { ...theirs, name: { 'zh-CN': '原神二', en: 'Mine' } };
  answers['POST goods/save'] = { value, revision: 'three' };
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  expect(posts('goods/save').at(-1)).toEqual({ key: 'genshin', revision: 'two', value });
  expect(screen.queryByRole('alert')).toBeNull();
});

it('an entry of the product’s history can be restored', async () => {
  answers['GET goods/genshin/history'] = [
    { id: 7, at: '2026-11-22T00:00:00Z', by: 'Ben (staff)', before: { sort: 1 }, after: { sort: 3 }, put_back: null },
  ];
  answers['POST goods/put-back'] = { value: { ...goods, sort: 1 }, revision: 'two' };
  const user = openConsole('goods/edit/genshin');
  await user.click(await screen.findByText('History'));
  await user.click(await screen.findByRole('button', { name: 'Restore' }));
  const dialog = await screen.findByRole('alertdialog');
  expect(dialog).toHaveTextContent('Position');
  await user.click(within(dialog).getByRole('button', { name: 'Restore' }));
  await waitFor(() => expect(screen.getByLabelText('Position')).toHaveValue('1'));
  const body = { key: 'genshin', revision: 'one', entry: 7 };
  expect(posts('goods/put-back')[0]).toEqual(body);
});

describe('unsaved edits of a product', () => {
  const name = () => screen.findByLabelText('Name (English)');
  const edit = async () => {
    const user = openConsole('goods/edit/genshin');
    await user.type(await name(), '!');
    return user;
  };
  it('unsaved edits of a product survive a link, a page key and the Back button', async () => {
    const user = await edit();
    const leave = [
      () => user.click(screen.getByRole('link', { name: 'My account' })),
      async () => {
        (document.activeElement as HTMLElement).blur();
        await user.keyboard('/');
      },
    ];
    for (const way of leave) {
      await way();
      await waitFor(() => expect(screen.queryByLabelText('Name (English)')).toBeNull());
      expect(screen.queryByRole('alertdialog')).toBeNull();
      history.back();
      expect(await name()).toHaveValue(`${hostile}!`);
    }
    await user.click(screen.getByRole('button', { name: 'Discard changes' }));
    expect(await name()).toHaveValue(hostile);
  });

  it('unsaved edits of a product ask for confirmation when the tab closes or the user signs out', async () => {
    const user = await edit();
    await user.click(screen.getByRole('link', { name: 'My account' }));
    const closing = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
    await screen.findByRole('heading', { name: 'My account' });
    expect(closing()).toBe(true);
    await user.click(screen.getByRole('button', { name: 'Sign out' }));
    const question = await screen.findByRole('alertdialog', { name: 'Sign out and discard unsaved changes?' });
    await user.click(within(question).getByRole('button', { name: 'Sign out' }));
    expect(await screen.findByRole('heading', { name: 'Sign in to the staff console' })).toBeInTheDocument();
    expect(closing()).toBe(false);
  });

  it.each([
    ['survive the end of the session when the same user signs in again', 'Ann', `${hostile}!`],
    ['are not shown to another staff member', 'Ben', hostile],
  ])('unsaved edits of a product %s', async (_title, staff, value) => {
    const user = await edit();
    answers['POST goods/save'] = { code: 401 };
    await user.click(screen.getByRole('button', { name: /^Save/ }));
    answers['POST session'] = { name: staff, role: 'stock', way: 'password' };
    await user.type(await screen.findByLabelText('Name'), staff);
    await user.type(screen.getByLabelText('Password'), 'secret');
    await user.type(screen.getByLabelText('Code'), '123456');
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    expect(await name()).toHaveValue(value);
  });
});
