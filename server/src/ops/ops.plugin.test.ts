import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Check, history, liveVersion, mapSource, openStore, promote, type Store } from '@shop/release';
import { publishSample } from '@shop/release/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { HealthCounts } from '../health/health-counts';
import { WebhookReceiver } from '../health/testing/webhook-receiver';
import { Watcher } from '../health/watcher';
import { type Database, openEmbedded } from '../platform/db/database';
import { type OpsPerson, opsSessions } from './ops-session';
import type { PromoteJob } from './ops-state';
import { releasePlugins } from './release-plugins';
import { SignedCookies } from './signed-cookies';

const token = 'a-token-for-tests';
jest.setTimeout(60_000);
const by = { by: 'ann' };
let store: Store;
let app: FastifyInstance;
let one: string;
let two: string;
let cookie: string;
let db: Database;
const config = { secret: 'a-secret-for-tests', webhooks: { urls: [], secret: '' } };

beforeAll(async () => {
  db = await openEmbedded({ template: process.env.SHOP_TEST_TEMPLATE });
});
afterAll(() => db.close());
/** What the gate's checks in a browser find. */
let inBrowser: () => Promise<Check[]>;
const passed: Check = { check: 'browser', outcome: 'passed', detail: 'fine' };
const failed: Check = { check: 'ready', outcome: 'failed', detail: '/home: not ready after 5 s' };

beforeEach(async () => {
  await db.script(
    'truncate release_periods, release_minutes, release_votes, release_vitals, release_webhooks, release_events, release_changes_told',
  );
  store = openStore({ place: await mkdtemp(join(tmpdir(), 'shop-ops-')) });
  one = await publishSample(store, { text: 'one' });
  await promote(store, { ...by, name: 'catalog' });
  two = await publishSample(store, { text: 'two' });
  await promote(store, { ...by, name: 'catalog' });
  inBrowser = async () => [passed];
  app = fastify();
  const browserGate = async () => ({ check: 'browser', run: () => inBrowser() });
  for (const plugin of releasePlugins({ store, opsToken: token, watchEvery: 0, browserGate }).plugins)
    await app.register(plugin, { context: { db, config } });
  cookie = String((await signIn(token)).headers['set-cookie']).split(';')[0] ?? '';
});
afterEach(() => app.close());

const signIn = (given: string) =>
  app.inject({
    method: 'POST',
    url: '/ops/login',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ token: given, person: '安 Ann' }).toString(),
  });
const personOf = (name: string): OpsPerson => ({ name, way: 'own', subject: name, matched: [] });
const press = (payload: object, headers: Record<string, string> = { cookie, 'x-ops': '1' }, on = app) =>
  on.inject({ method: 'POST', url: '/ops/act', headers, payload });
/** The answer; of a promote that takes longer than the page waits for, what became of it. */
async function act(payload: object, headers?: Record<string, string>, on = app) {
  const answer = await press(payload, headers, on);
  if (answer.statusCode !== 202) return answer;
  let job = answer.json() as PromoteJob;
  while (job.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 5));
    job = (await on.inject({ url: `/ops/jobs/${job.id}`, headers: { cookie } })).json();
  }
  return { ...answer, statusCode: job.state === 'done' ? 200 : 409, json: () => job };
}
const live = async () => liveVersion(await store.readMap('production'), 'catalog');

