/** Acts that need two people: who counts as one, in the back office and with a key. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ActRequest,
  type Grant,
  history,
  liveVersion,
  openStore,
  promote,
  ReleaseKeys,
  type Store,
} from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import type { App } from '@shop/server/platform/http/request';
import { Settings } from '@shop/server/platform/settings/settings';
import { parseSecondPerson } from '../staff/second-person';
import { Console, config, personOf, releaseServer } from '../testing/back-office';
import type { OpsProposal } from './ops-state';
import { describeAct, Proposals } from './proposals';

const keys: Record<string, string> = {};
let folder: string;
let store: Store;
let app: App;
let other: App;
let one: string;
let two: string;
let three: string;
let clock: number;

const server = () =>
  releaseServer({
    store,
    opsToken: config.secret,
    now: () => clock,
    secondPerson: parseSecondPerson(new Settings({ OPS_SECOND_PERSON: 'promote:catalog, unfreeze' })),
    browserGate: async () => ({ check: 'browser', run: async () => [] }),
  });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-second-'));
  store = openStore({ place: folder });
  clock = Date.now();
  one = await publishSample(store, { text: 'one' });
  await promote(store, { by: 'ann', name: 'catalog' });
  two = await publishSample(store, { text: 'two' });
  await promote(store, { by: 'ann', name: 'catalog' });
  three = await publishSample(store, { text: 'three' });
  await publishSample(store, { name: 'orders' });
  await promote(store, { by: 'ann', name: 'orders' });
  const made = new ReleaseKeys(store.blobs);
  const grants: Record<string, Grant> = {
    ops: { role: 'ops', remotes: [], channels: [] },
    catalog: { role: 'squad', remotes: ['catalog'], channels: ['production'] },
  };
  for (const [name, grant] of Object.entries(grants))
    keys[name] = (await made.make({ ...grant, name, by: 'ann', lifetime: 3_600_000 })).key;
  [app, other] = [await server(), await server()];
});
beforeEach(() => {
  clock = Date.now();
});
afterEach(async () => {
  for (const { id } of await proposals()) await decide('Ann', 'decline', id);
  if ((await live()) !== two) await promote(store, { by: 'ann', name: 'catalog', version: two });
});
afterAll(async () => {
  await app.close();
  await other.close();
  await rm(folder, { recursive: true, force: true });
});

/** Somebody holds the break-glass token. */
async function consoleOf(person: string, at: App): Promise<Console> {
  if (person !== 'Somebody') return personOf(at, person, 'ops', () => clock);
  const somebody = new Console(at);
  await somebody.withToken(config.secret, person);
  return somebody;
}
const press = async (person: string, act: string, body: object = {}, at = app) =>
  (await consoleOf(person, at)).act(act, body);
const decide = (person: string, decision: 'confirm' | 'decline', id: string, at = app) =>
  press(person, `proposals/${id}/${decision}`, {}, at);
const call = async (key: string, act: string, payload?: object) => {
  const headers = { authorization: `Bearer ${keys[key]}` };
  const answer = await app.inject({ method: payload ? 'POST' : 'GET', url: `/ops/api/${act}`, headers, payload });
  return { status: answer.statusCode, ...JSON.parse(answer.body.trim().split('\n').at(-1) ?? '{}') };
};
const proposals = async (person = 'Ann'): Promise<OpsProposal[]> =>
  (await (await consoleOf(person, app)).state()).proposals;
const only = async (person?: string): Promise<OpsProposal> => {
  const [proposal, ...rest] = await proposals(person);
  if (!proposal || rest.length > 0) throw new Error(`${rest.length + (proposal ? 1 : 0)} proposals wait`);
  return proposal;
};
const live = async () => liveVersion(await store.readMap('production'), 'catalog');
const wanted = () => ({ name: 'catalog', version: three, why: 'a new list', replace: true });

it('is done when somebody else confirms it, under both names', async () => {
  expect(await press('Ann', 'promote', wanted())).toMatchObject({
    status: 202,
    proposed: true,
    message: `It is proposed: promote catalog@${three} for everybody. Somebody else has to confirm it.`,
  });
  expect(await live()).toBe(two);
  expect(await only('Ann')).toMatchObject({ by: 'Ann (ops)', why: 'a new list', mayConfirm: false, mayDecide: true });
  const { id, mayConfirm } = await only('Ben');
  expect(mayConfirm).toBe(true);
  expect(await decide('Ben', 'confirm', id)).toMatchObject({ status: 200, result: { version: three } });
  expect(await live()).toBe(three);
  expect((await history(store))[0]).toMatchObject({ by: 'Ann (ops), confirmed by Ben (ops)', why: 'a new list' });
  expect(await proposals()).toEqual([]);
});

