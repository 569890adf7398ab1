import type {
  StaffCoupon,
  StaffHoldSettings,
  StaffLevel,
  StaffListedBanner,
  StaffListedCoupon,
  StaffListedModule,
  StaffModule,
  StaffModuleItem,
} from '@shop/backoffice/wire';
import { screen, waitFor, within } from '@testing-library/react';
import { freshCoupon } from '../catalogue/coupons-page';
import { answers, both, cellsOf, hostile, openConsole, pageOf, posts, stubCalls } from '../testing/console';
import { freshBanner, freshModule } from './home-forms';

const coupon: StaffCoupon = {
  ...freshCoupon,
  name: both(hostile),
  amounts: { CNY: { reduce_price: '2.00', min_price: '10.00' }, USD: null },
  goods: ['card'],
  total: 10,
};
const listed = (over: Partial<StaffListedCoupon> = {}): StaffListedCoupon => ({
  key: 'ten',
  state: 'open',
  claimed: 3,
  used: 1,
  value: coupon,
  ...over,
});

beforeEach(async () => {
  await stubCalls('stock');
  answers['GET goods?q=&page=1'] = pageOf([]);
  answers['GET categories'] = [{ key: 'games', name: both('Games') }];
});

it('the coupon list shows the discounts and how many coupons were claimed and used', async () => {
  const percent = { ...coupon, coupon_type: 20 as const, percent: 85, total: null };
  answers['GET coupons'] = [
    listed(),
    listed({ key: 'percent', state: 'ended', value: { ...percent, name: both('B') } }),
  ];
  openConsole('coupons');
  expect(cellsOf(await screen.findByRole('table', { name: 'Coupons' }))).toEqual([
    [hostile, '¥2.00 off from ¥10.00', '3 of 10', '1', 'Open'],
    ['B', '15% off from ¥10.00', '3', '1', 'Ended'],
  ]);
  expect(document.querySelector('img')).toBeNull();
});

it('a coupon is created for chosen products, with a percentage and an amount in each currency', async () => {
  answers['GET coupons'] = [];
  answers['GET goods?q=gen&page=1'] = pageOf([{ key: 'genshin', name: both('Genshin') }]);
  const user = openConsole('coupons/new/coupon-0a1b2c3d');
  await user.type(await screen.findByLabelText('Name (Chinese)'), '八五折');
  await user.type(screen.getByLabelText('Name (English)'), '15% off');
  await user.selectOptions(screen.getByLabelText('Kind'), 'Percentage off');
  await user.type(screen.getByLabelText('The buyer pays (%)'), '85');
  await user.click(screen.getByLabelText('For orders in USD'));
  await user.clear(screen.getByLabelText('Minimum spend (USD)'));
  await user.type(screen.getByLabelText('Minimum spend (USD)'), '4.5');
  await user.type(screen.getByLabelText('Add a product'), 'gen');
  await user.click(await screen.findByRole('button', { name: 'Genshin · genshin' }));
  await user.type(screen.getByLabelText('Redemption code'), 'SAVE15');
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  expect(posts('coupons/save')).toEqual([
    {
      key: 'coupon-0a1b2c3d',
      revision: null,
      value: expect.objectContaining({
        name: { 'zh-CN': '八五折', en: '15% off' },
        coupon_type: 20,
        percent: 85,
        amounts: {
          CNY: { reduce_price: '', min_price: '0' },
          USD: { reduce_price: '', min_price: '4.5' },
        },
        goods: ['genshin'],
        redeem_code: 'SAVE15',
      }),
    },
  ]);
});