describe('signing in', () => {
  it('takes the token, and gives a cookie that no script and no other site can use', async () => {
    const answer = await signIn(token);
    expect(answer.headers.location).toBe('/ops');
    const cookies = answer.headers['set-cookie'];
    expect(cookies).toEqual([
      expect.stringMatching(/^ops=.*; Path=\/ops; HttpOnly; SameSite=Strict/),
      expect.stringMatching(/^ops-preview=.*; Path=\/; HttpOnly; SameSite=Strict/),
    ]);
    expect(String(cookies)).not.toContain(token);
  });

  it('refuses another token, and too many tries', async () => {
    expect((await signIn('guess')).headers).toMatchObject({ location: '/ops?wrong' });
    const tries = [];
    for (let index = 0; index < 10; index += 1) tries.push((await signIn('guess')).statusCode);
    expect(tries.at(-1)).toBe(429);
  });

  it.each([
    ['none', {}],
    ['a made-up one', { cookie: 'ops=b3Bz.9999999999.AAAA' }],
  ])('with %s as cookie nothing is shown or done', async (_, headers) => {
    expect((await app.inject({ url: '/ops', headers })).body).toContain('data-state="out"');
    expect((await app.inject({ url: '/ops/state.json', headers })).statusCode).toBe(401);
    expect((await act({ action: 'rollback', name: 'catalog' }, { ...headers, 'x-ops': '1' })).statusCode).toBe(401);
    expect(await live()).toBe(two);
  });
});

