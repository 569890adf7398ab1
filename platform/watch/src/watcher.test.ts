import { liveVersion, promoteTogether, rollback, runAction } from '@platform/releases';
import { publishLive, publishSample } from '@platform/releases/testing';
import { readHealth } from './health-view';
import { HealthFixture } from './testing/health-fixture';
import { Watcher } from './watcher';

let shop: HealthFixture;
beforeEach(async () => {
  shop = await HealthFixture.inMemory();
});

it('the watcher rolls back a failing release once, and shows why', async () => {
  const context = { language: 'en' } as const;
  await shop.goLive();
  await shop.report({ version: shop.two, visits: 600, failures: 300, context });
  const map = await shop.store.readMap();
  const funnel = { path: 'price>order', visits: 40, reached: 4 };
  jest.spyOn(shop.health, 'funnels').mockResolvedValueOnce([{ name: 'catalog', version: shop.two, ...funnel }]);
  const { releases } = await readHealth(shop.health, map, { urls: [] });
  const release = releases.find(({ version }) => version === shop.two);
  expect(release?.health).toMatchObject({ visits: 600, failures: 300, funnel: [funnel] });
  expect(release?.health?.segments.map(({ group }) => group)).toEqual(['en', 'phone', 'guest']);
  const why = expect.stringContaining('50.0 % of 600 visits');
  expect(release?.watched).toMatchObject({ verdict: 'bad', why });
  const watcher = shop.server();
  expect(await watcher.look()).toMatchObject([{ kind: 'rollback', name: 'catalog', version: shop.two }]);
  expect(await watcher.look()).toEqual([]);
  expect(await shop.live()).toBe(shop.one);
  const after = await shop.store.readMap();
  expect(after.ops.frozen.catalog).toMatchObject([{ version: shop.two, by: 'watcher' }]);
  expect(watcher.lines('demo', after)).toContain('demo_watcher_acts_total{name="catalog",kind="rollback"} 1');
});

it('the watcher only alerts once when no more than two hundred networks fail', async () => {
  await shop.goLive();
  await shop.report({ version: shop.two, visits: 400, failures: 200 });
  expect(await shop.look()).toMatchObject([
    { kind: 'alert', version: shop.two, why: expect.stringMatching(/^50\.0 % of 400 visits failed/) },
  ]);
  expect((await Promise.all([shop.look(), shop.look()])).flat()).toEqual([]);
  expect(await shop.live()).toBe(shop.two);
});

it('the watcher rolls back a release without a known baseline', async () => {
  await shop.promote();
  await shop.look();
  await shop.report({ version: shop.two, visits: 230, failures: 230 });
  expect(await shop.look()).toMatchObject([{ kind: 'rollback', version: shop.two }]);
});

it('the watcher alerts about a failing rollback target when no earlier release is usable', async () => {
  await shop.goLive();
  await rollback(shop.store, { by: 'ann', name: 'catalog' });
  await shop.look();
  await shop.report({ version: shop.one, visits: 300, failures: 300 });
  expect(await shop.look()).toMatchObject([{ kind: 'alert', version: shop.one }]);
  expect(await shop.live()).toBe(shop.one);
});

it('the watcher does not roll back a release that has been live for more than six hours', async () => {
  await shop.goLive();
  await shop.pass(361);
  await shop.report({ version: shop.two, visits: 300, failures: 300 });
  expect(await shop.look()).toEqual([]);
});

it('the watcher skips an earlier release that failed too, back to the last good one', async () => {
  await shop.goLive();
  await shop.report({ version: shop.two, visits: 45, failures: 20 });
  const three = await publishSample(shop.store, { text: 'three' });
  await shop.pass(1);
  await shop.promote({ version: three });
  await shop.look();
  await shop.report({ version: three, visits: 300, failures: 300 });
  expect(await shop.look()).toMatchObject([{ kind: 'rollback', version: three }]);
  expect(await shop.live()).toBe(shop.one);
});

it('the watcher does not count failures of tabs with the previous release against the new one', async () => {
  await shop.goLive();
  await shop.report({ version: shop.two, visits: 300 }, { version: shop.one, visits: 300, failures: 300 });
  expect(await shop.look()).toEqual([]);
  expect(await shop.live()).toBe(shop.two);
});

