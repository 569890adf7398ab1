import { ReleaseKeys } from '@platform/releases';
import { backOfficeWithReleases } from '@shop/backoffice/releases';
import { fromConsole, type StaffMember, signedInStaff } from '@shop/backoffice/testing';
import type { RouteOptions } from 'fastify';
import { buildApp, buildConsole } from '../../src/app';
import { liveReleases } from '../../src/live-releases.plugin';
import type { App } from '../../src/platform/http/request';
import { type LargeRequest, largeHeaders, largeRequests, longPaths } from '../support/largest-inputs';
import { leastHold } from '../support/longest-hold';
import { routesOf, storeWith } from '../support/release-store';
import { onOneDatabase, type User } from '../support/test-app';

/** The longest time that one call may block the others (docs/operations/security-model.md#input-and-output). */
const LONGEST_MS = 50;
const USUAL_BODY_LIMIT = 64 * 1024;

onOneDatabase('main thread', (testApp) => {
  let app: App;
  let staffConsole: App;
  let user: User;
  let staff: StaffMember;
  let releaseKey: string;
  const routes: Array<{ method: string; route: RouteOptions }> = [];

  beforeAll(async () => {
    const store = await storeWith(['catalog', 'content'].map((name) => ({ name, routes: routesOf(name) })));
    const grant = { role: 'ops' as const, remotes: [], lifetime: 3_600_000 };
    releaseKey = (await new ReleaseKeys(store.blobs).make({ ...grant, name: 'ops', by: 'ann' })).key;
    const { plugins, consolePlugins } = backOfficeWithReleases({ store });
    const onRoute = (route: RouteOptions) => {
      // HEAD does the same work as GET, and one function serves all methods of a wildcard.
      const methods = [route.method]
        .flat()
        .filter((method) => ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'].includes(method));
      routes.push(...methods.map((method) => ({ method, route: { ...route, method } })));
    };
    app = await buildApp({
      ...testApp().context,
      plugins: [liveReleases({ store, watchEvery: 0 }), ...plugins],
      onRoute,
    });
    staffConsole = await buildConsole({ ...testApp().context, shop: app, plugins: consolePlugins, onRoute });
    await app.ready();
    await staffConsole.ready();
  });
  beforeEach(async () => {
    user = await testApp().user(100_000);
    staff = await signedInStaff(testApp(), 'manager');
  });
  afterAll(async () => {
    await app?.close();
    await staffConsole?.close();
  });

  const identity = (url: string): Record<string, string> => {
    if (url.startsWith('/staff')) return { ...fromConsole, cookie: staff.cookie };
    return { authorization: `Bearer ${url.startsWith('/ops') ? releaseKey : user.token}` };
  };
  let sent = 0;
  const send = async (method: string, url: string, { query, body, headers }: LargeRequest) => {
    sent++;
    const isJson = typeof body === 'string' && /^[[{]/.test(body);
    const type = body ? { 'content-type': isJson ? 'application/json' : 'application/octet-stream' } : {};
    const response = await (url.startsWith('/staff') ? staffConsole : app).inject({
      method: method as 'GET',
      url: query ? `${url}?${query}` : url,
      // An address of this machine, because the release API requires one without TLS; it changes each time, because of rate limits.
      remoteAddress: `127.${(sent >> 16) & 255}.${(sent >> 8) & 255}.${sent & 255}`,
      payload: body,
      headers: { 'idempotency-key': `holds-${sent}`, ...identity(url), ...type, ...headers },
    });
    return response.statusCode;
  };

  const measure = async (method: string, url: string, request: LargeRequest | (() => LargeRequest)) => {
    const next = typeof request === 'function' ? request : () => request;
    let what = '';
    const { longest, result } = await leastHold(() => {
      const largeRequest = next();
      what = largeRequest.what;
      return send(method, url, largeRequest);
    }, LONGEST_MS);
    return { ms: Math.round(longest), status: result, call: `${method} ${url.slice(0, 60)}: ${what}` };
  };
  const tooLong = (all: Array<Awaited<ReturnType<typeof measure>>>) => all.filter(({ ms }) => ms > LONGEST_MS);
  const addressOf = (url: string) => url.replace(/:\w+(\([^)]*\))?/g, '1').replace('*', 'x');

  it('every route holds the main thread for at most 50 ms, with the largest permitted input', async () => {
    const holds: Awaited<ReturnType<typeof measure>>[] = [];
    const refused: string[] = [];
    const isLast = ({ route: { url } }: (typeof routes)[number]) => Number(/logout|session|closure/.test(url));
    for (const { method, route } of [...routes].sort((a, b) => isLast(a) - isLast(b))) {
      await testApp().db.run('delete from rate_limits');
      const answers: typeof holds = [];
      for (const request of largeRequests(route, USUAL_BODY_LIMIT))
        answers.push(await measure(method, addressOf(route.url), request));
      holds.push(...tooLong(answers));
      if (answers.every(({ status }) => [401, 403, 429].includes(status))) refused.push(`${method} ${route.url}`);
    }
    expect(holds).toEqual([]);
    expect(refused).toEqual([]);
    expect(routes.length).toBeGreaterThan(200);
  }, 1_800_000);

  it('headers, cookies and URLs of the maximum length hold the main thread for at most 50 ms', async () => {
    const holds: Awaited<ReturnType<typeof measure>>[] = [];
    for (const url of ['/api/front/user/info', '/staff/api/queue', '/ops/api/status', '/ops', '/goods/1', '/'])
      for (const request of largeHeaders) holds.push(await measure('GET', url, request));
    const starts = ['/', '/api/front/goods/', '/goods/', '/article/', '/r/catalog/1/', '/media/', '/staff/', '/ops/'];
    for (const start of starts)
      for (const longPath of longPaths)
        holds.push(await measure('GET', `${start}${longPath}`, { what: longPath.slice(0, 10) }));
    expect(tooLong(holds)).toEqual([]);
  }, 600_000);

  it('a file of 5,000 codes and responses with the largest texts hold the main thread for at most 50 ms', async () => {
    const post = (url: string, value: object) =>
      measure('POST', `/staff/api/${url}`, { what: 'the largest', body: JSON.stringify(value) });
    const codesOf = (file: number) => {
      const rows = Array.from({ length: 5000 }, (_, at) => `N-${file}-${at}-${'x'.repeat(40)},${'p'.repeat(40)}`);
      return { goods: 'card', spec: 'a', text: rows.join('\n') };
    };
    // One file per attempt, because codes that are already in stock are refused.
    const files = Array.from({ length: 10 }, (_, file) => JSON.stringify({ ...codesOf(file), only_good: false }));
    const holds = [
      await post('codes/preview', codesOf(0)),
      await measure('POST', '/staff/api/codes/import', () => ({ what: 'the largest', body: files.pop() })),
    ];
    for (const text of ['a'.repeat(30_000), '<b>'.repeat(10_000), '<h2>'.repeat(7_500), '&lt;'.repeat(7_500)]) {
      const both = { 'zh-CN': text, en: text };
      await testApp().db.run("update goods set description_zh = $1, description_en = $1 where key = 'card'", [text]);
      await testApp().db.run(
        `insert into articles (id, title_zh, title_en, content_zh, content_en, sort) values ('agreement', 'x', 'x', $1, $1, 1)
         on conflict (id) do update set content_zh = excluded.content_zh, content_en = excluded.content_en`,
        [text],
      );
      await testApp().db.run(
        "insert into audit_log (actor, action, subject, detail) values ('x', 'goods.edit', 'card', $1)",
        [JSON.stringify({ before: { description_html: both }, after: { description_html: both } })],
      );
      for (const url of [`/goods/${testApp().goods.card.id}`, '/article/agreement', '/staff/api/audit'])
        holds.push(await measure('GET', url, { what: text.slice(0, 4) }));
    }
    expect(holds.filter(({ status }) => status !== 200)).toEqual([]);
    expect(tooLong(holds)).toEqual([]);
  }, 600_000);
});
