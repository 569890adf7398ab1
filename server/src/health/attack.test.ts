/** Reports are public: whoever sends them from one network neither brings a release down nor keeps one up. */
import { onOneDatabase } from '../../test/support/test-app';
import { budgetOf } from '../platform/http/networks';
import { HealthFixture } from './testing/health-fixture';

onOneDatabase('an attacker with one network', (testApp) => {
  let shop: HealthFixture;
  beforeEach(async () => {
    shop = await HealthFixture.open(testApp());
  });
  const kinds = async () => (await shop.look()).map(({ kind }) => kind);
  const sends = (failing: boolean) => ({
    version: shop.two,
    visits: 1_000,
    failures: failing ? 1_000 : 0,
    networks: 1,
  });

  it.each([
    ['a healthy release of a large shop', {}, 400, 0],
    ['a healthy release of a small shop', {}, 12, 0],
    ['a healthy canary', { canary: 'auto' as const }, 40, 360],
  ])('does not bring down %s', async (_, given, visits, others) => {
    await shop.goLive(given, visits + others);
    for (let minute = 0; minute < 3; minute += 1) {
      await shop.report({ version: shop.one, visits: others }, { version: shop.two, visits }, sends(true));
      expect(await kinds()).not.toEqual(expect.arrayContaining([expect.stringMatching('back')]));
      await shop.pass(1);
    }
  });

  it('does not keep up a bad release by healthy visits', async () => {
    await shop.goLive({}, 40);
    await shop.report({ version: shop.two, visits: 40, failures: 40 }, sends(false));
    expect(await kinds()).toEqual(['rollback']);
    expect(await shop.live()).toBe(shop.one);
  });

  it('has no more votes in an IPv6 /48 than eight', async () => {
    await shop.goLive();
    const counts = shop.counts();
    for (let index = 0; index < 1_000; index += 1) {
      const reporter = {
        network: budgetOf(`2001:db8:5:${index.toString(16)}::1`),
        context: { language: 'zh-CN', device: 'phone', signedIn: false } as const,
        traffic: 100,
      };
      counts.add(
        { name: 'catalog', version: shop.two, visit: index.toString(16).padStart(16, '0'), kind: 'error' },
        reporter,
      );
    }
    await counts.flush(shop.health);
    const { networks } = await shop.db.one<{ networks: number }>(
      'select count(*)::integer as networks from release_votes where version = $1',
      [shop.two],
    );
    expect(networks).toBe(8);
    expect(await kinds()).toEqual(['alert']);
  });
});