describe('a session', () => {
  const server = async (named: Array<[name: string, token: string]> = []) => {
    const other = fastify();
    const { plugins } = releasePlugins({ store, opsToken: token, opsTokens: new Map(named), watchEvery: 0 });
    for (const plugin of plugins) await other.register(plugin, { context: { db, config } });
    return other;
  };
  const login = (at: FastifyInstance, given: string, person: string) =>
    at.inject({
      method: 'POST',
      url: '/ops/login',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ token: given, person }).toString(),
    });

  it('ends at sign-out: a copied cookie shows and does nothing any more, at no server', async () => {
    const other = await server();
    const shown = (at: FastifyInstance) => at.inject({ url: '/ops/state.json', headers: { cookie } });
    expect([(await shown(app)).statusCode, (await shown(other)).statusCode]).toEqual([200, 200]);
    const answer = await app.inject({ method: 'POST', url: '/ops/logout', headers: { cookie } });
    expect(answer.statusCode).toBe(303);
    expect([(await shown(app)).statusCode, (await shown(other)).statusCode]).toEqual([401, 401]);
    expect((await act({ action: 'rollback', name: 'catalog' })).statusCode).toBe(401);
    expect(await live()).toBe(two);
    const again = String((await signIn(token)).headers['set-cookie']).split(';')[0] ?? '';
    expect((await app.inject({ url: '/ops/state.json', headers: { cookie: again } })).statusCode).toBe(200);
    await other.close();
  });

  it('ends together with its previews, and by itself after eight hours; ended ones are forgotten then', async () => {
    let now = Date.now();
    const sessions = opsSessions({ shared: token, named: new Map() }, store.blobs, () => now);
    const [one, two] = [sessions.open(personOf('Ann')), sessions.open(personOf('Ben'))];
    const header = (session: typeof one) =>
      sessions
        .cookies(session, false)
        .map((set) => set.split(';')[0])
        .join('; ');
    expect([await sessions.mayPreview(header(one)), await (await sessions.of(header(one)))?.id]).toEqual([
      true,
      one.id,
    ]);
    await sessions.end(one);
    expect([await sessions.mayPreview(header(one)), await sessions.of(header(one))]).toEqual([false, null]);
    expect([await sessions.mayPreview(header(two)), await (await sessions.of(header(two)))?.id]).toEqual([
      true,
      two.id,
    ]);
    now += 8 * 3_600_000 + 1_000;
    expect([await sessions.mayPreview(header(two)), await sessions.of(header(two))]).toEqual([false, null]);
    await sessions.end(sessions.open(personOf('Ann')));
    expect(await store.blobs.list('ops/ended/')).toHaveLength(1);
  });

  it('cannot be forged where nobody has a token', async () => {
    const none = opsSessions({ named: new Map() }, store.blobs);
    const id = `${Math.floor(Date.now() / 1000) + 60}-AAAA`;
    for (const guess of ['[null]', '[]', '', 'undefined']) {
      const [cookie = ''] = new SignedCookies(guess).header('ops', { person: personOf('Ann'), id }, '').split(';');
      expect(await new SignedCookies(guess).read('ops', cookie)).toMatchObject({ id });
      expect(await none.of(cookie)).toBeNull();
    }
  });

  it('ends although what had ended earlier cannot be cleaned up', async () => {
    const list = async () => {
      throw new Error('the store is slow');
    };
    const sessions = opsSessions({ shared: token, named: new Map() }, { ...store.blobs, list } as Store['blobs']);
    const session = sessions.open(personOf('Ann'));
    const [header = ''] = sessions.cookies(session, false);
    expect(await sessions.of(header)).toMatchObject(session);
    await sessions.end(session);
    expect(await sessions.of(header)).toBeNull();
  });

  it('has the name of its token, which nobody with the shared token may take', async () => {
    const other = await server([['Ben', 'the token of Ben']]);
    for (const [given, typed, refusal] of [
      [token, ' bEn ', 'taken'],
      [token, ' ', 'unnamed'],
      [token, 'Ben\u200b', 'unnamed'],
      [token, 'Ann\u202e', 'unnamed'],
      [token, 'A'.repeat(41), 'unnamed'],
      ['a guess', 'Ben', 'wrong'],
    ] as const)
      expect((await login(other, given, typed)).headers.location).toBe(`/ops?${refusal}`);
    const answer = await login(other, 'the token of Ben', 'Ann');
    const headers = { cookie: String(answer.headers['set-cookie']).split(';')[0] ?? '', 'x-ops': '1' };
    await other.inject({ method: 'POST', url: '/ops/act', headers, payload: { action: 'rollback', name: 'catalog' } });
    expect((await history(store))[0]).toMatchObject({ action: 'rollback', by: 'Ben (ops)' });
    await other.close();
  });

  it('opened with the shared token is told by webhook, without the token, also while the database is away', async () => {
    const receiver = await new WebhookReceiver().start();
    const told = { ...config, webhooks: receiver.webhooks };
    const refuse = () => Promise.reject(new Error('no connection'));
    const broken = { as: () => broken, withTransaction: refuse, run: refuse } as unknown as Database;
    const events = () =>
      db.rows<{ who: string; why: string }>("select who, why from release_events where kind = 'break-glass'");
    const use = { who: 'Ann', why: 'signed in at /ops with the shared token' };
    await db.script('truncate release_webhooks, release_events');
    for (const database of [db, broken]) {
      const other = fastify();
      const { plugins } = releasePlugins({
        store,
        opsToken: token,
        opsTokens: new Map([['Ben', 'the token of Ben']]),
        watchEvery: 0,
      });
      for (const plugin of plugins) await other.register(plugin, { context: { db: database, config: told } });
      for (const given of [token, 'the token of Ben', 'a guess']) await login(other, given, 'Ann');
      for (let tries = 0; tries < 400 && (database === db ? await events() : receiver.taken).length === 0; tries += 1)
        await new Promise((resolve) => setTimeout(resolve, 5));
      await other.close();
    }
    expect(await events()).toEqual([use]);
    expect(receiver.taken).toEqual([expect.objectContaining({ ...use, kind: 'break-glass', name: 'ops' })]);
    expect(JSON.stringify(receiver.taken)).not.toContain(token);
    await receiver.close();
  });

  it('is in the audit log: who signed in and out, from where, and did what; and who was refused', async () => {
    const { last } = await db.one<{ last: number }>('select coalesce(max(id), 0) as last from audit_log');
    await signIn('a guess');
    const opened = String((await signIn(token)).headers['set-cookie']).split(';')[0] ?? '';
    await act({ action: 'freeze', name: 'catalog', why: 'errors' }, { cookie: opened, 'x-ops': '1' });
    await app.inject({ method: 'POST', url: '/ops/logout', headers: { cookie: opened } });
    const read = () =>
      db.rows<{ action: string; session: string | null }>(
        'select actor, action, network, session, subject, detail from audit_log where id > $1 order by id',
        [last],
      );
    // Nobody waits for an entry of /ops to be stored.
    for (let tries = 0; tries < 100 && (await read()).length < 4; tries += 1);
    const entries = await read();
    const from = { actor: '安 Ann (ops)', network: '127.0.0.1/32' };
    expect(entries).toEqual([
      expect.objectContaining({ actor: 'unknown (ops)', action: 'session.refuse', detail: { why: 'wrong' } }),
      expect.objectContaining({ ...from, action: 'session.open' }),
      expect.objectContaining({
        ...from,
        action: 'release.freeze',
        subject: 'catalog',
        detail: expect.objectContaining({ why: 'errors' }),
      }),
      expect.objectContaining({ ...from, action: 'session.close' }),
    ]);
    expect(new Set(entries.slice(1).map(({ session }) => session)).size).toBe(1);
  });
});

