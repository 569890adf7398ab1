import { mapSource } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import { type HealthCounts, VisitTokens } from '@platform/watch';
import type { HealthFixture } from '@platform/watch/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { shopWith } from '../../test/support/release-store';
import { onEveryDatabase } from '../../test/support/test-app';
import { networkOf } from '../platform/http/networks';
import { healthPlugin } from './health.plugin';
import { openHealth } from './testing/health-fixture';

onEveryDatabase('health reports', (testApp) => {
  let shop: HealthFixture;
  let counts: HealthCounts;
  let tokens: VisitTokens;
  let app: FastifyInstance;
  beforeAll(async () => {
    shop = await openHealth(testApp());
    tokens = new VisitTokens(testApp().context.config.secret);
  });
  beforeEach(async () => {
    await testApp().db.script('truncate release_minutes, release_votes, release_vitals, release_errors');
    counts = shop.counts();
    app = fastify({ trustProxy: true });
    await app.register(healthPlugin({ source: mapSource(shop.store), counts, tokens }));
  });
  afterEach(() => app.close());

  const address = '10.1.2.3';
  const post = (payload: object | string, headers: Record<string, string> = {}, from = address) =>
    app.inject({
      method: 'POST',
      url: '/api/health/report',
      remoteAddress: from,
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    });
  const event = (more: object = {}) => ({
    name: 'catalog',
    version: shop.one,
    kind: 'visit',
    page: './home',
    visit: 'aaaaaaaaaaaaaaaa',
    ...more,
  });
  const report = (events: object[], more: object = {}, from = address) =>
    post({ token: tokens.issue(networkOf(from)), events, ...more }, {}, from);
  const stored = async () => {
    await counts.flush(shop.health);
    return testApp().db.rows(
      `select language, device, signed_in, traffic, sum(visits)::integer as visits, sum(failures)::integer as failures
         from release_minutes group by 1, 2, 3, 4 order by 1, 2, 3`,
    );
  };

  it('health reports count a visit once, by language, device and session, even with further reports', async () => {
    const context = { language: 'en', device: 'desktop', signedIn: true };
    await report([event(), event({ kind: 'error', at: 'home.js:1:2' })], { context });
    await stored();
    await report([event({ kind: 'freeze' }), event({ kind: 'slow' }), event({ visit: 'bbbbbbbbbbbbbbbb' })], {
      context,
    });
    const segment = { language: 'en', device: 'desktop', signed_in: true, traffic: 100 };
    expect(await stored()).toEqual([{ ...segment, visits: 2, failures: 1 }]);
  });

  it.each(['load', 'render', 'error', 'rejection', 'freeze', 'slow', 'empty'])(
    'health reports count a visit that reports only %s as failed',
    async (kind) => {
      await report([event({ kind })]);
      expect(await stored()).toMatchObject([{ visits: 1, failures: 1 }]);
    },
  );

  it('health reports keep the first error of each failed visit and its position, if the release has that script', async () => {
    const visit = (index: number) => ({ visit: index.toString(16).padStart(16, '0') });
    const script = 'home.dd.js';
    await report([
      event({ ...visit(1), kind: 'error', at: `${script}:1:2345` }),
      event({ ...visit(1), kind: 'rejection', at: `${script}:9:9` }),
      event({ ...visit(2), kind: 'error', at: `${script}:1:2345` }),
      event({ ...visit(3), kind: 'error', at: 'made-up.js:1:1' }),
      event({ ...visit(4), kind: 'freeze' }),
    ]);
    await report(
      [
        event({ ...visit(5), kind: 'error', at: `${script}:1:<script>` }),
        event({ ...visit(6), kind: 'error', at: { file: script } }),
      ],
      {},
      '10.1.2.9',
    );
    await stored();
    const release = { name: 'catalog', version: shop.one };
    expect(await shop.health.errors([release], 10)).toEqual([
      { ...release, kind: 'error', at: '', visits: 3 },
      { ...release, kind: 'error', at: `${script}:1:2345`, visits: 2 },
      { ...release, kind: 'freeze', at: '', visits: 1 },
    ]);
    expect(await shop.health.errors([release], 1)).toHaveLength(1);
  });

  it.each([
    ['in turn', true],
    ['and one of them twice', false],
  ])('a visit that two servers receive, %s, is one sample and one failed visit', async (_, flushes) => {
    const context = { language: 'zh-CN', device: 'phone', signedIn: false } as const;
    const servers = [shop.counts(), shop.counts()];
    for (const [index, kind] of (['visit', 'render', 'error', 'rejection'] as const).entries()) {
      const server = servers[index % 2] as HealthCounts;
      const visit = { name: 'catalog', version: shop.one, visit: 'aaaaaaaaaaaaaaaa', kind };
      server.add(visit, { network: address, context, traffic: 100 });
      if (flushes || index > 0) await server.flush(shop.health);
    }
    expect(await testApp().db.rows('select failed from release_votes')).toEqual([{ failed: true }]);
    expect(await stored()).toMatchObject([{ visits: 1, failures: 1 }]);
  });

  it('health reports count at most five visits a minute per network, whether failed or healthy', async () => {
    const visits = (kind: string, from: string) =>
      report(
        Array.from({ length: 20 }, (_, index) => event({ kind, visit: index.toString(16).padStart(16, '0') })),
        {},
        from,
      );
    await visits('visit', '10.1.2.3');
    await visits('error', '10.1.2.4');
    expect(await stored()).toMatchObject([{ visits: 10, failures: 5 }]);
  });

  it('health reports without a token or with an expired one are accepted and not counted', async () => {
    const expired = new VisitTokens(testApp().context.config.secret, () => Date.now() - 3 * 3_600_000);
    for (const token of [undefined, expired.issue(networkOf(address))])
      expect((await post({ token, events: [event()] })).statusCode).toBe(204);
    expect(await stored()).toEqual([]);
  });

  it('health reports take the token from the cookie that the token call sets', async () => {
    const answer = await app.inject({ method: 'POST', url: '/api/health/token', remoteAddress: address });
    expect(answer.headers['set-cookie']).toMatch(/^visit_token=[^;]+; Max-Age=7200; Path=\/; SameSite=Lax$/);
    const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
    expect(cookie).toBe(`visit_token=${answer.json().token}`);
    await post({ events: [event()] }, { cookie });
    expect(await stored()).toMatchObject([{ visits: 1 }]);
  });

  it('health reports count again after a change of network, with the cookie set by the first uncounted report', async () => {
    const before = `visit_token=${tokens.issue(networkOf('10.9.9.9'))}`;
    const answer = await post({ events: [event()] }, { cookie: before });
    const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
    await post({ events: [event()] }, { cookie });
    expect(await stored()).toMatchObject([{ visits: 1 }]);
  });

  it.each([
    ['an unknown release', { version: '9.9.9' }],
    ['an unknown name', { name: 'nobody' }],
    ['an unknown kind', { kind: 'boom' }],
    ['a name that is none', { name: '../x' }],
    ['no visit', { visit: undefined }],
    ['a vital out of range', { kind: 'vital', metric: 'LCP', value: -1 }],
    ['an unknown vital', { kind: 'vital', metric: 'FID', value: 1 }],
  ])('health reports of %s are dropped', async (_, more) => {
    expect((await report([event(more)])).statusCode).toBe(204);
    expect(await stored()).toEqual([]);
    expect(await testApp().db.rows('select * from release_vitals')).toEqual([]);
  });

  it.each<[string, object | string, number]>([
    ['no list', { events: 'x' }, 400],
    ['no object', 'null', 400],
    ['a batch too large', { events: Array.from({ length: 21 }, () => ({})) }, 400],
    ['a body too large', { events: [], filler: 'x'.repeat(9000) }, 413],
    ['no JSON', '{', 400],
  ])('health reports with %s are refused', async (_, payload, status) => {
    expect((await post(payload)).statusCode).toBe(status);
  });

  it('health reports stay bounded and cause no errors while the database is unavailable, and are stored afterwards', async () => {
    const away = { add: () => Promise.reject(new Error('no connection')) };
    const context = { language: 'en', device: 'phone', signedIn: false } as const;
    for (let index = 0; index < 50_000; index += 1) {
      const reporter = { network: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`, context, traffic: 100 };
      counts.add(
        { name: 'catalog', version: shop.one, visit: index.toString(16).padStart(16, '0'), kind: 'visit' },
        reporter,
      );
      if (index % 10_000 === 0) await expect(counts.flush(away)).rejects.toThrow('no connection');
    }
    await expect(counts.flush(away)).rejects.toThrow('no connection');
    expect(counts.pending).toBeLessThanOrEqual(60_000);
    expect((await report([event()])).statusCode).toBe(204);
    const rows = (await stored()) as Array<{ visits: number }>;
    expect(rows.reduce((sum, { visits }) => sum + visits, 0)).toBe(50_001);
    expect(counts.pending).toBe(0);
  });

  it('health reporting sets a cookie with documents, also with a 304, and keeps their bytes and ETag', async () => {
    await publishSample(shop.store, { name: 'shell' });
    await shop.promote({ name: 'shell' });
    const server = await shopWith(testApp().context, shop.store);
    const get = (headers: Record<string, string> = {}) =>
      server.inject({ url: '/home', headers: { accept: 'text/html', ...headers } });
    const [first, second] = [await get(), await get()];
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
    expect(cookie).toMatch(/^visit_token=/);
    expect(second.body).toBe(first.body);
    expect(second.headers.etag).toBe(first.headers.etag);
    const revalidated = await get({ 'if-none-match': String(first.headers.etag) });
    expect([revalidated.statusCode, !!revalidated.headers['set-cookie']]).toEqual([304, true]);
    expect((await get({ cookie })).headers['set-cookie']).toBeUndefined();
    await server.close();
  });
});
