import { type Check, history, liveVersion, mapSource, openStore, promote, type Store } from '@platform/releases';
import { publishLive, publishSample, scratch } from '@platform/releases/testing';
import { HealthCounts, Watcher } from '@platform/watch';
import { healthStore } from '@shop/server/health/health-store';
import { type Database, openEmbedded } from '@shop/server/platform/db/database';
import { until } from '../../../../scripts/jest/until';
import { Console, config, type ReleaseServers, releaseServers, userOf } from '../testing/back-office';
import { fromConsole } from '../testing/staff';

const by = { by: 'ann' };
let store: Store;
let servers: ReleaseServers;
let ann: Console;
let versionOne: string;
let versionTwo: string;
let db: Database;

beforeAll(async () => {
  db = await openEmbedded({ template: process.env.SHOP_TEST_TEMPLATE });
});
afterAll(() => db.close());
let inBrowser: () => Promise<Check[]>;
const passed: Check = { check: 'browser', outcome: 'passed', detail: 'fine' };

beforeEach(async () => {
  await db.script(
    'truncate release_periods, release_minutes, release_votes, release_vitals, release_errors, release_visits, release_steps, release_webhooks, release_events, release_changes_told',
  );
  store = openStore({ place: await scratch() });
  versionOne = await publishLive(store, { text: 'one' });
  versionTwo = await publishLive(store, { text: 'two' });
  inBrowser = async () => [passed];
  const browserGate = async () => ({ check: 'browser', run: () => inBrowser() });
  servers = await releaseServers({ store, browserGate }, { db, config });
  ann = await userOf(servers, '安 Ann');
});
afterEach(() => servers.close());

const live = async () => liveVersion(await store.readMap(), 'catalog');

describe('a session', () => {
  it.each<[string, () => Promise<Console>, number]>([
    ['none', async () => new Console(servers.console), 401],
    ['a made-up one', async () => new Console(servers.console, 'staff=b3BzAAAA'), 401],
    ['one of a seller', () => userOf(servers, 'Sel', 'seller'), 403],
  ])('a session with %s reads and changes nothing', async (_name, sessionOf, status) => {
    const user = await sessionOf();
    expect((await user.ask('GET', '/staff/api/releases/state')).statusCode).toBe(status);
    expect((await user.run('rollback', { name: 'catalog' })).status).toBe(status);
    expect(await live()).toBe(versionTwo);
  });

  it('a session of a manager has the rights of ops', async () => {
    expect((await (await userOf(servers, 'Max', 'manager')).state()).mayRestore).toBe(true);
  });

  it('a session makes and revokes release keys only with a code of the last five minutes', async () => {
    const keys = '/staff/api/releases/keys';
    const keyRequest = { name: 'CI', role: 'ops' };
    expect((await ann.ask('POST', keys, keyRequest)).json().result.identity).toMatchObject({ name: 'CI', role: 'ops' });
    await db.run("update staff_sessions set code_at = now() - interval '5 minutes'");
    const { result } = (await ann.ask('GET', keys)).json();
    for (const answer of [await ann.ask('POST', keys, keyRequest), await ann.ask('DELETE', `${keys}/${result[0].id}`)])
      expect([answer.statusCode, answer.json().error.kind]).toEqual([403, 'fresh-code']);
    expect((await ann.ask('GET', keys)).json().result).toEqual(result);
  });
});

it('a session shows the live releases with date, author and health, the events of the watcher, and the history', async () => {
  const counts = new HealthCounts(config.secret);
  const context = { language: 'en', device: 'phone', signedIn: false } as const;
  for (let index = 0; index < 6; index += 1)
    counts.add(
      { name: 'catalog', version: versionTwo, kind: 'render', visit: `${index}`.padStart(16, '0') },
      { network: `10.0.0.${index}`, context, traffic: 100 },
    );
  await counts.flush(healthStore(db));
  const source = mapSource(store);
  await new Watcher({ store, source, health: healthStore(db) }).look();
  const shown = await ann.state();
  expect(shown.releases[0]).toMatchObject({
    name: 'catalog',
    version: versionTwo,
    previous: versionOne,
    by: 'ann',
    health: { visits: 6, failures: 6, share: 1 },
    watched: { verdict: 'alert', why: expect.stringContaining('100.0 % of 6 visits failed') },
  });
  expect(shown.events).toMatchObject([
    { kind: 'alert', name: 'catalog', version: versionTwo, evidence: { fresh: { visits: 6, failures: 6 } } },
  ]);
  expect(shown.history).toHaveLength(2);
});