it('stops rendering of a remote and starts it again, which its state shows', async () => {
  expect((await act({ action: 'render-off', name: 'catalog', why: 'wrong prices' })).json().message).toBe(
    'pages of catalog are not rendered any more',
  );
  const row = async () => (await state()).releases.find(({ name }: { name: string }) => name === 'catalog');
  expect((await row()).renderingOff).toMatchObject({ by: '安 Ann (ops)', why: 'wrong prices' });
  await act({ action: 'render-on', name: 'catalog' });
  expect((await row()).renderingOff).toBeUndefined();
  expect((await act({ action: 'render-on', name: 'catalog' })).statusCode).toBe(409);
});

const state = async () => (await app.inject({ url: '/ops/state.json', headers: { cookie } })).json();

it('shows what is live, since when, by whom, how it does, what the watcher did, and the history', async () => {
  const counts = new HealthCounts(config.secret);
  const context = { language: 'en', device: 'phone', signedIn: false } as const;
  for (let index = 0; index < 6; index += 1)
    counts.add(
      { name: 'catalog', version: two, visit: `${index}`.padStart(16, '0'), kind: 'render' },
      { address: `10.0.0.${index}`, context, traffic: 100 },
    );
  await counts.flush(db);
  const source = mapSource(store, 'production');
  await new Watcher({ store, source, db }).look();
  const shown = await state();
  expect(shown.releases[0]).toMatchObject({
    name: 'catalog',
    version: two,
    previous: one,
    by: 'ann',
    health: { visits: 6, failures: 6, share: 1 },
    watched: { kind: 'live', verdict: 'alert', why: expect.stringContaining('100.0 % of 6 visits failed') },
  });
  expect(shown.releases[0].health.segments).toContainEqual({ group: 'en', visits: 6, failures: 6 });
  expect(shown.events).toMatchObject([
    { kind: 'alert', name: 'catalog', version: two, evidence: { fresh: { visits: 6, failures: 6 } } },
  ]);
  expect(shown.history).toHaveLength(2);
  const page = await app.inject({ url: '/ops', headers: { cookie } });
  expect(page.body).toContain('data-state="in"');
  expect(page.headers['content-security-policy']).toContain("script-src 'self'");
  expect(page.body).not.toMatch(/<script>| style=| on\w+=/);
  const script = await app.inject({ url: '/ops/ops.js' });
  expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(script.body).toContain('/ops/state.json');
});

it('shows the steps of a canary that is raised by itself, and what it waits for', async () => {
  const three = await publishSample(store, { text: 'three' });
  await promote(store, { ...by, name: 'catalog', version: three, canary: [20, 60] });
  const [release] = (await state()).releases;
  expect(release).toMatchObject({
    canary: { version: three, traffic: 20, steps: [20, 60, 100] },
    watched: { kind: 'canary', verdict: 'well', next: { traffic: 60, waitsFor: '10 more minutes' } },
  });
});

