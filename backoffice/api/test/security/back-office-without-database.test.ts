/** Who looks after releases does so while the database is away; and somebody who is disabled does nothing, at whatever call. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { history, liveVersion, openStore, promote, type Store } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import { buildApp } from '@shop/server/app';
import type { App } from '@shop/server/platform/http/request';
import { TestApp } from '@shop/server/test/support/test-app';
import { backOfficeWithReleases } from '../../src/ops/release-plugins';
import type { StaffRole } from '../../src/staff/roles';
import { Console } from '../../src/testing/back-office';
import { codeNow, staffPerson } from '../../src/testing/staff';

let shop: TestApp;
let folder: string;
let store: Store;
let app: App;
let one: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-back-office-'));
  store = openStore({ place: folder });
  one = await publishSample(store, { text: 'one' });
  await promote(store, { by: 'ann', name: 'catalog' });
  await publishSample(store, { text: 'two' });
  await promote(store, { by: 'ann', name: 'catalog' });
  shop = await TestApp.open('pglite');
  const { plugins } = backOfficeWithReleases({ store, opsToken: 'a-token-for-tests', openId: null, watchEvery: 0 });
  app = await buildApp({ ...shop.context, plugins });
});
afterAll(async () => {
  await app.close();
  await shop.close().catch(() => {});
  await rm(folder, { recursive: true, force: true });
});

async function signedIn(name: string, role: StaffRole) {
  const { password, address } = await staffPerson(shop.context, name, role);
  const signIn = async () => {
    const person = new Console(app);
    // A code signs in once.
    await shop.db.run('update staff_people set totp_step = 0 where name = $1', [name]);
    const answer = await person.ask('POST', '/staff/api/session', { name, password, code: codeNow(address) });
    expect(answer.json()).toMatchObject({ code: 200, data: { name, role } });
    return person;
  };
  return { person: await signIn(), signIn, password };
}
const session = async (person: Console) => (await person.ask('GET', '/staff/api/session')).json().code;
/** Whom the audit log names for what was done last. */
const lastActor = async (action: string) =>
  (
    await shop.db.one<{ actor: string }>('select actor from audit_log where action = $1 order by id desc limit 1', [
      action,
    ])
  ).actor;
const both = async (person: Console) => [await session(person), await person.status()];

it('a disabled person’s cookie is refused by the calls of staff and of releases, and so is a copy of one that signed out', async () => {
  const { person: max } = await signedIn('Max', 'manager');
  const { person: ann, signIn, password } = await signedIn('Ann', 'ops');
  expect(await both(ann)).toEqual([200, 200]);
  const other = await signIn();
  const change = { current: password, password: 'correct horse battery' };
  expect((await other.ask('POST', '/staff/api/password', change)).json().code).toBe(200);
  expect([await both(ann), await both(other)]).toEqual([
    [401, 401],
    [200, 200],
  ]);
  const disabled = { name: 'Ann', disabled: true };
  expect((await max.ask('POST', '/staff/api/people/change', disabled)).json().code).toBe(200);
  expect(await both(other)).toEqual([401, 401]);

  const { person: ben } = await signedIn('Ben', 'ops');
  const copy = new Console(app);
  for (const [name, value] of ben.cookies) copy.cookies.set(name, value);
  expect((await ben.ask('DELETE', '/staff/api/session')).json().data).toEqual({ done: true, next: null });
  expect(await both(copy)).toEqual([401, 401]);
  expect((await copy.act('rollback', { name: 'catalog' })).status).toBe(401);
});

it('half an hour without an act ends both, once the console has asked; so does signing out, of the break-glass token too', async () => {
  const { person: dan } = await signedIn('Dan', 'ops');
  await shop.db.run("update staff_sessions set seen_at = now() - interval '31 minutes'");
  expect(await both(dan)).toEqual([401, 401]);
  const token = new Console(app);
  await token.withToken('a-token-for-tests', 'Eve');
  expect(await both(token)).toEqual([200, 200]);
  const copy = new Console(app);
  for (const [name, value] of token.cookies) copy.cookies.set(name, value);
  expect((await token.ask('DELETE', '/staff/api/session')).statusCode).toBe(200);
  expect(await both(copy)).toEqual([401, 401]);
  expect(await lastActor('session.close')).toBe('Eve (ops, break-glass)');
});

it('whoever has signed in sees the state and rolls back after the database has gone away, and signs out', async () => {
  const { person: cid } = await signedIn('Cid', 'ops');
  await shop.context.db.close();
  expect(await session(cid)).toBe(200);
  let state = await cid.state();
  // What was read just before is shown for a second.
  while (state.events) state = await cid.state();
  expect(state).toMatchObject({
    you: 'Cid (ops)',
    events: null,
    releases: [{ name: 'catalog', health: null }],
  });
  expect(await cid.act('rollback', { name: 'catalog', why: 'errors' })).toMatchObject({
    status: 200,
    result: { to: one },
  });
  expect(liveVersion(await store.readMap('production'), 'catalog')).toBe(one);
  expect((await history(store))[0]).toMatchObject({ action: 'rollback', by: 'Cid (ops)', why: 'errors' });
  const token = new Console(app);
  expect((await token.withToken()).statusCode).toBe(200);
  expect(await both(token)).toEqual([200, 200]);
  expect((await cid.ask('DELETE', '/staff/api/session')).statusCode).toBe(200);
  expect(await cid.status()).toBe(401);
});