it('a session shows the stages of an automatic canary and what it waits for', async () => {
  const three = await publishSample(store, { text: 'three' });
  await promote(store, { ...by, name: 'catalog', version: three, canary: [20, 60] });
  const [release] = (await ann.state()).releases;
  expect(release).toMatchObject({
    canary: { version: three, traffic: 20, steps: [20, 60, 100] },
    watched: { verdict: 'well', next: { traffic: 60, waitsFor: '10 more minutes' } },
  });
});

it('a session rolls back with one call and undoes it, through the same code as the terminal', async () => {
  const back = await ann.run('rollback', { name: 'catalog', why: 'pressed' });
  expect(back).toMatchObject({ status: 200, result: { name: 'catalog', from: versionTwo, to: versionOne } });
  expect(await live()).toBe(versionOne);
  expect((await history(store))[0]).toMatchObject({ action: 'rollback', by: '安 Ann (ops)', why: 'pressed' });
  expect(await ann.run('promote', { name: 'catalog', version: versionTwo, replace: true })).toMatchObject({
    result: { outcome: 'promoted', version: versionTwo },
  });
  expect(await live()).toBe(versionTwo);
});

it('a session cannot roll back to a worse release unless the user insists', async () => {
  const page = { page: './main', module: './src/main.tsx', title: { 'zh-CN': '', en: '' } };
  const claims = async (path: string) => {
    await publishLive(store, { name: 'gifts', routes: [{ ...page, path }] });
  };
  await claims('/gifts');
  await claims('/presents');
  await publishLive(store, { name: 'orders', routes: [{ ...page, path: '/gifts' }] });
  const { status, error } = await ann.run('rollback', { name: 'gifts' });
  expect(status).toBe(409);
  expect(error).toMatchObject({ kind: 'gate', canInsist: true, message: expect.stringContaining('claimed by orders') });
  expect((await ann.run('rollback', { name: 'gifts', anyway: true })).status).toBe(200);
});

describe('promote', () => {
  const request = () => ({ name: 'catalog', version: versionOne, replace: true });

  it('promote is refused on a server without a browser, and for a release that fails a check', async () => {
    const bare = await releaseServers({ store }, { db, config });
    const user = await userOf(bare, 'Ann');
    const message = (part: string) => expect.stringContaining(part);
    const first = await user.run('promote', request());
    expect(first.error).toMatchObject({ message: message('no browser') });
    const release = await publishSample(store, { contract: 2 });
    const second = await user.run('promote', { ...request(), version: release });
    expect(second.error).toMatchObject({ message: message('contract') });
    expect(await live()).toBe(versionTwo);
    await bare.close();
  });

  it('promote reports the running check; a caller that disconnects while it waits leaves the queue', async () => {
    let finish = (_: Check[]) => {};
    const checked = new Promise<Check[]>((resolve) => {
      finish = resolve;
    });
    inBrowser = () => checked;
    const first = ann.run('promote', request());
    const place = async () => (await ann.state()).releases[0].placeAtGate;
    await until('the running check', async () => (await place()) === 1);
    const address = await servers.console.listen({ port: 0, host: '127.0.0.1' });
    const leaving = new AbortController();
    const response = await fetch(`${address}/staff/api/releases/promote`, {
      method: 'POST',
      signal: leaving.signal,
      headers: { ...fromConsole, origin: address, 'content-type': 'application/json', cookie: ann.cookie },
      body: JSON.stringify(request()),
    });
    const lines = response.body?.getReader();
    expect(Buffer.from((await lines?.read())?.value ?? []).toString()).toContain('place 2 in line');
    leaving.abort();
    finish([passed]);
    expect(await first).toMatchObject({ result: { version: versionOne } });
    expect(await place()).toBe(0);
    expect(await history(store)).toHaveLength(3);
    servers.console.server.closeAllConnections();
  });
});
