import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Check,
  history,
  liveVersion,
  mapSource,
  openStore,
  promote,
  ReleaseKeys,
  type Store,
} from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import { HealthCounts, Watcher } from '@platform/watch';
import { healthStore } from '@shop/server/health/health-store';
import { WebhookReceiver } from '@shop/server/health/testing/webhook-receiver';
import { type Database, openEmbedded } from '@shop/server/platform/db/database';
import type { App } from '@shop/server/platform/http/request';
import { until } from '../../../../scripts/jest/until';
import { BackOfficeSessions } from '../staff/back-office-sessions';
import { breakGlass, Console, config, personOf, releaseServer } from '../testing/back-office';

const by = { by: 'ann' };
let folder: string;
let store: Store;
let app: App;
let ann: Console;
let one: string;
let two: string;
let db: Database;

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
    'truncate release_periods, release_minutes, release_votes, release_vitals, release_errors, release_visits, release_steps, release_webhooks, release_events, release_changes_told',
  );
  folder = await mkdtemp(join(tmpdir(), 'shop-ops-'));
  store = openStore({ place: folder });
  one = await publishSample(store, { text: 'one' });
  await promote(store, { ...by, name: 'catalog' });
  two = await publishSample(store, { text: 'two' });
  await promote(store, { ...by, name: 'catalog' });
  inBrowser = async () => [passed];
  const browserGate = async () => ({ check: 'browser', run: () => inBrowser() });
  app = await releaseServer({ store, browserGate }, { db, config });
  ann = personOf(app, '安 Ann');
});
afterEach(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

const live = async () => liveVersion(await store.readMap('production'), 'catalog');
const refuse = () => Promise.reject(new Error('no connection'));
const broken = {
  as: () => broken,
  retrying: refuse,
  rows: refuse,
  withTransaction: refuse,
  run: refuse,
} as unknown as Database;

describe('the break-glass token', () => {
  it('opens a session by a cookie that no script and no other site can use, and without a database', async () => {
    const eve = new Console(app);
    const answer = await eve.withToken();
    expect(answer.json().data).toEqual({ name: '安 Ann', role: 'ops', way: 'token' });
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(/^staff=[\w-]+\.[\w-]+; Path=\/staff; HttpOnly; SameSite=Strict; Max-Age=28800$/),
      expect.stringMatching(/^ops-preview=.*; Path=\/; HttpOnly; SameSite=Strict/),
    ]);
    expect(String(answer.headers['set-cookie'])).not.toContain(breakGlass);
    expect((await eve.state()).you).toBe('安 Ann (ops, break-glass)');
    const other = await releaseServer({ store }, { db: broken, config });
    const away = new Console(other);
    await away.withToken();
    expect(await away.status()).toBe(200);
    await other.close();
  });

  it('is refused when it is wrong, without the page’s header, and after too many tries', async () => {
    const eve = new Console(app);
    expect((await eve.withToken('guess')).json().code).toBe(46001);
    expect(
      (await eve.ask('POST', '/staff/api/session/token', { token: breakGlass, name: 'Eve' }, { 'x-staff': '' })).json()
        .code,
    ).toBe(403);
    expect(eve.cookies.size).toBe(0);
    let clock = Date.now();
    const other = await releaseServer({ store, now: () => clock }, { db, config });
    const mallory = new Console(other);
    for (let index = 0; index < 10; index += 1) await mallory.withToken('guess');
    expect((await mallory.withToken()).json().code).toBe(42901);
    expect(mallory.cookies.size).toBe(0);
    clock += 60_000;
    expect((await mallory.withToken()).json().code).toBe(200);
    await other.close();
  });

  it('is told by webhook, without the token, also while the database is away', async () => {
    const receiver = await new WebhookReceiver().start();
    const told = { ...config, webhooks: receiver.webhooks };
    const events = () =>
      db.rows<{ who: string; why: string }>("select who, why from release_events where kind = 'break-glass'");
    const use = { who: 'Ann', why: 'signed in with the break-glass token' };
    for (const database of [db, broken]) {
      const other = await releaseServer({ store }, { db: database, config: told });
      for (const given of [breakGlass, 'a guess']) await new Console(other).withToken(given, 'Ann');
      await until('the event', async () => (database === db ? await events() : receiver.taken).length > 0);
      await other.close();
    }
    expect(await events()).toEqual([use]);
    expect(receiver.taken).toEqual([expect.objectContaining({ ...use, kind: 'break-glass', name: 'ops' })]);
    expect(JSON.stringify(receiver.taken)).not.toContain(breakGlass);
    await receiver.close();
  });

  it('is in the audit log: who signed in, from where, and did what; and who was refused', async () => {
    const { last } = await db.one<{ last: number }>('select coalesce(max(id), 0) as last from audit_log');
    const person = new Console(app);
    await person.withToken('a guess');
    await person.withToken();
    await person.act('freeze', { name: 'catalog', why: 'errors' });
    const read = () =>
      db.rows<{ action: string; session: string | null }>(
        'select actor, action, network, session, subject, detail from audit_log where id > $1 order by id',
        [last],
      );
    // Nobody waits for an entry about releases to be stored.
    for (let tries = 0; tries < 100 && (await read()).length < 3; tries += 1);
    const entries = await read();
    const from = { actor: '安 Ann (ops, break-glass)', network: '127.0.0.1/32' };
    expect(entries).toEqual([
      expect.objectContaining({ actor: 'unknown (ops)', action: 'session.refuse', detail: { why: 'token' } }),
      expect.objectContaining({ ...from, action: 'session.open' }),
      expect.objectContaining({
        ...from,
        action: 'release.freeze',
        subject: 'catalog',
        detail: expect.objectContaining({ why: 'errors' }),
      }),
    ]);
    expect(new Set(entries.slice(1).map(({ session }) => session)).size).toBe(1);
  });

  it('made anew ends the sessions of the one before', async () => {
    const person = new Console(app);
    await person.withToken();
    const other = await releaseServer({ store, opsToken: 'another token' }, { db, config });
    const still = new Console(other);
    for (const [name, value] of person.cookies) still.cookies.set(name, value);
    expect([await person.status(), await still.status()]).toEqual([200, 401]);
    await other.close();
  });
});

