import { history, rollback } from '@platform/releases';
import { addressOf, CHINESE, type HealthFixture } from '@platform/watch/testing';
import type { FastifyRequest } from 'fastify';
import { onEveryDatabase } from '../../test/support/test-app';
import { budgetOf } from '../platform/http/networks';
import { faultReporter } from './health.plugin';
import { openHealth } from './testing/health-fixture';

onEveryDatabase('the watcher', (testApp) => {
  let shop: HealthFixture;
  beforeEach(async () => {
    shop = await openHealth(testApp());
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
    const map = await shop.store.readMap();
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

  it('the watcher compares a canary with the visits since it started', async () => {
    await shop.look();
    await shop.report({ version: shop.one, visits: 500, failures: 500 });
    await shop.pass(2);
    await shop.promote({ traffic: 50 });
    await shop.look();
    await shop.report({ version: shop.one, visits: 400 }, { version: shop.two, visits: 400, failures: 300 });
    expect(await shop.look()).toMatchObject([{ kind: 'canary-back' }]);
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

  it('the watcher only alerts when the policy refuses requests that the previous release did not make as often', async () => {
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

    shop = await openHealth(testApp());
    await shop.goLive();
    await shop.report(
      { ...asking, version: shop.one, visits: 200, failures: 160 },
      { ...asking, version: shop.two, failures: 40 },
    );
    expect(await shop.look()).toEqual([]);
  });

  it('the watcher alerts when LCP is much worse than before, and rolls nothing back', async () => {
    await shop.goLive();
    const counts = shop.counts();
    for (let index = 0; index < 400; index += 1)
      for (const [version, base] of [[shop.one, 1_000] as const, [shop.two, 3_000] as const]) {
        const value = base * (1 + (index % 10) / 10);
        const visit = `${index}`.padStart(16, '0');
        counts.add(
          { name: 'catalog', version, visit, kind: 'vital', metric: 'LCP', value },
          { network: `10.9.${index >> 8}.${index & 255}`, context: CHINESE, traffic: 100 },
        );
      }
    await counts.flush(shop.health);
    const why = expect.stringMatching(/^p75 of LCP is 5\d\d\d ms with .*, 1\d\d\d ms with/);
    expect(await shop.look()).toMatchObject([{ kind: 'alert', why }]);
    expect(await shop.live()).toBe(shop.two);
  });

  const traffic = async () => (await shop.store.readMap()).microFrontends.catalog?.[1]?.deployment.traffic ?? null;
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
});
