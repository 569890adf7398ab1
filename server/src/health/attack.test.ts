/** Reports are public: whoever sends them, from one address or from 200, neither brings a release down nor keeps one up. */
import { onOneDatabase } from '../../test/support/test-app';
import { HealthFixture } from './testing/health-fixture';

onOneDatabase('an attacker', (testApp) => {
  let shop: HealthFixture;
  beforeEach(async () => {
    shop = await HealthFixture.open(testApp());
  });
  const kinds = async () => (await shop.look()).map(({ kind }) => kind);
  const sends = (networks: number, failing: boolean) => ({
    version: shop.two,
    visits: 1_000,
    failures: failing ? 1_000 : 0,
    networks,
  });

  describe.each([1, 200])('with %i addresses', (networks) => {
    it.each([
      ['a large shop', 400],
      ['a small shop', 40],
    ])('does not bring down a healthy release of %s', async (_, visits) => {
      await shop.goLive({}, visits);
      for (let minute = 0; minute < 3; minute += 1) {
        await shop.report({ version: shop.two, visits }, sends(networks, true));
        expect(await kinds()).not.toContain('rollback');
        await shop.pass(1);
      }
      expect(await shop.live()).toBe(shop.two);
    });

    it('does not bring down a healthy canary', async () => {
      await shop.goLive({ canary: 'auto' }, 400);
      for (let minute = 0; minute < 3; minute += 1) {
        await shop.report({ version: shop.one, visits: 360 }, { version: shop.two, visits: 40 }, sends(networks, true));
        expect(await kinds()).not.toContain('canary-back');
        await shop.pass(1);
      }
    });

    it('does not bring down a release for English visitors, of whom there are few', async () => {
      await shop.goLive({}, 400);
      const context = { language: 'en' as const };
      for (let minute = 0; minute < 3; minute += 1) {
        await shop.report(
          { version: shop.two, visits: 400 },
          { version: shop.two, visits: 5, context },
          { ...sends(networks, true), context },
        );
        expect(await kinds()).not.toContain('rollback');
        await shop.pass(1);
      }
    });

    it.each([
      ['a large shop', 400, 1],
      ['a small shop', 40, 8],
    ])('does not keep up a bad release of %s by healthy visits', async (_, visits, within) => {
      await shop.goLive({}, visits);
      const seen: string[] = [];
      for (let minute = 0; minute < within && !seen.includes('rollback'); minute += 1) {
        await shop.report({ version: shop.two, visits, failures: visits }, sends(networks, false));
        await shop.pass(1);
        seen.push(...(await kinds()));
      }
      expect(seen).toContain('rollback');
      expect(await shop.live()).toBe(shop.one);
    });
  });

  it('has no more networks in an IPv6 /48 than eight', async () => {
    await shop.goLive();
    const counts = shop.counts();
    for (let index = 0; index < 1_000; index += 1) {
      const reporter = {
        address: `2001:db8:5:${index.toString(16)}::1`,
        context: { language: 'zh-CN', device: 'phone', signedIn: false } as const,
        traffic: 100,
      };
      counts.add(
        { name: 'catalog', version: shop.two, visit: index.toString(16).padStart(16, '0'), kind: 'error' },
        reporter,
      );
    }
    await counts.flush(shop.db);
    const { networks } = await shop.db.one<{ networks: number }>(
      'select count(*)::integer as networks from release_votes where version = $1',
      [shop.two],
    );
    expect(networks).toBe(8);
    expect(await kinds()).not.toContain('rollback');
  });
});

onOneDatabase('a shop behind one address', (testApp) => {
  let shop: HealthFixture;
  const through = (version: string, visits: number, failures = 0) => ({
    version,
    visits,
    failures,
    networks: 1,
  });
  beforeEach(async () => {
    shop = await HealthFixture.open(testApp());
    await shop.look();
    for (let minute = 0; minute < 6; minute += 1) {
      await shop.report(through(shop.one, 300));
      await shop.pass(1);
    }
    await shop.promote();
    await shop.look();
  });

  it('is told at once when 300 visits of 300 fail', async () => {
    await shop.report(through(shop.two, 300, 300));
    expect(await shop.look()).toMatchObject([
      { kind: 'alert', why: expect.stringMatching(/^100\.0 % of 5 visits failed/) },
    ]);
  });

  it('has its release before again once its healthy visits are missing for some minutes', async () => {
    let minutes = 0;
    for (; minutes < 10 && (await shop.live()) === shop.two; minutes += 1) {
      await shop.report(through(shop.two, 300, 300));
      await shop.pass(1);
      await shop.look();
    }
    expect(await shop.live()).toBe(shop.one);
    expect(minutes).toBeLessThanOrEqual(6);
  });
});
