/** Health reports are public: an attacker with one network or 200 can neither bring a release down nor keep one up. */
import { publishLive } from '@platform/releases/testing';
import { HealthFixture } from './testing/health-fixture';

let shop: HealthFixture;
beforeEach(async () => {
  shop = await HealthFixture.inMemory();
});
const kinds = async () => (await shop.look()).map(({ kind }) => kind);
const context = { language: 'en' as const };
const sends = (networks: number, version: string, failing: boolean) => ({
  version,
  networks,
  context,
  visits: 1_000,
  failures: failing ? 1_000 : 0,
});

describe.each(process.env.TEST_FULL ? [1, 200] : [200])('attacker with %i networks', (networks) => {
  it.each([
    ['a healthy release of a large shop', {}, 400, 0],
    ['a healthy release of a small shop', {}, 12, 0],
    ['a healthy canary', { canary: 'auto' as const }, 40, 360],
    ['a healthy canary of half of the visitors', { traffic: 50 }, 40, 40],
  ])(
    'an attacker cannot bring down %s of which few visitors are English like the forged reports',
    async (_, options, visits, others) => {
      await shop.goLive(options, visits + others);
      for (let minute = 0; minute < 3; minute += 1) {
        await shop.report({ version: shop.one, visits: others }, sends(networks, shop.one, false));
        await shop.report({ version: shop.two, visits }, { version: shop.two, visits: 5, context });
        await shop.report(sends(networks, shop.two, true));
        expect(await kinds()).not.toEqual(expect.arrayContaining([expect.stringMatching('back')]));
        await shop.pass(1);
      }
    },
  );

  it('an attacker cannot keep up a bad release by reporting failures of all other releases', async () => {
    const orders = await publishLive(shop.store, { name: 'orders' });
    await shop.goLive({}, 400);
    await shop.report(
      { version: shop.two, visits: 400, failures: 400 },
      { name: 'orders', version: orders, visits: 40 },
      { ...sends(networks, orders, true), name: 'orders' },
    );
    expect(await kinds()).toContain('rollback');
  });

  it.each([
    ['a large shop by healthy visits', 400, 1, false],
    ['a small shop by healthy visits', 40, 8, false],
    ['a small shop by failing with the one before', 40, 8, true],
  ])('an attacker cannot keep up a bad release of %s', async (_, visits, within, poisons) => {
    if (poisons) await shop.report(sends(networks, shop.one, true));
    await shop.goLive({}, visits);
    const seen: string[] = [];
    for (let minute = 0; minute < within && !seen.includes('rollback'); minute += 1) {
      await shop.report({ version: shop.two, visits, failures: visits });
      if (!poisons) await shop.report(sends(networks, shop.two, false));
      seen.push(...(await kinds()));
      await shop.pass(1);
    }
    expect(seen).toContain('rollback');
    expect(await shop.live()).toBe(shop.one);
  });
});
