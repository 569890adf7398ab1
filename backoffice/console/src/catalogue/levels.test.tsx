import type { StaffLevel, StaffShopper } from '@shop/backoffice/wire';
import { screen, waitFor, within } from '@testing-library/react';
import { answers, both, hostile, newShopper, openConsole, pageOf, posts, sent, stubCalls } from '../testing/console';

const level: StaffLevel = {
  name: both(hostile),
  active: true,
  rank: 2,
  percent: 90,
  thresholds: { CNY: '500.00', USD: '70.00' },
  period_days: 90,
  prices: [{ goods: 'card', spec: 'a', prices: { CNY: '9.00' } }],
};

describe('levels', () => {
  beforeEach(async () => {
    await stubCalls('stock');
  });

  it('the list of levels shows costs, thresholds and members', async () => {
    answers['GET levels'] = [
      { key: 'one', given: 0, value: { ...level, active: false, prices: [], thresholds: {}, period_days: null } },
      { key: 'two', given: 3, value: level },
    ];
    openConsole('levels');
    const table = await screen.findByRole('table', { name: 'Levels' });
    const [, ...rows] = within(table).getAllByRole('row');
    expect(rows.map((row) => [...row.children].map((cell) => cell.textContent))).toEqual([
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
    await user.click(
      within(screen.getByRole('group', { name: 'genshin · a' })).getByRole('button', { name: 'Remove' }),
    );
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
});

describe('a shopper’s level', () => {
  const at = '2026-11-01T08:00:00.000Z';
  const open = async (role: 'money' | 'seller', levels: unknown[], over: Partial<StaffShopper> = {}) => {
    await stubCalls(role);
    answers['GET shopper/7'] = { ...newShopper, ...over };
    answers['GET levels'] = levels;
    answers['POST shopper/level'] = { done: true };
    const user = openConsole('shopper/7');
    await screen.findByRole('heading', { name: /Fang/ });
    return user;
  };

  it('staff grant a shopper a level with a reason, and withdraw it', async () => {
    const user = await open('money', [{ key: 'gold', given: 0, value: { ...level, name: both('Gold') } }]);
    const section = await screen.findByRole('region', { name: 'Level' });
    await user.type(within(section).getByLabelText('Reason'), 'loyal');
    await user.click(within(section).getByRole('button'));
    await waitFor(() =>
      expect(posts('shopper/level').at(-1)).toEqual({ id: 7, level: 'gold', until: null, reason: 'loyal' }),
    );
    await user.selectOptions(within(section).getByRole('combobox', { name: 'Level' }), 'Remove the assigned level');
    await user.type(within(section).getByLabelText('Reason'), 'mistake');
    await user.click(within(section).getByRole('button'));
    await waitFor(() =>
      expect(posts('shopper/level').at(-1)).toEqual({ id: 7, level: null, until: null, reason: 'mistake' }),
    );
  });

  it('sellers see a shopper’s level but cannot grant one', async () => {
    const grant = { key: 'gold', name: 'Gold', until: null, by: 'ann (staff)', at };
    await open('seller', [], { level: { own: { key: 'gold', name: 'Gold' }, given: grant } });
    const section = await screen.findByRole('region', { name: 'Level' });
    expect(section).toHaveTextContent(/Current levelGoldAssigned by staffGold, no end date \(ann \(staff\)/);
    expect(within(section).queryByRole('button')).toBeNull();
    expect(sent.some(({ call }) => call === 'GET levels')).toBe(false);
  });

  it('a shop without levels shows no level of a shopper', async () => {
    await open('money', []);
    await waitFor(() => expect(sent.some(({ call }) => call === 'GET levels')).toBe(true));
    expect(screen.queryByRole('region', { name: 'Level' })).toBeNull();
  });
});