it('shows what is live while the database does not answer', async () => {
  const refuse = () => Promise.reject(new Error('no connection'));
  const broken = { as: () => broken, retrying: refuse, rows: refuse, run: refuse } as unknown as Database;
  const other = fastify();
  for (const plugin of releasePlugins({ store, opsToken: token, watchEvery: 0 }).plugins)
    await other.register(plugin, { context: { db: broken, config } });
  const shown = (await other.inject({ url: '/ops/state.json', headers: { cookie } })).json();
  expect(shown).toMatchObject({ events: null, releases: [{ name: 'catalog', version: two, health: null }] });
  await other.close();
});

it('rolls back with one press and undoes it, through the same code as the terminal', async () => {
  const back = await act({ action: 'rollback', name: 'catalog', why: 'pressed' });
  expect(back.json()).toEqual({ message: `catalog is back at ${one}, was ${two}` });
  expect(await live()).toBe(one);
  expect((await history(store))[0]).toMatchObject({ action: 'rollback', by: '安 Ann (ops)', why: 'pressed' });
  expect((await act({ action: 'promote', name: 'catalog', version: two })).statusCode).toBe(200);
  expect(await live()).toBe(two);
});

it('rolls back while the map in the store is cut short', async () => {
  jest.spyOn(console, 'error').mockImplementation();
  await store.blobs.put('maps/production.json', Buffer.from('{"channel":"produ'));
  expect((await act({ action: 'rollback', name: 'catalog' })).statusCode).toBe(200);
  expect(await live()).toBe(one);
  expect(console.error).toHaveBeenCalledWith(expect.stringContaining('rebuilt from revision 2'));
});

it('starts, raises and takes away a canary', async () => {
  const three = await publishSample(store, { text: 'three' });
  await act({ action: 'promote', name: 'catalog', version: three, traffic: 10 });
  expect((await store.readMap('production')).microFrontends.catalog).toMatchObject([
    {},
    { deployment: { traffic: 10 } },
  ]);
  await act({ action: 'promote', name: 'catalog', version: three, traffic: 50 });
  await act({ action: 'rollback', name: 'catalog' });
  expect((await store.readMap('production')).microFrontends.catalog).toHaveLength(1);
  expect(await live()).toBe(two);
});