describe('a session', () => {
  const sessionsAt = (now: () => number, blobs = store.blobs) =>
    new BackOfficeSessions(config.secret).withReleases({ blobs, breakGlassToken: breakGlass, provider: null }, now);
  const openOf = (sessions: BackOfficeSessions, name = 'Ann') => {
    const visitor = sessions.open({ name, way: 'password', subject: name, role: 'ops' });
    if (!visitor) throw new Error('no session');
    const cookies = sessions.cookies(visitor, false).map((set) => set.split(';')[0]);
    return { visitor, cookies: cookies.join('; ') };
  };

  it('ends together with its previews, and by itself after eight hours; ended ones are forgotten then', async () => {
    let now = Date.now();
    const sessions = sessionsAt(() => now);
    const good = async (cookies: string) => [
      (await sessions.previewer(cookies)) !== null,
      (await sessions.of(cookies)) !== null,
    ];
    const [first, second] = [openOf(sessions), openOf(sessions, 'Ben')];
    expect(await good(first.cookies)).toEqual([true, true]);
    await sessions.end(first.visitor);
    expect(await good(first.cookies)).toEqual([false, false]);
    expect(await good(second.cookies)).toEqual([true, true]);
    now += 8 * 3_600_000 + 1_000;
    expect(await good(second.cookies)).toEqual([false, false]);
    await sessions.end(openOf(sessions).visitor);
    expect(await store.blobs.list('ops/ended/')).toHaveLength(1);
  });

  it('ends for a person everywhere but where it was asked, at each server; for good when the person is disabled', async () => {
    let now = Date.now();
    const [sessions, others] = [sessionsAt(() => now), sessionsAt(() => now)];
    const [first, second] = [openOf(sessions), openOf(sessions)];
    await sessions.endPerson('Ann', { except: second.visitor.id });
    for (const at of [sessions, others])
      expect([await at.of(first.cookies), await at.of(second.cookies)]).toMatchObject([
        null,
        { id: second.visitor.id },
      ]);
    now += 1;
    expect(await others.of(openOf(sessions).cookies)).not.toBeNull();
    await sessions.endPerson('Ann', { forGood: true });
    now += 1;
    expect(await sessions.of(openOf(sessions).cookies)).toBeNull();
    expect(await sessions.of(openOf(sessions, 'Ben').cookies)).not.toBeNull();
  });

  it('cannot be forged, nor made from a preview’s cookie', async () => {
    for (const cookie of ['staff=e30.AAAA', openOf(new BackOfficeSessions('another secret')).cookies])
      expect(await sessionsAt(Date.now).of(cookie)).toBeNull();
    const { cookies } = openOf(sessionsAt(Date.now));
    expect(await sessionsAt(Date.now).of(cookies.replace(/^.*ops-preview=/, 'staff='))).toBeNull();
  });

  it('ends although what had ended earlier cannot be cleaned up', async () => {
    const list = async () => {
      throw new Error('the store is slow');
    };
    const sessions = sessionsAt(Date.now, { ...store.blobs, list } as Store['blobs']);
    const { visitor, cookies } = openOf(sessions);
    await sessions.end(visitor);
    expect(await sessions.of(cookies)).toBeNull();
  });

  it.each(['none', 'a made-up one', 'one of a seller'])('with %s nothing is shown or done', async (which) => {
    const person = which === 'one of a seller' ? personOf(app, 'Sel', 'seller') : new Console(app);
    if (which === 'a made-up one') person.cookies.set('staff', 'b3Bz.AAAA');
    const status = which === 'one of a seller' ? 403 : 401;
    expect([await person.status(), (await person.act('rollback', { name: 'catalog' })).status]).toEqual([
      status,
      status,
    ]);
    expect(await live()).toBe(two);
  });

  it('of a manager may do what ops may', async () => {
    expect((await personOf(app, 'Max', 'manager').state()).you).toBe('Max (ops)');
  });
});