it('the form of a claimed coupon keeps its terms, and can end the claims', async () => {
  answers['GET coupons'] = [listed()];
  answers['GET coupons/ten'] = { value: coupon, revision: 'one' };
  const user = openConsole('coupons/edit/ten');
  expect(await screen.findByText(/3 people have claimed it/)).toBeInTheDocument();
  expect(screen.getByLabelText('Amount off (CNY)')).toBeDisabled();
  expect(screen.getByLabelText('Total coupons')).toBeEnabled();
  await user.click(screen.getByRole('button', { name: 'Stop claims now' }));
  const before = Date.now();
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  const [{ value, revision }] = posts('coupons/save') as [{ value: StaffCoupon; revision: string }];
  expect(revision).toBe('one');
  expect(Math.abs(Date.parse(value.claim_until ?? '') - before)).toBeLessThan(5000);
});

const level: StaffLevel = {
  name: both(hostile),
  active: true,
  rank: 2,
  percent: 90,
  thresholds: { CNY: '500.00', USD: '70.00' },
  period_days: 90,
  prices: [{ goods: 'card', spec: 'a', prices: { CNY: '9.00' } }],
};

it('the list of levels shows costs, thresholds and members', async () => {
  answers['GET levels'] = [
    { key: 'one', given: 0, value: { ...level, active: false, prices: [], thresholds: {}, period_days: null } },
    { key: 'two', given: 3, value: level },
  ];
  openConsole('levels');
  expect(cellsOf(await screen.findByRole('table', { name: 'Levels' }))).toEqual([
    [hostile, 'pays 90%', 'Assigned by staff only', '0', 'Off'],
    [hostile, 'pays 90% · 1 fixed price', '¥500.00 or $70.00 spent within 90 days', '3', 'Active'],
  ]);
  expect(document.querySelector('img')).toBeNull();
});

it('a level is created with fixed prices for the specifications of a product', async () => {
  answers['GET levels'] = [];
  answers['GET goods?q=gen&page=1'] = pageOf([{ key: 'genshin', name: both('Genshin') }]);
  answers['GET goods/genshin'] = { value: { specs: [{ key: 'a' }, { key: 'b' }] }, revision: 'one' };
  const user = openConsole('levels/new/level-1');
  await user.type(await screen.findByLabelText(/Name.*Chinese/), '白银');
  await user.type(screen.getByLabelText(/Name.*English/), 'Silver');
  await user.type(screen.getByLabelText('Spend at least (CNY)'), '200');
  await user.type(screen.getByLabelText('Within days'), '30');
  await user.type(screen.getByLabelText('Add a product’s values'), 'gen');
  await user.click(await screen.findByRole('button', { name: 'Genshin · genshin' }));
  const value = await screen.findByRole('group', { name: 'genshin · b' });
  await user.type(within(value).getByLabelText('Price (CNY)'), '4.50');
  await user.click(within(screen.getByRole('group', { name: 'genshin · a' })).getByRole('button', { name: 'Remove' }));
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  await waitFor(() =>
    expect(posts('levels/save').at(-1)).toMatchObject({
      revision: null,
      value: {
        name: { 'zh-CN': '白银', en: 'Silver' },
        active: true,
        rank: 1,
        percent: 95,
        period_days: 30,
        thresholds: { CNY: '200' },
        prices: [{ goods: 'genshin', spec: 'b', prices: { CNY: '4.50' } }],
      },
    }),
  );
});