describe('promote', () => {
  const wanted = () => ({ action: 'promote', name: 'catalog', version: one });
  const job = async (id: number) => (await app.inject({ url: `/ops/jobs/${id}`, headers: { cookie } })).json();

  it('runs the gate in a browser, and refuses what fails there', async () => {
    inBrowser = async () => [passed, failed];
    const answer = await act(wanted());
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      message: expect.stringContaining('not ready after 5 s'),
      canSkipBrowser: true,
    });
    expect(await live()).toBe(two);
  });

  it('leaves the browser out for a reason only, which is in the history', async () => {
    inBrowser = async () => [failed];
    expect((await act({ ...wanted(), skipBrowser: ' ' })).statusCode).toBe(400);
    expect(await live()).toBe(two);
    expect((await act({ ...wanted(), why: 'pressed at /ops', skipBrowser: 'no browser tonight' })).statusCode).toBe(
      200,
    );
    expect(await live()).toBe(one);
    expect((await history(store))[0]).toMatchObject({
      by: '安 Ann (ops)',
      why: 'no browser tonight (skipped: browser)',
    });
  });

  it('refuses on a server without a browser, and does not offer to skip other checks', async () => {
    const bare = fastify();
    for (const plugin of releasePlugins({ store, opsToken: token, watchEvery: 0 }).plugins)
      await bare.register(plugin, {});
    const pressed = (payload: object) => act(payload, undefined, bare);
    expect((await pressed(wanted())).json()).toMatchObject({
      message: expect.stringContaining('no browser'),
      canSkipBrowser: true,
    });
    const other = await publishSample(store, { contract: 2 });
    expect((await pressed({ ...wanted(), version: other })).json()).toMatchObject({
      message: expect.stringContaining('contract'),
      canSkipBrowser: false,
    });
    expect(await live()).toBe(two);
    await bare.close();
  });

  it('goes on after the answer, tells how far it is, and takes one promote at a time; another one waits, and can leave', async () => {
    let finish = (_: Check[]) => {};
    inBrowser = () =>
      new Promise((resolve) => {
        finish = resolve;
      });
    const started = await press(wanted());
    expect(started.statusCode).toBe(202);
    const { id } = started.json();
    expect(await job(id)).toMatchObject({ state: 'running', name: 'catalog', version: one, by: '安 Ann (ops)' });
    const state = (await app.inject({ url: '/ops/state.json', headers: { cookie } })).json();
    expect(state.releases[0].checking).toMatchObject({ id });
    expect(await act(wanted())).toMatchObject({ statusCode: 409 });
    const gifts = await publishSample(store, { name: 'gifts' });
    const second = (await press({ action: 'promote', name: 'gifts', version: gifts })).json();
    expect(second).toMatchObject({ place: 2, message: 'gifts: waiting for the gate, 2nd in line' });
    const leave = (headers: Record<string, string>, of = second.id) =>
      app.inject({ method: 'DELETE', url: `/ops/jobs/${of}`, headers });
    expect((await leave({ 'x-ops': '1' })).statusCode).toBe(401);
    expect((await leave({ cookie })).statusCode).toBe(403);
    expect((await leave({ cookie, 'x-ops': '1' }, id)).statusCode).toBe(409);
    expect((await leave({ cookie, 'x-ops': '1' })).statusCode).toBe(200);
    expect(await job(second.id)).toMatchObject({ state: 'refused', message: expect.stringMatching(/left the queue/) });
    expect((await act({ action: 'freeze', name: 'orders', why: 'meanwhile' })).statusCode).toBe(200);
    expect(await live()).toBe(two);

    finish([passed]);
    for (let tries = 0; tries < 400 && (await job(id)).state === 'running'; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(await job(id)).toMatchObject({ state: 'done', message: `catalog@${one} is live for everybody` });
    expect(await live()).toBe(one);
    expect((await app.inject({ url: `/ops/jobs/${id}` })).statusCode).toBe(401);
    expect((await app.inject({ url: '/ops/jobs/999', headers: { cookie } })).statusCode).toBe(404);
  });
});

it('puts the whole map back to a revision', async () => {
  expect((await act({ action: 'restore', rev: 1 })).statusCode).toBe(200);
  expect(await live()).toBe(one);
  expect((await history(store))[0]).toMatchObject({ action: 'restore', by: '安 Ann (ops)', to: '1' });
  expect((await act({ action: 'restore', rev: 99 })).statusCode).toBe(409);
});

it.each([
  ['no header of the page', { action: 'rollback', name: 'catalog' }, 'no-header', 403],
  ['an unknown action', { action: 'destroy', name: 'catalog' }, '', 400],
  ['a name that is none', { action: 'rollback', name: '../x' }, '', 400],
  ['a revision that is none', { action: 'restore', rev: -1 }, '', 400],
  ['a share out of range', { action: 'promote', name: 'catalog', traffic: 200 }, '', 400],
  ['a release that is not there', { action: 'promote', name: 'catalog', version: '9.9.9' }, '', 409],
])('refuses %s and changes nothing', async (_, payload, header, status) => {
  const answer = await act(payload, header ? { cookie } : { cookie, 'x-ops': '1' });
  expect(answer.statusCode).toBe(status);
  expect(await live()).toBe(two);
});

it('makes a token up when none is set', () => {
  const made = releasePlugins({ store, opsToken: '' });
  expect(made.opsTokenIsRandom).toBe(true);
  expect(made.opsToken.length).toBeGreaterThanOrEqual(16);
});

it.each(['constructor', '__proto__', 'toString'])('refuses "%s", which every object has, as a name', async (name) => {
  for (const action of ['rollback', 'freeze', 'unfreeze', 'render-off', 'render-on', 'promote']) {
    const answer = await act({ action, name, version: two, why: 'a test', traffic: 10 });
    expect([action, answer.statusCode]).toEqual([action, 400]);
  }
});