it('shows what is live, since when, by whom, how it does, what the watcher did, and the history', async () => {
  const counts = new HealthCounts(config.secret);
  const context = { language: 'en', device: 'phone', signedIn: false } as const;
  for (let index = 0; index < 6; index += 1)
    counts.add(
      { name: 'catalog', version: two, kind: 'render', visit: `${index}`.padStart(16, '0') },
      { network: `10.0.0.${index}`, context, traffic: 100 },
    );
  await counts.flush(healthStore(db));
  const source = mapSource(store, 'production');
  await new Watcher({ store, source, health: healthStore(db) }).look();
  const shown = await ann.state();
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
});

it('shows the steps of a canary that is raised by itself, and what it waits for', async () => {
  const three = await publishSample(store, { text: 'three' });
  await promote(store, { ...by, name: 'catalog', version: three, canary: [20, 60] });
  const [release] = (await ann.state()).releases;
  expect(release).toMatchObject({
    canary: { version: three, traffic: 20, steps: [20, 60, 100] },
    watched: { kind: 'canary', verdict: 'well', next: { traffic: 60, waitsFor: '10 more minutes' } },
  });
});

it('shows what is live while the database does not answer', async () => {
  const other = await releaseServer({ store }, { db: broken, config });
  const shown = await personOf(other, 'Ann').state();
  expect(shown).toMatchObject({ events: null, releases: [{ name: 'catalog', version: two, health: null }] });
  await other.close();
});

it('rolls back with one press and undoes it, through the same code as the terminal', async () => {
  const back = await ann.act('rollback', { name: 'catalog', why: 'pressed' });
  expect(back).toMatchObject({ status: 200, result: { name: 'catalog', from: two, to: one } });
  expect(await live()).toBe(one);
  expect((await history(store))[0]).toMatchObject({ action: 'rollback', by: '安 Ann (ops)', why: 'pressed' });
  expect(await ann.act('promote', { name: 'catalog', version: two, replace: true })).toMatchObject({
    result: { outcome: 'promoted', version: two },
  });
  expect(await live()).toBe(two);
});

it('rolls back while the map in the store is cut short', async () => {
  jest.spyOn(console, 'error').mockImplementation();
  await store.blobs.put('maps/production.json', Buffer.from('{"channel":"produ'));
  expect((await ann.act('rollback', { name: 'catalog' })).status).toBe(200);
  expect(await live()).toBe(one);
  expect(console.error).toHaveBeenCalledWith(expect.stringContaining('rebuilt from revision 2'));
});

