import { runJob } from '@shop/server/platform/jobs/jobs';
import { onEveryDatabase } from '@shop/server/test/support/test-app';
import { backOffice } from '../../back-office';
import { type StaffMember, signedInStaff } from '../../testing/staff';
import type { StaffGoods } from './goods.schemas';
import type { StaffPriceChange } from './price-changes.schemas';
import { applyPriceChanges } from './price-changes.service';

onEveryDatabase('scheduled prices', (testApp) => {
  let ann: StaffMember;
  beforeAll(async () => {
    ann = await signedInStaff(testApp(), 'stock');
  });
  afterEach(async () => {
    await testApp().db.run("update price_changes set state = 'cancelled' where state in ('waiting', 'running')");
    await testApp().check();
  });

  const HOUR = 3_600_000;
  const at = (hours: number) => new Date(Date.now() + hours * HOUR);
  const wish = (more: object = {}) => ({
    goods: 'card',
    spec: 'a',
    prices: { CNY: '7.00' },
    starts_at: at(1).toISOString(),
    ends_at: at(2).toISOString(),
    ...more,
  });
  const add = (more?: object) => ann.post('goods/price-changes', wish(more));
  const list = async (goods = 'card'): Promise<StaffPriceChange[]> =>
    (await ann.get(`goods/${goods}/price-changes`)).data;
  const apply = (hours: number) => applyPriceChanges(testApp().db, at(hours));
  const shown = async (currency = 'CNY') => {
    const { data } = await testApp().get(`goods/info?id=${testApp().goods.card.id}`, { currency });
    return data.specs.find(({ id }: { id: number }) => id === testApp().spec('card'));
  };
  const edited = async () => (await ann.get('goods/card')).data as { value: StaffGoods; revision: string };
  const setPrice = async (price: string) => {
    const { value, revision } = await edited();
    const specs = value.specs.map((one) =>
      one.key === 'a'
        ? { ...one, prices: { ...one.prices, CNY: price }, original_prices: { ...one.original_prices, CNY: price } }
        : one,
    );
    return ann.post('goods/save', { key: 'card', revision, value: { ...value, specs } });
  };

  it('begin and end at their times, to the shoppers’ eyes at once, with the old price struck through meanwhile', async () => {
    expect((await add()).code).toBe(200);
    const listed = async () =>
      (await ann.get('goods?q=card')).data.list.find(({ key }: { key: string }) => key === 'card');
    expect(await listed()).toMatchObject({ price_change: { state: 'waiting' } });
    await apply(0.9);
    expect(await shown()).toMatchObject({ price: '10.00', original_price: '10.00' });
    await apply(1.1);
    expect(await shown()).toMatchObject({ price: '7.00', original_price: '10.00' });
    expect(await shown('USD')).toMatchObject({ price: '1.50' });
    expect((await list())[0]).toMatchObject({ state: 'running', asked_by: `${ann.name} (staff)` });
    expect(await listed()).toMatchObject({ price_change: { state: 'running' } });
    const [entry] = (await ann.get('goods/card/history')).data;
    expect(entry).toMatchObject({ by: `${ann.name} (staff)` });
    await apply(2.1);
    expect(await shown()).toMatchObject({ price: '10.00', original_price: '10.00' });
    expect((await list())[0]).toMatchObject({ state: 'done' });
    expect((await listed()).price_change).toBeNull();
  });

  it('are applied once by two servers at the same moment', async () => {
    await add();
    await add({ spec: 'b', prices: { CNY: '30.00' } });
    const counts = await Promise.all([apply(1.5), apply(1.5), apply(1.5)]);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2);
    const entries = (await ann.get('goods/card/history')).data.filter(
      ({ after }: { after: object }) => 'specs' in after,
    );
    const begun = (await list()).filter(({ state }) => state === 'running');
    expect(begun).toHaveLength(2);
    expect(entries[0].after.specs.map(({ prices }: StaffGoods['specs'][number]) => prices.CNY)).toEqual([
      '7.00',
      '30.00',
    ]);
    const ended = await Promise.all([apply(3), apply(3)]);
    expect(ended.reduce((sum, count) => sum + count, 0)).toBe(2);
    expect(await shown()).toMatchObject({ price: '10.00' });
  });

  it('are run by the shop’s jobs, and stay for good without an end', async () => {
    await add({ starts_at: at(-0.1).toISOString(), ends_at: null, prices: { CNY: '12.00', USD: '1.80' } });
    const job = backOffice().jobs.find(({ name }) => name === 'change-prices');
    if (job) await runJob(testApp().context, job);
    expect(await shown()).toMatchObject({ price: '12.00', original_price: '12.00' });
    expect(await shown('USD')).toMatchObject({ price: '1.80' });
    expect((await list())[0]).toMatchObject({ state: 'done', ends_at: null });
    await add({ starts_at: at(-0.1).toISOString(), ends_at: null, prices: { CNY: '10.00', USD: '1.50' } });
    await apply(0);
    expect(await shown()).toMatchObject({ price: '10.00' });
  });

  it('can be cancelled before they begin, and ended while they run', async () => {
    await add();
    const cancel = async () => ann.post('goods/price-changes/cancel', { id: (await list())[0]?.id });
    expect((await cancel()).code).toBe(200);
    expect(await apply(1.5)).toBe(0);
    expect((await cancel()).code).toBe(46074);
    await add();
    await apply(1.5);
    expect(await shown()).toMatchObject({ price: '7.00' });
    expect((await cancel()).code).toBe(200);
    expect(await shown()).toMatchObject({ price: '10.00', original_price: '10.00' });
    expect(await apply(3)).toBe(0);
    expect((await ann.post('goods/price-changes/cancel', { id: 999_999 })).code).toBe(404);
  });

  it('leave a price that somebody has set meanwhile', async () => {
    await add();
    await apply(1.5);
    expect((await setPrice('8.88')).code).toBe(200);
    await apply(3);
    expect(await shown()).toMatchObject({ price: '8.88' });
    await setPrice('10.00');
  });

  it('of a value that is taken off sale are no longer announced, go on when it is back, and can be cancelled meanwhile', async () => {
    const announced = async () =>
      (await ann.get('goods?q=card')).data.list.find(({ key }: { key: string }) => key === 'card').price_change;
    const states = async () =>
      (await list()).filter(({ state }) => /waiting|running|off_sale/.test(state)).map(({ state }) => state);
    const sell = async (keep: (spec: StaffGoods['specs'][number]) => boolean) => {
      const { value, revision } = await edited();
      await ann.post('goods/save', { key: 'card', revision, value: { ...value, specs: value.specs.filter(keep) } });
      return async () => {
        const { revision: last } = await edited();
        expect((await ann.post('goods/save', { key: 'card', revision: last, value })).code).toBe(200);
      };
    };
    await add({ spec: 'b', prices: { CNY: '30.00' } });
    const putBack = await sell(({ key }) => key !== 'b');
    expect([await announced(), await states()]).toEqual([null, ['off_sale']]);
    await putBack();
    expect([(await announced())?.state, await states()]).toEqual(['waiting', ['waiting']]);
    await apply(1.5);
    const [running] = await list();
    const putBackAgain = await sell(({ key }) => key !== 'b');
    expect([running?.state, await announced(), await states()]).toEqual(['running', null, ['off_sale']]);
    expect((await ann.post('goods/price-changes/cancel', { id: running?.id })).code).toBe(200);
    expect((await list())[0]).toMatchObject({ id: running?.id, state: 'cancelled' });
    await putBackAgain();
    const { value } = await edited();
    expect(value.specs.find(({ key }) => key === 'b')?.prices.CNY).toBe('30.00');
  });

  it('that no server was there to begin are missed, and one of a value off sale fails alone', async () => {
    await add();
    expect(await apply(9)).toBe(1);
    expect((await list())[0]).toMatchObject({ state: 'missed' });
    expect(await shown()).toMatchObject({ price: '10.00' });
    await add({ spec: 'b', prices: { CNY: '30.00' } });
    await add();
    const { value, revision } = await edited();
    const fewer = await ann.post('goods/save', {
      key: 'card',
      revision,
      value: { ...value, specs: value.specs.filter(({ key }) => key !== 'b') },
    });
    await apply(1.5);
    expect((await list()).map(({ spec, state }) => [spec, state])).toEqual(
      expect.arrayContaining([
        ['b', 'failed'],
        ['a', 'running'],
      ]),
    );
    await apply(3);
    const { revision: last } = await edited();
    expect(fewer.code).toBe(200);
    expect((await ann.post('goods/save', { key: 'card', revision: last, value })).code).toBe(200);
  });

  it('are refused where they overlap, end before they begin, or have no such price', async () => {
    await add();
    expect((await add({ starts_at: at(1.5).toISOString(), ends_at: at(4).toISOString() })).code).toBe(46073);
    expect((await add({ starts_at: at(1.5).toISOString(), ends_at: null })).code).toBe(46073);
    expect((await add({ prices: { USD: '1.00' } })).code).toBe(200);
    expect((await add({ starts_at: at(3).toISOString(), ends_at: at(4).toISOString() })).code).toBe(200);
    const wrong: Array<[object, string]> = [
      [{ prices: {} }, 'prices'],
      [{ prices: { CNY: '0' } }, 'prices.CNY'],
      [{ ends_at: at(0.5).toISOString() }, 'ends_at'],
      [{ starts_at: at(-5).toISOString(), ends_at: at(-4).toISOString() }, 'ends_at'],
      [{ starts_at: 'tomorrow' }, 'starts_at'],
      [{ starts_at: at(24 * 800).toISOString(), ends_at: null }, 'starts_at'],
      [{ goods: 'custom', spec: null, prices: { USD: '1.00' } }, 'prices.USD'],
    ];
    for (const [more, field] of wrong) {
      const answer = await add(more);
      expect([field, answer.code, answer.data?.errors?.[field]]).toEqual([field, 40001, expect.any(String)]);
    }
    expect((await add({ spec: 'zzz' })).code).toBe(404);
    expect((await add({ goods: 'nothing' })).code).toBe(404);
    expect((await add({ goods: 'custom', spec: null, prices: { CNY: '0.05' } })).code).toBe(200);
    await apply(1.5);
    expect((await ann.get('goods/custom')).data.value.custom.unit_price).toEqual({ CNY: '0.05' });
    await apply(5);
    expect((await ann.get('goods/custom')).data.value.custom.unit_price).toEqual({ CNY: '0.10' });
  });
});
