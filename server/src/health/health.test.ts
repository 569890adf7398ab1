import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { history, liveVersion, mapSource, openStore, promote, rollback, type Store } from '@shop/release';
import { publishSample } from '@shop/release/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { healthPlugin } from './health.plugin';
import { HealthCounts } from './health-counts';
import { watchOnce } from './watcher';

jest.setTimeout(60_000);
const by = {
  by: 'ann',
  /** The clock of the counts, which count by the minute: with real time a test failed when a minute ended in it. */
  get at() {
    return new Date(clock).toISOString();
  },
};
let store: Store;
let counts: HealthCounts;
let one: string;
let two: string;
let clock: number;
const now = () => clock;

beforeEach(async () => {
  clock = Date.now();
  counts = new HealthCounts(now);
  store = openStore({ place: await mkdtemp(join(tmpdir(), 'shop-health-')) });
  one = await publishSample(store, { text: 'one' });
  await promote(store, { ...by, name: 'catalog' });
  two = await publishSample(store, { text: 'two' });
});

function report(version: string, visits: number, failures: number, name = 'catalog'): void {
  for (let index = 0; index < visits; index += 1) counts.add({ name, version, kind: 'visit', page: './home' });
  for (let index = 0; index < failures; index += 1)
    counts.add({ name, version, kind: index % 2 ? 'load' : 'render', page: './home' });
}
const watch = () => watchOnce({ store, source: mapSource(store, 'production'), counts, now });
const live = async (name = 'catalog') => liveVersion(await store.readMap('production'), name);

describe('the watcher', () => {
  it('rolls a failing release back with a reason, and freezes it', async () => {
    report(one, 200, 2);
    await promote(store, { ...by, name: 'catalog' });
    report(two, 60, 6);
    expect(await watch()).toMatchObject([{ name: 'catalog', version: two, to: one }]);
    expect(await live()).toBe(one);
    const [last] = await history(store);
    expect(last).toMatchObject({
      action: 'rollback',
      by: 'watcher',
      why: expect.stringMatching(/10\.0 % of 60 visits failed/),
    });
    await expect(promote(store, { ...by, name: 'catalog', version: two })).rejects.toThrow(/frozen by watcher/);
  });

  it.each([
    ['too few visits', 49, 40, 0],
    ['a share under the bound', 100, 4, 0],
    ['less than three times the share before', 100, 14, 20],
  ])('leaves a release alone with %s', async (_, visits, failures, before) => {
    report(one, 200, before);
    await promote(store, { ...by, name: 'catalog' });
    report(two, visits, failures);
    expect(await watch()).toEqual([]);
    expect(await live()).toBe(two);
  });

  it('does not roll back a release that came back by a rollback', async () => {
    await promote(store, { ...by, name: 'catalog' });
    report(two, 100, 50);
    await watch();
    report(one, 100, 90);
    expect(await watch()).toEqual([]);
    expect(await live()).toBe(one);
  });

  it('does not undo what a person rolled back', async () => {
    await promote(store, { ...by, name: 'catalog' });
    const three = await publishSample(store, { text: 'three' });
    await promote(store, { ...by, name: 'catalog', version: three });
    await rollback(store, { ...by, name: 'catalog' });
    report(two, 100, 50);
    expect(await watch()).toEqual([]);
  });

  it('does not judge a release that is no longer fresh', async () => {
    await promote(store, { ...by, name: 'catalog' });
    clock += 2 * 3_600_000;
    report(two, 100, 50);
    expect(await watch()).toEqual([]);
  });

  it('takes a failing canary away and leaves the live release', async () => {
    await promote(store, { ...by, name: 'catalog', traffic: 10 });
    report(one, 500, 5);
    report(two, 60, 30);
    expect(await watch()).toMatchObject([{ kind: 'canary', version: two }]);
    const map = await store.readMap('production');
    expect(map.microFrontends.catalog).toHaveLength(1);
    expect(await live()).toBe(one);
  });

  it('skips previous releases that failed too, back to the last good one', async () => {
    report(one, 200, 2);
    await promote(store, { ...by, name: 'catalog' });
    report(two, 45, 20);
    const three = await publishSample(store, { text: 'three' });
    await promote(store, { ...by, name: 'catalog', version: three });
    report(two, 45, 20);
    report(three, 100, 30);
    expect(await watch()).toMatchObject([{ version: three, to: one }]);
    expect(await live()).toBe(one);
    expect(await watch()).toEqual([]);
  });

  it('judges a release without a baseline by its share alone', async () => {
    await promote(store, { ...by, name: 'catalog' });
    report(two, 50, 3);
    expect(await watch()).toMatchObject([{ version: two, to: one }]);
  });

  it('does not take a baseline of three visits, one failed, as the normal share', async () => {
    report(one, 3, 1);
    await promote(store, { ...by, name: 'catalog' });
    report(two, 100, 20);
    expect(await watch()).toMatchObject([{ version: two, to: one }]);
  });

  it('does not count late errors of the previous release against the new one', async () => {
    report(one, 200, 2);
    await promote(store, { ...by, name: 'catalog' });
    for (let round = 0; round < 5; round += 1) {
      report(two, 20, 0);
      report(one, 10, 9);
      expect(await watch()).toEqual([]);
    }
    expect(await live()).toBe(two);
  });

  it('ignores failures from before a version was promoted again', async () => {
    report(one, 200, 2);
    await promote(store, { ...by, name: 'catalog' });
    report(two, 30, 30);
    await rollback(store, { ...by, name: 'catalog' });
    clock += 120_000;
    await promote(store, { ...by, name: 'catalog', version: two, at: new Date(clock).toISOString() });
    report(two, 60, 0);
    expect(await watch()).toEqual([]);
    expect(await live()).toBe(two);
  });

  it('moves at most once for each promote, whatever is reported and in whatever order', async () => {
    // A fixed sequence of good and bad minutes for both releases: any answer of the watcher may only ever lead away from a promote.
    let seed = 7;
    const next = (below: number) => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed % below;
    };
    report(one, 100, 1);
    await promote(store, { ...by, name: 'catalog' });
    for (let minute = 0; minute < 60; minute += 1) {
      clock += 60_000;
      for (const version of minute % 2 ? [one, two] : [two, one])
        report(version, 10 + next(60), next(2) ? next(40) : 0);
      await watch();
    }
    const moves = (await history(store, { limit: 1000 })).filter(
      ({ by: who, action }) => who === 'watcher' && action === 'rollback',
    );
    expect(moves.length).toBeLessThanOrEqual(1);
    expect((await history(store, { limit: 1000 })).length).toBeLessThanOrEqual(4);
  });

  it('acts once when several processes see the same failures', async () => {
    report(one, 200, 2);
    await promote(store, { ...by, name: 'catalog' });
    report(two, 100, 50);
    const results = await Promise.all(Array.from({ length: 4 }, watch));
    expect(results.flat()).toHaveLength(1);
    expect(await live()).toBe(one);
    expect((await history(store)).filter(({ action }) => action === 'rollback')).toHaveLength(1);
  });

  it('does not remove a release that was promoted after it read the map', async () => {
    report(one, 200, 2);
    await promote(store, { ...by, name: 'catalog' });
    report(two, 100, 50);
    const old = await store.readMap('production');
    const three = await publishSample(store, { text: 'three' });
    await promote(store, { ...by, name: 'catalog', version: three });
    expect(await watchOnce({ store, source: { get: async () => old }, counts, now })).toEqual([]);
    expect(await live()).toBe(three);
  });

  it('keeps a canary whose live release fails as often', async () => {
    await promote(store, { ...by, name: 'catalog', traffic: 10 });
    report(one, 500, 100);
    report(two, 60, 18);
    expect(await watch()).toEqual([]);
  });

  it('does nothing when all remotes fail at once', async () => {
    for (const text of ['a', 'b']) {
      await publishSample(store, { name: 'orders', text });
      await promote(store, { ...by, name: 'orders' });
    }
    await promote(store, { ...by, name: 'catalog' });
    report(two, 100, 50);
    report((await live('orders')) ?? '', 100, 50, 'orders');
    expect(await watch()).toEqual([]);
  });
});