const holds: StaffHoldSettings = {
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
  answers['GET session'] = { name: 'Ann', role: 'manager', time_zone: 'UTC' };
  answers['GET hold-settings/shop'] = { value: holds, revision: 'r1' };
  answers['GET hold-settings/shop/history'] = [];
  answers['POST hold-settings/save'] = { value: holds, revision: 'r2' };
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

const banner = { ...freshBanner, title: both('Sale'), image: '/media/a.webp', image_alt: both('Stars'), shown: true };
const item = (goods: string): StaffModuleItem => ({
  kind: 'goods',
  goods,
  category: null,
  title: null,
  image: null,
  tag: null,
  link_type: 1,
  link_value: goods,
});
const homeModule = { ...freshModule, title: both('New'), items: [item('a'), item('b')], shown: true };

it('a banner links to a category and is shown from a time in the shop’s time zone', async () => {
  answers['GET session'] = { name: 'Ann', role: 'stock', time_zone: 'America/New_York' };
  answers['GET banners/sale'] = { value: banner, revision: 'one' };
  answers['GET articles'] = [];
  const user = openConsole('home/banner/sale');
  await user.selectOptions(await screen.findByLabelText('Links to'), 'A list of products');
  await user.selectOptions(screen.getByLabelText('Category'), 'Games');
  await user.type(screen.getByLabelText('From'), '2030-02-01T10:00');
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  expect(posts('banners/save')).toEqual([
    {
      key: 'sale',
      revision: 'one',
      value: {
        ...banner,
        link_type: 2,
        link_value: 'category=games',
        starts_at: '2030-02-01T15:00:00.000Z',
      },
    },
  ]);
});

it('the module form reorders, adds and removes items', async () => {
  answers['GET modules/new'] = { value: homeModule, revision: 'one' };
  const user = openConsole('home/module/new');
  await user.click(within(await screen.findByRole('group', { name: 'b' })).getByRole('button', { name: 'Move up' }));
  await user.selectOptions(screen.getByLabelText('Add a category'), 'Games');
  await user.click(within(screen.getByRole('group', { name: 'a' })).getByRole('button', { name: 'Remove' }));
  await user.click(screen.getByRole('button', { name: /^Save/ }));
  const [{ value }] = posts('modules/save') as [{ value: StaffModule }];
  expect(value.items.map(({ goods, category, link_value }) => [goods ?? category, link_value])).toEqual([
    ['b', 'b'],
    ['games', 'category=games'],
  ]);
});

const banners = (...keys: string[]): StaffListedBanner[] =>
  keys.map((key, index) => ({
    key,
    state: 'shown',
    value: { ...freshBanner, title: both(key.toUpperCase()), image: '/media/a.webp', sort: index + 1, shown: true },
  }));
const modules: StaffListedModule[] = [
  { key: 'new', state: 'shown', value: { ...freshModule, title: both('New'), sort: 90 } },
];

it('a move in a list of the home page is saved at once, announces the place, keeps the focus, and is not made if another user was first', async () => {
  Object.assign(answers, { 'GET banners': banners('a', 'b', 'c'), 'GET modules': modules });
  answers['POST banners/order'] = { done: true };
  const user = openConsole('home');
  const table = await screen.findByRole('table', { name: 'Banners' });
  const button = (name: string) => screen.findByRole('button', { name });
  const expectOrder = (...names: string[]) =>
    waitFor(() => expect(cellsOf(table).map(([name]) => name?.trim())).toEqual(names));
  const up = await button('Move C up');
  answers['GET banners'] = banners('a', 'c', 'b');
  await user.click(up);
  expect(await screen.findByText('C is now 2 of 3')).toHaveAttribute('role', 'status');
  await expectOrder('A', 'C', 'B');
  expect(await button('Move C up')).toHaveFocus();
  answers['GET banners'] = banners('c', 'a', 'b');
  await user.keyboard('{Enter}');
  await expectOrder('C', 'A', 'B');
  expect(await button('Move C up')).toBeDisabled();
  expect(await button('Move C down')).toHaveFocus();
  answers['POST banners/order'] = { code: 46030, message: 'Somebody else has saved changes' };
  answers['GET banners'] = banners('b', 'c', 'a', 'd');
  await user.click(await button('Move C down'));
  expect(await screen.findByText('Somebody else has saved changes')).toBeInTheDocument();
  await expectOrder('B', 'C', 'A', 'D');
  expect(posts('banners/order')).toEqual([
    { keys: ['a', 'c', 'b'], before: ['a', 'b', 'c'] },
    { keys: ['c', 'a', 'b'], before: ['a', 'c', 'b'] },
    { keys: ['a', 'c', 'b'], before: ['c', 'a', 'b'] },
  ]);
});