it('is not confirmed by the same person, in another session either, nor by the break-glass token', async () => {
  await press('Ann', 'promote', wanted());
  const { id } = await only();
  // Each call is a session of its own.
  expect(await decide('Ann', 'confirm', id)).toMatchObject({
    status: 409,
    error: { message: expect.stringContaining('agreed to this already') },
  });
  // Ann has the break-glass token too, and types another name.
  expect(await decide('Somebody', 'confirm', id)).toMatchObject({
    status: 403,
    error: { message: expect.stringContaining('token is nobody') },
  });
  expect(await live()).toBe(two);
});

it('needs two people when a key or the break-glass token proposes it, because neither is one', async () => {
  const body = { name: 'catalog', version: three, traffic: 50 };
  expect(await call('catalog', 'promote', body)).toMatchObject({
    status: 409,
    error: { kind: 'proposed', message: expect.stringContaining(`promote catalog@${three} to 50 % of the visitors`) },
  });
  expect((await call('ops', 'proposals')).result).toMatchObject([{ by: 'catalog (squad, key)', agreed: [] }]);
  const { id } = await only();
  expect(await decide('Ben', 'confirm', id)).toMatchObject({
    proposed: true,
    message: expect.stringContaining('One more person'),
  });
  expect(await live()).toBe(two);
  expect(await decide('Ben', 'confirm', id)).toMatchObject({ status: 409 });
  expect(await decide('Ann', 'confirm', id)).toMatchObject({ status: 200, result: { version: three } });
  expect((await history(store))[0]?.by).toMatch(
    /^catalog \(squad, key\), confirmed by (Ann \(ops\), Ben|Ben \(ops\), Ann) \(ops\)$/,
  );
  expect((await press('Ann', 'rollback', { name: 'catalog' })).status).toBe(200);

  await press('Somebody', 'promote', wanted());
  const { id: typed } = await only();
  expect(await decide('Ben', 'confirm', typed)).toMatchObject({ proposed: true });
  expect(await live()).toBe(two);
});

it('has no way round by one person: no rollback to what was never live, no other act in its place', async () => {
  const four = await publishSample(store, { text: 'four' });
  expect(await press('Ann', 'rollback', { name: 'catalog', to: four })).toMatchObject({ status: 409 });
  expect(await call('ops', 'rollback', { name: 'catalog', to: four })).toMatchObject({ status: 409 });
  const together = { releases: [{ name: 'orders' }, { name: 'catalog' }] };
  expect(await call('ops', 'promote-together', together)).toMatchObject({
    error: { message: expect.stringContaining('needs the version') },
  });
  const versions = { releases: [{ name: 'catalog', version: three }] };
  expect(await call('ops', 'promote-together', versions)).toMatchObject({ error: { kind: 'proposed' } });
  expect(await call('ops', 'promote', { name: 'catalog', canary: 'auto', version: three })).toMatchObject({
    error: { kind: 'proposed' },
  });
  expect(await live()).toBe(two);
});

it('agrees to one version: what is published meanwhile is not promoted', async () => {
  expect(await press('Ann', 'promote', { name: 'catalog' })).toMatchObject({
    status: 409,
    error: { message: expect.stringContaining('needs the version that they agree to') },
  });
  expect(await call('catalog', 'promote', { name: 'catalog' })).toMatchObject({ error: { kind: 'refused' } });
});

it('is asked for what the setting names only, and a dry run needs nobody', async () => {
  expect((await press('Ann', 'rollback', { name: 'catalog', to: one })).status).toBe(200);
  expect(await live()).toBe(one);
  expect((await press('Ann', 'freeze', { name: 'orders', why: 'errors' })).status).toBe(200);
  expect(await press('Ann', 'unfreeze', { name: 'orders' })).toMatchObject({ proposed: true });
  await decide('Ben', 'confirm', (await only()).id);
  expect((await store.readMap('production')).ops.frozen.orders ?? []).toEqual([]);
  await call('ops', 'promote', { name: 'catalog', version: two, dryRun: true });
  expect(await proposals()).toEqual([]);
});

it('is begun once, whoever confirms it at whatever server', async () => {
  await press('Ann', 'promote', wanted());
  const { id } = await only();
  const { rev } = await store.readMap('production');
  const answers = await Promise.all([decide('Ben', 'confirm', id), decide('Cid', 'confirm', id, other)]);
  expect(answers.filter(({ result }) => result?.version === three)).toHaveLength(1);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await store.readMap('production')).rev).toBe(rev + 1);
  expect(await decide('Cid', 'confirm', id)).toMatchObject({
    status: 409,
    error: { message: expect.stringContaining('waits no more') },
  });
});

