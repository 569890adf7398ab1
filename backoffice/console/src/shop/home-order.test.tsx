import type { StaffListedBanner, StaffListedModule } from '@shop/backoffice/wire';
import { screen, waitFor, within } from '@testing-library/react';
import { answers, both, openConsole, posts, sent, stubCalls } from '../testing/console';
import { freshBanner, freshModule } from './home-forms';

const banners = (...keys: string[]): StaffListedBanner[] =>
  keys.map((key, index) => ({
    key,
    state: 'shown',
    value: { ...freshBanner, title: both(key.toUpperCase()), image: '/media/a.webp', sort: index + 1, shown: true },
  }));
const modules: StaffListedModule[] = [
  { key: 'new', state: 'shown', value: { ...freshModule, title: both('New'), sort: 90 } },
];

beforeEach(async () => {
  await stubCalls('stock');
  Object.assign(answers, { 'GET banners': banners('a', 'b', 'c'), 'GET modules': modules, 'GET categories': [] });
  location.hash = '#/home';
});
const list = () => screen.findByRole('table', { name: 'Banners' });
const names = async () =>
  within(await list())
    .getAllByRole('rowheader')
    .map((cell) => cell.textContent?.trim());
const button = (name: string) => screen.findByRole('button', { name });

it('a move in the list is saved at once, announces the place, and keeps the focus', async () => {
  const user = openConsole();
  answers['POST banners/order'] = { done: true };
  answers['GET banners'] = banners('a', 'b', 'c');
  const up = await button('Move C up');
  answers['GET banners'] = banners('a', 'c', 'b');
  await user.click(up);
  expect(await screen.findByText('C is now 2 of 3')).toHaveAttribute('role', 'status');
  await waitFor(async () => expect(await names()).toEqual(['A', 'C', 'B']));
  expect(await button('Move C up')).toHaveFocus();
  answers['GET banners'] = banners('c', 'a', 'b');
  await user.keyboard('{Enter}');
  await waitFor(async () => expect(await names()).toEqual(['C', 'A', 'B']));
  expect(await button('Move C up')).toBeDisabled();
  expect(await button('Move C down')).toHaveFocus();
  expect(posts('banners/order')).toEqual([
    { keys: ['a', 'c', 'b'], before: ['a', 'b', 'c'] },
    { keys: ['c', 'a', 'b'], before: ['a', 'c', 'b'] },
  ]);
});

it('the list shows the stored order if another user was first', async () => {
  const user = openConsole();
  const down = await button('Move A down');
  answers['POST banners/order'] = { code: 46030, message: 'Somebody else has saved changes' };
  answers['GET banners'] = banners('c', 'a', 'b', 'd');
  await user.click(down);
  expect(await screen.findByText('Somebody else has saved changes')).toBeInTheDocument();
  await waitFor(async () => expect(await names()).toEqual(['C', 'A', 'B', 'D']));
});

it('a new item is placed at the end of the list', async () => {
  answers['POST modules/save'] = { value: freshModule, revision: 'one' };
  const user = openConsole('home/new-module/module-1');
  await user.type(await screen.findByLabelText('Title (English)'), 'Last');
  await user.type(screen.getByLabelText('Title (Chinese)'), '最后');
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  const save = sent.find(({ call }) => call === 'POST modules/save');
  expect(save?.body).toMatchObject({
    revision: null,
    value: { sort: 100_000, title: { en: 'Last', 'zh-CN': '最后' } },
  });
});
