import type { StaffListedBanner, StaffListedModule } from '@shop/backoffice/wire';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { openConsole, type Sent, stubCalls } from '../testing/console';
import { freshBanner } from './banner-form';
import { freshModule } from './module-form';

const both = (text: string) => ({ 'zh-CN': text, en: text });
const banners = (...keys: string[]): StaffListedBanner[] =>
  keys.map((key, index) => ({
    key,
    state: 'shown',
    value: { ...freshBanner, title: both(key.toUpperCase()), image: '/media/a.webp', sort: index + 1, shown: true },
  }));
const modules: StaffListedModule[] = [
  { key: 'new', state: 'shown', value: { ...freshModule, title: both('New'), sort: 90 }, names: {} },
];

let answers: Record<string, unknown>;
let sent: Sent[];
beforeEach(async () => {
  ({ answers, sent } = await stubCalls('stock'));
  Object.assign(answers, { 'GET banners': banners('a', 'b', 'c'), 'GET modules': modules, 'GET categories': [] });
  answers['GET stock/low'] = { count: 0 };
  location.hash = '#/home';
});
const list = () => screen.findByRole('table', { name: 'Banners' });
const names = async () =>
  within(await list())
    .getAllByRole('rowheader')
    .map((one) => one.textContent?.trim());
const handle = (name: string) => screen.findByRole('button', { name: new RegExp(`^Move ${name}, now`) });
const orders = () => sent.filter(({ call }) => call === 'POST banners/order').map(({ body }) => body);

it('changes the order by the arrow keys of a handle, which keeps the focus and says the place, and saves it by Ctrl Enter', async () => {
  const user = openConsole();
  (await handle('A')).focus();
  await user.keyboard('{ArrowDown}');
  expect(await names()).toEqual(['B', 'A', 'C']);
  expect(screen.getByText('A is now 2 of 3')).toHaveAttribute('role', 'status');
  expect(await handle('A')).toHaveFocus();
  await user.keyboard('{End}{ArrowDown}');
  expect(await names()).toEqual(['B', 'C', 'A']);
  expect(orders()).toEqual([]);
  answers['POST banners/order'] = { done: true };
  answers['GET banners'] = banners('b', 'c', 'a');
  await user.keyboard('{Control>}{Enter}{/Control}');
  await screen.findByText('Order saved');
  expect(orders()).toEqual([{ keys: ['b', 'c', 'a'], before: ['a', 'b', 'c'] }]);
  await waitFor(() => expect(screen.queryByRole('button', { name: /^Save order/ })).toBeNull());
});

it('changes it by buttons, which keep the focus, and takes it back', async () => {
  const user = openConsole();
  await user.click(await screen.findByRole('button', { name: 'Move C up' }));
  expect(screen.getByRole('button', { name: 'Move C up' })).toHaveFocus();
  await user.keyboard('{Enter}');
  expect(await names()).toEqual(['C', 'A', 'B']);
  // Its button has nothing more to do.
  expect(await handle('C')).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(await names()).toEqual(['A', 'B', 'C']);
  expect(screen.queryByRole('button', { name: /^Save order/ })).toBeNull();
});

it('changes it by dragging, and not when the drag is broken off', async () => {
  openConsole();
  const rows = within(await list())
    .getAllByRole('row')
    .slice(1);
  for (const [index, row] of rows.entries())
    row.getBoundingClientRect = () => ({ top: 100 * index, height: 100 }) as DOMRect;
  // jsdom has no pointer events.
  const point = (target: HTMLElement, type: string, clientY: number) =>
    fireEvent(target, new MouseEvent(type, { bubbles: true, clientY }));
  const drag = async () => {
    const grip = await handle('A');
    grip.setPointerCapture = () => {};
    point(grip, 'pointerdown', 50);
    point(grip, 'pointermove', 260);
    return grip;
  };
  const broken = await drag();
  fireEvent.keyDown(broken, { key: 'Escape' });
  point(broken, 'pointerup', 260);
  expect(await names()).toEqual(['A', 'B', 'C']);
  point(await drag(), 'pointerup', 260);
  expect(await names()).toEqual(['B', 'C', 'A']);
});

it('says when somebody else has changed the order, keeps what was wanted, and saves it upon theirs', async () => {
  const user = openConsole();
  await user.click(await screen.findByRole('button', { name: 'Move A down' }));
  answers['POST banners/order'] = { code: 46030, message: 'Somebody else has saved changes' };
  answers['GET banners'] = banners('c', 'a', 'b', 'd');
  await user.click(screen.getByRole('button', { name: /^Save order/ }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Somebody else has saved changes');
  await waitFor(async () => expect(await names()).toEqual(['B', 'A', 'C', 'D']));
  answers['POST banners/order'] = { done: true };
  await user.click(screen.getByRole('button', { name: /^Save order/ }));
  await screen.findByText('Order saved');
  expect(orders().at(-1)).toEqual({ keys: ['b', 'a', 'c', 'd'], before: ['c', 'a', 'b', 'd'] });
});

it('puts a new one at the end', async () => {
  location.hash = '#/home/new-module/module-1';
  answers['POST modules/save'] = { value: freshModule, revision: 'one' };
  const user = openConsole();
  await user.type(await screen.findByLabelText('Title (English)'), 'Last');
  await user.type(screen.getByLabelText('Title (Chinese)'), '最后');
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  const save = sent.find(({ call }) => call === 'POST modules/save');
  expect(save?.body).toMatchObject({ revision: null, value: { sort: 100, title: { en: 'Last', 'zh-CN': '最后' } } });
});

it('has the home page of the shop in a frame in which nothing runs, in the language and theme of the console', async () => {
  const user = openConsole();
  const frame = () => screen.findByTitle('The home page on a phone');
  expect(await frame()).toHaveAttribute('sandbox', 'allow-same-origin');
  expect(await frame()).toHaveAttribute('src', '/staff/preview/home?lang=en&theme=light');
  await user.click(screen.getByRole('checkbox', { name: 'Dark' }));
  expect(await frame()).toHaveAttribute('src', '/staff/preview/home?lang=en&theme=dark');
});

it('says when the shop has no home page to show, and asks for it again', async () => {
  const user = openConsole();
  // What came is no document of the shop.
  fireEvent.load(await screen.findByTitle('The home page on a phone'));
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByTitle('The home page on a phone')).toBeInTheDocument();
});