it('can be declined, and is forgotten after a day', async () => {
  await press('Ann', 'promote', wanted());
  expect(await decide('Ben', 'decline', (await only()).id)).toMatchObject({ status: 200 });
  expect(await proposals()).toEqual([]);
  await press('Ann', 'promote', wanted());
  const { id } = await only();
  clock += 86_400_000 + 1_000;
  expect(await decide('Ben', 'confirm', id)).toMatchObject({
    status: 409,
    error: { message: expect.stringContaining('a day old') },
  });
  await press('Ann', 'unfreeze', { name: 'catalog' });
  expect(await store.blobs.list('ops/proposals/')).toHaveLength(1);
});

it.each<[ActRequest, boolean, string]>([
  [{ act: 'promote', name: 'catalog', version: '2' }, true, 'promote catalog@2 for everybody'],
  [{ act: 'promote', name: 'orders', canary: 'auto' }, false, 'promote orders as a canary'],
  [
    { act: 'promote', name: 'orders', traffic: 5, skip: ['size', 'routes'] },
    false,
    'promote orders to 5 % of the visitors, without these checks: size, routes',
  ],
  [
    {
      act: 'promote-together',
      releases: [
        { name: 'orders', version: '1' },
        { name: 'catalog', version: '2' },
      ],
    },
    true,
    'promote orders@1 and catalog@2 together',
  ],
  [{ act: 'promote-together', releases: [{ name: 'orders', version: '1' }] }, false, 'promote orders@1 together'],
  [{ act: 'rollback', name: 'catalog', to: '1' }, false, 'rollback catalog to 1'],
  [{ act: 'rollback', name: 'catalog' }, false, 'rollback catalog'],
  [{ act: 'freeze', name: 'catalog', version: '1' }, false, 'freeze catalog@1'],
  [{ act: 'unfreeze', name: 'orders' }, true, 'unfreeze orders'],
  [{ act: 'restore', rev: 7 }, true, 'put the whole map back to revision 7'],
  [{ act: 'settings', provenance: 'signed' }, false, 'set provenance to signed'],
  [{ act: 'settings', provenance: 'off', overrides: 'on' }, false, 'set provenance to off and set overrides to on'],
])('%j: needs two people where promote:catalog, unfreeze and restore do: %s', (act, needed, description) => {
  const rules = parseSecondPerson(new Settings({ OPS_SECOND_PERSON: 'promote:catalog,unfreeze,restore' }));
  expect(new Proposals(store.blobs, rules).isNeeded(act)).toBe(needed);
  expect(describeAct(act)).toBe(description);
});

it('is not agreed to by who reads it before another person begins it', async () => {
  const waiting = new Proposals(openStore({ place: join(folder, 'ended') }).blobs, [{ act: 'unfreeze' }], () => clock);
  await waiting.propose({ act: { act: 'unfreeze', name: 'catalog' }, channel: 'production', by: 'ann' }, null);
  const [read] = await waiting.list('production');
  if (!read) throw new Error('nothing waits');
  expect(await waiting.end(read)).toBe(true);
  await expect(waiting.agree(read, { subject: 'ben', author: 'Ben' })).rejects.toThrow('begun or declined meanwhile');
});

it('lists those of a channel, oldest first, and lets fifty wait, until a day has passed', async () => {
  const rules = [{ act: 'unfreeze' }] as const;
  const stored = openStore({ place: join(folder, 'other') }).blobs;
  // A store lists in no order.
  const blobs = { ...stored, list: async (prefix: string) => (await stored.list(prefix)).sort().reverse() };
  const waiting = new Proposals(blobs, rules, () => clock);
  const propose = (channel = 'production') =>
    waiting.propose({ act: { act: 'unfreeze', name: 'catalog' }, channel, by: 'ann' }, null);
  const ids: string[] = [];
  for (let count = 0; count < 49; count += 1) {
    ids.push(await propose());
    clock += 1_000;
  }
  const preview = await propose('preview');
  expect((await waiting.list('production')).map(({ id }) => id)).toEqual(ids);
  expect((await waiting.list('preview')).map(({ id }) => id)).toEqual([preview]);
  expect(await waiting.get(preview, 'production')).toBeNull();
  expect(await waiting.get(`${preview}/../${preview}`, 'preview')).toBeNull();
  expect(await new Proposals(blobs, [], () => clock).list('production')).toEqual([]);
  await expect(propose()).rejects.toThrow('too many proposals wait');
  clock += 86_400_000;
  await expect(propose()).resolves.toMatch(/^\d{10}-/);
});