describe('reports', () => {
  let app: FastifyInstance;
  beforeEach(async () => {
    app = fastify();
    await app.register(healthPlugin({ source: mapSource(store, 'production'), counts }));
  });
  afterEach(() => app.close());
  const post = (payload: object | string) =>
    app.inject({ method: 'POST', url: '/api/health/report', headers: { 'content-type': 'application/json' }, payload });
  const event = (more: object = {}) => ({ name: 'catalog', version: one, kind: 'visit', page: './home', ...more });

  it('are counted per release', async () => {
    expect(
      (
        await post({
          events: [
            event(),
            event({ kind: 'load', recovered: true }),
            event({ kind: 'vital', metric: 'LCP', value: 900 }),
          ],
        })
      ).statusCode,
    ).toBe(204);
    expect(counts.totals('catalog', one)).toEqual({ visits: 1, failures: 1, share: 1 });
    expect(counts.vitals('catalog', one)).toEqual({ LCP: 900 });
  });

  it.each([
    ['an unknown release', { version: '9.9.9' }],
    ['an unknown name', { name: 'nobody' }],
    ['an unknown kind', { kind: 'boom' }],
    ['a name that is none', { name: '../x' }],
    ['a value out of range', { kind: 'vital', metric: 'LCP', value: -1 }],
  ])('of %s are dropped', async (_, more) => {
    expect((await post({ events: [event(more)] })).statusCode).toBe(204);
    expect(counts.totals('catalog', one).visits).toBe(0);
    expect(counts.vitals('catalog', one)).toEqual({});
  });

  it.each<[string, object | string, number]>([
    ['no list', { events: 'x' }, 400],
    ['a batch too large', { events: Array.from({ length: 21 }, () => ({})) }, 400],
    ['a body too large', { events: [], filler: 'x'.repeat(9000) }, 413],
    ['no JSON', '{', 400],
  ])('with %s are refused', async (_, payload, status) => {
    expect((await post(payload)).statusCode).toBe(status);
  });

  it('of one address cannot cause a rollback', async () => {
    for (let index = 0; index < 20; index += 1)
      await post({ events: Array.from({ length: 20 }, () => event({ kind: 'render' })) });
    expect(counts.totals('catalog', one).failures).toBe(5);
  });

  it('are limited per address', async () => {
    const answers = [];
    for (let index = 0; index < 61; index += 1) answers.push((await post({ events: [] })).statusCode);
    expect(answers.slice(0, 60)).not.toContain(429);
    expect(answers[60]).toBe(429);
  });
});

it('drops old minutes and releases', () => {
  report(one, 1, 0);
  clock += 7 * 3_600_000;
  report(one, 1, 1);
  expect(counts.totals('catalog', one)).toEqual({ visits: 1, failures: 1, share: 1 });
  expect(counts.series('catalog', one, 3)).toEqual([null, null, 1]);
  for (let index = 0; index < 250; index += 1) report(`1.0.${index}`, 1, 0);
  expect(counts.totals('catalog', one).visits).toBe(0);
});
