import { history, rollback, unfreeze } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import { Watcher, watcherEvents } from '@platform/watch';
import type { FastifyRequest } from 'fastify';
import { onEveryDatabase } from '../../test/support/test-app';
import { budgetOf } from '../platform/http/networks';
import { faultReporter } from './render-faults';
import { addressOf, CHINESE, HealthFixture } from './testing/health-fixture';

onEveryDatabase('the watcher', (testApp) => {
  let shop: HealthFixture;
  beforeEach(async () => {
    shop = await HealthFixture.open(testApp());
  });

  it.each([-90, 0, 90])(
    'four servers roll back a release with 300 of 300 failed visits, promoted by a clock %i minutes off',
    async (off) => {
      await shop.goLive({ at: new Date(Date.now() + off * 60_000).toISOString() });
      await Promise.all(Array.from({ length: 4 }, () => shop.report({ version: shop.two, visits: 75, failures: 75 })));
      const servers = Array.from({ length: 4 }, shop.server);
      const done = (await Promise.all(servers.map((server) => server.look()))).flat();
      expect(done).toMatchObject([{ kind: 'rollback', name: 'catalog', version: shop.two }]);
      expect(await shop.live()).toBe(shop.one);
      const revisions = (await history(shop.store)).filter(({ by }) => by === 'watcher');
      expect(revisions.map(({ action }) => action)).toEqual(['rollback']);
      expect(revisions[0]?.why).toMatch(/100\.0 % of 300 visits failed with .*, \d\.\d % of 200 with/);
      await expect(shop.promote({ version: shop.two })).rejects.toThrow(/frozen by watcher/);
      for (const server of servers) expect(await server.look()).toEqual([]);
    },
  );

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

  it.each([
    ['English', { language: 'en' as const }, '(en)'],
    ['signed-in', { signedIn: true }, '(signed in)'],
  ])('the watcher rolls back a release that fails for %s visitors only', async (_, context, group) => {
    await shop.look();
    for (let minute = 0; minute < 5; minute += 1) {
      await shop.report({ version: shop.one, visits: 40 }, { version: shop.one, visits: 10, context });
      await shop.pass(1);
    }
    await shop.promote();
    await shop.look();
    await shop.report({ version: shop.two, visits: 400 }, { version: shop.two, visits: 230, failures: 230, context });
    const [done] = await shop.look();
    expect(done).toMatchObject({ kind: 'rollback', version: shop.two });
    expect(done?.why).toContain(group);
  });

  it('the watcher rolls back a release whose pages fail on the server but not in browsers, and ignores tools', async () => {
    await shop.goLive();
    const map = await shop.store.readMap('production');
    const counts = shop.counts();
    const report = faultReporter(counts);
    const fault = { name: 'catalog', version: shop.two, failure: 'timeout' as const, detail: 'took more than 500 ms' };
    const request = (ip: string, headers: object) => ({ ip, headers }) as FastifyRequest;
    for (let index = 0; index < 300; index += 1) {
      const address = addressOf(90, index << 8);
      report(request(address, { 'sec-fetch-dest': 'document', 'user-agent': 'Mobile' }), map, fault);
      const event = { name: 'catalog', version: shop.two, kind: 'visit' as const, visit: `${index}`.padStart(16, '0') };
      counts.add(event, { network: budgetOf(address), context: CHINESE, traffic: 100 });
      report(request(addressOf(91, index << 8), { 'user-agent': 'crawler' }), map, fault);
    }
    await counts.flush(shop.health);
    expect(await shop.look()).toMatchObject([
      { kind: 'rollback', version: shop.two, why: expect.stringMatching(/^100\.0 % of 300 visits failed/) },
    ]);
  });

  it('the watcher removes a failing canary and keeps the live release', async () => {
    await shop.goLive({ traffic: 10 }, 100);
    await shop.pass(2);
    await shop.report(
      { version: shop.one, visits: 500, failures: 5 },
      { version: shop.two, visits: 255, failures: 255 },
    );
    expect(await shop.look()).toMatchObject([{ kind: 'canary-back', version: shop.two }]);
    expect((await shop.store.readMap('production')).microFrontends.catalog).toHaveLength(1);
    expect(await shop.live()).toBe(shop.one);
  });

  it('the watcher compares a canary with the visits since it started', async () => {
    await shop.look();
    await shop.report({ version: shop.one, visits: 500, failures: 500 });
    await shop.pass(2);
    await shop.promote({ traffic: 50 });
    await shop.look();
    await shop.report({ version: shop.one, visits: 400 }, { version: shop.two, visits: 400, failures: 300 });
    expect(await shop.look()).toMatchObject([{ kind: 'canary-back' }]);
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

  it('the watcher ignores failures from before a version was promoted again', async () => {
    await shop.goLive();
    await shop.report({ version: shop.two, visits: 300, failures: 300 });
    await rollback(shop.store, { by: 'ann', name: 'catalog' });
    await shop.look();
    await shop.pass(2);
    await shop.promote({ version: shop.two, at: new Date(Date.now() + 1_000).toISOString() });
    await shop.look();
    await shop.report({ version: shop.two, visits: 60 });
    expect(await shop.look()).toEqual([]);
    expect(await shop.live()).toBe(shop.two);
  });

  it('the watcher does not remove a release that was promoted after it read the map', async () => {
    await shop.goLive();
    await shop.report({ version: shop.two, visits: 300, failures: 300 });
    const old = await shop.store.readMap('production');
    const three = await publishSample(shop.store, { text: 'three' });
    await shop.promote({ version: three });
    const late = new Watcher({ store: shop.store, source: { get: async () => old }, health: shop.health });
    expect(await late.look()).toEqual([]);
    expect(await shop.live()).toBe(three);
  });

  it('the watcher changes nothing when all releases fail at once, and reports it', async () => {
    for (const text of ['a', 'b']) {
      await publishSample(shop.store, { name: 'orders', text });
      await shop.promote({ name: 'orders' });
    }
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

  it('the watcher alerts when the policy refuses requests that the previous release did not make, and rolls nothing back', async () => {
    await shop.goLive();
    const asking = { visits: 50, failures: 6, kind: 'refused' } as const;
    await shop.report({ version: shop.one, visits: 50 }, { version: shop.two, ...asking });
    expect(await shop.look()).toEqual([
      {
        kind: 'alert',
        name: 'catalog',
        version: shop.two,
        why: expect.stringMatching(/^the policy refused requests in 6 of 50 visits with/),
      },
    ]);
    expect(await shop.look()).toEqual([]);
    expect(await shop.live()).toBe(shop.two);
  });

  it('the watcher does not alert when the previous release made the refused requests as often', async () => {
    await shop.goLive();
    const kind = 'refused';
    await shop.report(
      { version: shop.one, visits: 200, failures: 160, kind },
      { version: shop.two, visits: 50, failures: 40, kind },
    );
    expect(await shop.look()).toEqual([]);
  });

  async function measure(bases: readonly [before: number, now: number]) {
    await shop.goLive();
    const counts = shop.counts();
    for (let index = 0; index < 400; index += 1)
      for (const [place, version] of [shop.one, shop.two].entries()) {
        const value = (bases[place] as number) * (1 + (index % 10) / 10);
        const visit = `${index}`.padStart(16, '0');
        counts.add(
          { name: 'catalog', version, visit, kind: 'vital', metric: 'LCP', value },
          { network: `10.9.${index >> 8}.${index & 255}`, context: CHINESE, traffic: 100 },
        );
      }
    await counts.flush(shop.health);
    return shop.look();
  }

  it('the watcher alerts when LCP is much worse than before, and rolls nothing back', async () => {
    const why = expect.stringMatching(/^p75 of LCP is 5\d\d\d ms with .*, 1\d\d\d ms with/);
    expect(await measure([1_000, 3_000])).toMatchObject([{ kind: 'alert', why }]);
    expect(await shop.live()).toBe(shop.two);
  });

  it('the watcher reports from the history the change of a server that died before it could report', async () => {
    await shop.goLive();
    await rollback(shop.store, { by: 'watcher', why: 'bad', name: 'catalog', from: shop.two, freeze: true });
    await unfreeze(shop.store, { by: 'ann', name: 'catalog', version: shop.two });
    const server = shop.server();
    await server.look();
    await server.look();
    expect(await watcherEvents(shop.health, 'production')).toMatchObject([
      { kind: 'rollback', name: 'catalog', version: shop.two, why: 'bad' },
    ]);
  });
});

onEveryDatabase('canary with planned shares', (testApp) => {
  let shop: HealthFixture;
  beforeEach(async () => {
    shop = await HealthFixture.open(testApp());
  });
  const traffic = async () =>
    (await shop.store.readMap('production')).microFrontends.catalog?.[1]?.deployment.traffic ?? null;
  const healthy = (share: number) =>
    shop.report({ version: shop.one, visits: 6 * (100 - share) }, { version: shop.two, visits: 6 * share });

  it('several servers raise a healthy canary step by step, until it is live for all visitors', async () => {
    await shop.goLive({ canary: [10, 50] });
    const servers = Array.from({ length: 4 }, shop.server);
    for (const [share, next] of [
      [10, 50],
      [50, null],
    ] as const) {
      await Promise.all(servers.map((server) => server.look()));
      await healthy(share);
      expect((await Promise.all(servers.map((server) => server.look()))).flat()).toEqual([]);
      await shop.pass(11);
      const done = (await Promise.all(servers.map((server) => server.look()))).flat();
      expect(done).toMatchObject([{ kind: 'canary-step', version: shop.two }]);
      expect(await traffic()).toBe(next);
    }
    expect(await shop.live()).toBe(shop.two);
    const steps = (await history(shop.store)).filter(({ by }) => by === 'watcher');
    expect(steps.map(({ action }) => action)).toEqual(['promote', 'canary']);
    expect(steps[1]?.why).toMatch(/healthy with 10 % for 11 minutes: 0 of 60 visits failed/);
  });

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
    const share = async () => (await shop.store.readMap('production')).microFrontends.gifts?.[0]?.deployment.traffic;

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
    await healthy(20);
    await shop.pass(11);
    expect(await shop.look()).toEqual([]);
    expect(await traffic()).toBe(20);
  });
});