it('the watcher does not remove a release that was promoted after it read the map', async () => {
  await shop.goLive();
  await shop.report({ version: shop.two, visits: 300, failures: 300 });
  const old = await shop.store.readMap();
  const three = await publishLive(shop.store, { text: 'three' });
  const late = new Watcher({ store: shop.store, source: { get: async () => old }, health: shop.health });
  expect(await late.look()).toEqual([]);
  expect(await shop.live()).toBe(three);
});

it('the watcher changes nothing when all releases fail at once, and reports it', async () => {
  for (const text of ['a', 'b']) await publishLive(shop.store, { name: 'orders', text });
  await shop.goLive();
  const orders = (await shop.live('orders')) ?? '';
  await shop.report(
    { version: shop.two, visits: 900, failures: 900 },
    { name: 'orders', version: orders, visits: 300, failures: 300 },
  );
  const done = await shop.look();
  expect(done.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual(['alert catalog', 'alert orders']);
  expect(done[0]?.why).toContain('all other releases fail as well');
  expect(await shop.live()).toBe(shop.two);
});

it('the watcher reports from the history the change of a server that died before it could report', async () => {
  await shop.goLive();
  await rollback(shop.store, { by: 'watcher', why: 'bad', name: 'catalog', from: shop.two, freeze: true });
  const request = { action: 'unfreeze', name: 'catalog', version: shop.two } as const;
  await runAction(shop.store, request, { by: 'ann', server: { routes: [], calls: [] } });
  const server = shop.server();
  await server.look();
  await server.look();
  expect(await shop.health.watcherEvents(10)).toMatchObject([
    { kind: 'rollback', name: 'catalog', version: shop.two, why: 'bad' },
  ]);
});

describe('failing live release', () => {
  const fail = (version: string) => shop.report({ version, visits: 300, failures: 300 });
  async function goLive(text: string): Promise<string> {
    const version = await publishLive(shop.store, { text });
    await shop.look();
    await shop.report({ version, visits: 300 });
    await shop.pass(1);
    return version;
  }

  it('a failing live release stays, with one alert to ops, if the live shell cannot run the previous one', async () => {
    const { store, health } = shop;
    const shell = (version: string) => ({ name: 'shell', provides: { react: version } });
    await publishLive(store, shell('19.3.1'));
    await goLive('three');
    const four = await publishSample(store, { text: 'four', needs: { react: '^20.0.0' } });
    const releases = [
      { name: 'shell', version: await publishSample(store, shell('20.0.0')) },
      { name: 'catalog', version: four },
    ];
    await promoteTogether(store, { by: 'ann', releases });
    await shop.look();
    await fail(four);
    const recordEvent = jest.spyOn(health, 'recordEvent');
    const why = expect.stringMatching(/^100\.0 % of 300 visits failed .* could not be rolled back: .*singletons/);
    expect(await shop.look()).toMatchObject([{ kind: 'alert', name: 'catalog', version: four, why }]);
    expect(recordEvent).toHaveBeenCalledWith(expect.objectContaining({ kind: 'alert', why }), [expect.any(String)]);
    expect(await shop.look()).toEqual([]);
    const map = await store.readMap();
    expect([liveVersion(map, 'catalog'), map.ops.frozen]).toEqual([four, {}]);
  });

  it('a failing live release is reported once while the store accepts no change, and rolled back when it does', async () => {
    const one = await goLive('one');
    const two = await goLive('two');
    await fail(two);
    const putNew = jest.spyOn(shop.store.blobs, 'putNew');
    for (let attempt = 0; attempt < 2; attempt += 1) putNew.mockRejectedValueOnce(new Error(`503, request ${attempt}`));
    expect(await shop.look()).toMatchObject([{ kind: 'alert', why: expect.stringContaining('503') }]);
    expect(await shop.look()).toEqual([]);
    expect(await shop.look()).toMatchObject([{ kind: 'rollback', version: two }]);
    expect(await shop.live()).toBe(one);
  });

  it('a failing live release is rolled back after a rollback by a user too', async () => {
    const [one, two, three] = [await goLive('1'), await goLive('2'), await goLive('3')];
    await rollback(shop.store, { by: 'ann', name: 'catalog', from: three });
    await shop.look();
    await fail(two);
    expect(await shop.look()).toMatchObject([{ kind: 'rollback', version: two }]);
    expect(await shop.live()).toBe(one);
  });

  it('a failing live release is only reported after a rollback by the watcher, because the cause is elsewhere', async () => {
    await goLive('1');
    const [two, three] = [await goLive('2'), await goLive('3')];
    await fail(three);
    expect(await shop.look()).toMatchObject([{ kind: 'rollback', version: three }]);
    await shop.look();
    await fail(two);
    expect(await shop.look()).toMatchObject([
      { kind: 'alert', version: two, why: expect.stringContaining('nothing was changed: 100.0 % of 300') },
    ]);
    expect(await shop.live()).toBe(two);
  });
});

describe('canary with planned shares', () => {
  const traffic = async () => (await shop.store.readMap()).microFrontends.catalog?.[1]?.deployment.traffic ?? null;

  it.each([
    ['with few visits', { visits: 10 }],
    ['when one busy network reports almost all of its visits', { visits: 200, networks: 3 }],
    ['when half of its visitors report nothing', { visits: 55, rest: 1_200 }],
  ])(
    'a canary waits %s',
    async (_, { visits, networks, rest = 540 }: { visits: number; networks?: number; rest?: number }) => {
      await shop.goLive({ canary: 'auto' });
      for (let minute = 0; minute < 12; minute += 1) {
        const part = (all: number) => Math.ceil(all / 12);
        await shop.report(
          { version: shop.one, visits: part(rest) },
          { version: shop.two, visits: part(visits), networks },
        );
        await shop.pass(1);
      }
      expect(await shop.look()).toEqual([]);
      expect(await traffic()).toBe(10);
    },
  );

  it('a canary stays at its share while it is worse than the live release, and one alert is raised', async () => {
    await shop.goLive({ canary: 'auto' });
    await shop.report({ version: shop.one, visits: 540 }, { version: shop.two, visits: 60, failures: 12 });
    await shop.pass(11);
    expect(await shop.look()).toMatchObject([{ kind: 'alert' }]);
    expect(await shop.look()).toEqual([]);
    expect(await traffic()).toBe(10);
  });

  describe('canary without an earlier release', () => {
    const newName = async () => {
      const version = await publishSample(shop.store, { name: 'gifts' });
      await shop.promote({ name: 'gifts', canary: [10, 50] });
      await shop.look();
      return { name: 'gifts', version };
    };
    const share = async () => (await shop.store.readMap()).microFrontends.gifts?.[0]?.deployment.traffic;

    it('a canary without an earlier release waits for 20 networks, and is raised', async () => {
      const gifts = await newName();
      await shop.report({ ...gifts, visits: 90, networks: 19 });
      await shop.pass(11);
      expect(await shop.look()).toEqual([]);
      await shop.report({ ...gifts, visits: 1 });
      expect(await shop.look()).toMatchObject([
        { kind: 'canary-step', ...gifts, why: expect.stringMatching(/^healthy with 10 % .*: 0 of \d+ visits failed$/) },
      ]);
      expect(await share()).toBe(50);
    });

    it('a canary without an earlier release is removed when it fails for more than 200 networks, and paused with an alert below that', async () => {
      const gifts = await newName();
      await shop.report({ ...gifts, visits: 60, failures: 60, networks: 19 });
      await shop.pass(11);
      const why = expect.stringMatching(/^100\.0 % of \d+ visits failed with \S+$/);
      expect(await shop.look()).toMatchObject([{ kind: 'alert', ...gifts, why }]);
      expect(await share()).toBe(10);
      await shop.report({ ...gifts, visits: 200, failures: 200 });
      expect(await shop.look()).toMatchObject([{ kind: 'canary-back', ...gifts }]);
      expect(await share()).toBeUndefined();
    });
  });

  it('the watcher leaves a canary to staff once a user has changed its share', async () => {
    await shop.goLive({ canary: 'auto' });
    await shop.promote({ version: shop.two, traffic: 20 });
    await shop.look();
    await shop.report({ version: shop.one, visits: 480 }, { version: shop.two, visits: 120 });
    await shop.pass(11);
    expect(await shop.look()).toEqual([]);
    expect(await traffic()).toBe(20);
  });
});