describe('promote', () => {
  const wanted = () => ({ name: 'catalog', version: one, replace: true });

  it('runs the gate in a browser, and refuses what fails there', async () => {
    inBrowser = async () => [passed, failed];
    expect((await ann.act('promote', wanted())).error).toMatchObject({
      kind: 'gate',
      message: expect.stringContaining('not ready after 5 s'),
      canSkipBrowser: true,
    });
    expect(await live()).toBe(two);
  });

  it('leaves the browser out for a reason only, which is in the history', async () => {
    inBrowser = async () => [failed];
    const skipping = { ...wanted(), skip: ['browser'] };
    expect((await ann.act('promote', { ...skipping, why: ' ' })).error).toBeDefined();
    expect(await live()).toBe(two);
    expect((await ann.act('promote', { ...skipping, why: 'no browser tonight' })).result).toBeDefined();
    expect(await live()).toBe(one);
    expect((await history(store))[0]).toMatchObject({
      by: '安 Ann (ops)',
      why: 'no browser tonight (skipped: browser)',
    });
  });

  it('refuses on a server without a browser, and does not offer to skip other checks', async () => {
    const bare = await releaseServer({ store }, { db, config });
    const person = personOf(bare, 'Ann');
    expect((await person.act('promote', wanted())).error).toMatchObject({
      message: expect.stringContaining('no browser'),
      canSkipBrowser: true,
    });
    const other = await publishSample(store, { contract: 2 });
    expect((await person.act('promote', { ...wanted(), version: other })).error).toMatchObject({
      message: expect.stringContaining('contract'),
      canSkipBrowser: false,
    });
    expect(await live()).toBe(two);
    await bare.close();
  });

  it('shows what is being checked and who waits; whoever goes away while it waits leaves the queue', async () => {
    let finish = (_: Check[]) => {};
    const began = new Promise<void>((begin) => {
      inBrowser = () => {
        begin();
        return new Promise((resolve) => {
          finish = resolve;
        });
      };
    });
    const first = ann.act('promote', wanted());
    await began;
    const checking = async (name: string) =>
      (await ann.state()).releases.find((row: { name: string }) => row.name === name)?.checking;
    expect(await checking('catalog')).toMatchObject({
      by: '安 Ann (ops)',
      place: 1,
      message: expect.stringMatching(/^catalog/),
    });

    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    const wait = async () => {
      const leaving = new AbortController();
      const response = await fetch(`${address}/staff/api/releases/gate`, {
        method: 'POST',
        signal: leaving.signal,
        headers: { 'x-staff': 'act', 'content-type': 'application/json', cookie: `staff=${ann.cookies.get('staff')}` },
        body: JSON.stringify({ name: 'orders' }),
      });
      const lines = response.body?.getReader();
      const next = async () => Buffer.from((await lines?.read())?.value ?? []).toString();
      return { next, leave: () => leaving.abort() };
    };
    const second = await wait();
    expect(await second.next()).toBe('{"say":"waiting for the gate, 2nd in line","place":2}\n');
    const third = await wait();
    expect(await third.next()).toBe('{"say":"waiting for the gate, 3rd in line","place":3}\n');
    second.leave();
    expect(await third.next()).toBe('{"say":"waiting for the gate, 2nd in line","place":2}\n');
    expect((await ann.act('freeze', { name: 'orders', why: 'meanwhile' })).status).toBe(200);
    expect(await live()).toBe(two);
    finish([passed]);
    expect(await first).toMatchObject({ result: { version: one } });
    expect(await live()).toBe(one);
    expect(await third.next()).toContain('nothing of orders is published');
    expect(await checking('catalog')).toBeNull();
    app.server.closeAllConnections();
  });
});

it.each([
  ['no header of the page', 'rollback', { name: 'catalog' }, 403],
  ['an unknown act', 'destroy', { name: 'catalog' }, 404],
  ['a name that is none', 'rollback', { name: '../x' }, 400],
  ['a revision that is none', 'restore', { rev: -1 }, 400],
  ['a share out of range', 'promote', { name: 'catalog', traffic: 200 }, 400],
])('refuses %s and changes nothing', async (what, call, body, status) => {
  const headers = what === 'no header of the page' ? { 'x-staff': '' } : undefined;
  expect((await ann.act(call, body, headers)).status).toBe(status);
  expect(await live()).toBe(two);
});

describe('the steps of visits', () => {
  const minutesAgo = (minutes: number) => new Date(Math.floor(Date.now() / 60_000 - minutes) * 60_000).toISOString();
  const add = (name: string, version: string, minutes: number, visits: number, reached: number) =>
    db.run("insert into release_steps values ('minute', $1, $2, $3, 100, false, true, 'price>order', '{en}', $4, $5)", [
      minutesAgo(minutes),
      name,
      version,
      visits,
      reached,
    ]);

  it('are shown of the live release, and read by the minute, by a squad of its own remotes only', async () => {
    await add('catalog', two, 70, 10, 1);
    await add('catalog', two, 5, 30, 3);
    await add('orders', '1.0.0', 5, 7, 7);
    const [release] = (await ann.state()).releases;
    expect(release.health.funnel).toMatchObject([{ path: 'price>order', visits: 40, reached: 4 }]);
    expect(release.health.funnel[0].series.filter((share: number | null) => share !== null)).toEqual([0.1, 0.1]);
    const grant = {
      name: 'catalog CI',
      by: 'ann',
      role: 'squad',
      remotes: ['catalog'],
      channels: ['production'],
    } as const;
    const { key } = await new ReleaseKeys(store.blobs).make({ ...grant, lifetime: 3_600_000 });
    const ask = async (minutes: number | string) =>
      app.inject({ url: `/ops/api/steps?minutes=${minutes}`, headers: { authorization: `Bearer ${key}` } });
    expect((await ask(60)).json().result).toMatchObject([
      { name: 'catalog', path: 'price>order', visits: 30, reached: 3 },
    ]);
    expect((await ask('all')).statusCode).toBe(400);
    expect((await ann.ask('GET', '/staff/api/releases/steps?minutes=60')).json().result).toHaveLength(2);
  });
});
