/** Acts that need two people: who counts as one, at /ops and over the release API. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Grant, history, liveVersion, openStore, promote, ReleaseKeys, type Store } from '@shop/release';
import { publishSample } from '@shop/release/testing';
import fastify, { type FastifyInstance } from 'fastify';
import type { OpsProposal } from './ops-state';
import { releasePlugins } from './release-plugins';
import { parseSecondPerson } from './second-person';

jest.setTimeout(60_000);
const shared = 'a-token-for-tests';
const tokens = new Map([
  ['Ann', 'the token of Ann'],
  ['Ben', 'the token of Ben'],
  ['Cid', 'the token of Cid'],
]);
const keys: Record<string, string> = {};
let folder: string;
let store: Store;
let app: FastifyInstance;
let other: FastifyInstance;
let one: string;
let two: string;
let three: string;
let clock: number;

const server = async () => {
  const { plugins } = releasePlugins({
    ...{ store, opsToken: shared, opsTokens: tokens, openId: null, watchEvery: 0, now: () => clock },
    secondPerson: parseSecondPerson('promote:catalog, unfreeze'),
    browserGate: async () => ({ check: 'browser', run: async () => [] }),
  });
  const made = fastify();
  for (const plugin of plugins) await made.register(plugin, {});
  return made;
};

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

const cookies = new Map<string, string>();
async function cookieOf(person: string): Promise<string> {
  const known = cookies.get(person);
  if (known) return known;
  const answer = await app.inject({
    method: 'POST',
    url: '/ops/login',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ token: tokens.get(person) ?? shared, person }).toString(),
  });
  const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? '';
  cookies.set(person, cookie);
  return cookie;
}
const press = async (person: string, payload: object, at = app) => {
  const headers = { cookie: await cookieOf(person), 'x-ops': '1' };
  const answer = await at.inject({ method: 'POST', url: '/ops/act', headers, payload });
  let job = answer.json();
  if (answer.statusCode !== 202) return { status: answer.statusCode, ...job };
  // A promote that takes longer than the page waits for.
  while (job.state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 5));
    job = (await at.inject({ url: `/ops/jobs/${job.id}`, headers })).json();
  }
  return { status: job.state === 'done' ? 200 : 409, ...job };
};
const decide = (person: string, action: 'confirm' | 'decline', proposal: string, at = app) =>
  press(person, { action, proposal }, at);
const call = async (key: string, act: string, payload?: object) => {
  const headers = { authorization: `Bearer ${keys[key]}` };
  const answer = await app.inject({ method: payload ? 'POST' : 'GET', url: `/ops/api/${act}`, headers, payload });
  return { status: answer.statusCode, ...JSON.parse(answer.body.trim().split('\n').at(-1) ?? '{}') };
};
const proposals = async (person = 'Ann'): Promise<OpsProposal[]> => {
  // What a page saw a moment ago is good for a moment.
  await press(person, { action: 'confirm', proposal: '' });
  const headers = { cookie: await cookieOf(person) };
  return (await app.inject({ url: '/ops/state.json', headers })).json().proposals;
};
const only = async (person?: string): Promise<OpsProposal> => {
  const [proposal, ...rest] = await proposals(person);
  if (!proposal || rest.length > 0) throw new Error(`${rest.length + (proposal ? 1 : 0)} proposals wait`);
  return proposal;
};
const live = async () => liveVersion(await store.readMap('production'), 'catalog');
const wanted = () => ({ action: 'promote', name: 'catalog', version: three, why: 'a new list' });

it('is done when somebody else confirms it, under both names', async () => {
  expect(await press('Ann', wanted())).toMatchObject({
    status: 200,
    proposed: true,
    message: `It is proposed: promote catalog@${three} for everybody. Somebody else has to confirm it.`,
  });
  expect(await live()).toBe(two);
  expect(await only('Ann')).toMatchObject({ by: 'Ann (ops)', why: 'a new list', mayConfirm: false, mayDecide: true });
  const { id, mayConfirm } = await only('Ben');
  expect(mayConfirm).toBe(true);
  expect(await decide('Ben', 'confirm', id)).toMatchObject({ status: 200, state: 'done' });
  expect(await live()).toBe(three);
  expect((await history(store))[0]).toMatchObject({ by: 'Ann (ops), confirmed by Ben (ops)', why: 'a new list' });
  expect(await proposals()).toEqual([]);
});

it('is not confirmed by the same person, in another session either, nor by the shared token', async () => {
  await press('Ann', wanted());
  const { id } = await only();
  expect(await decide('Ann', 'confirm', id)).toMatchObject({ status: 409, message: /agreed to this already/ });
  cookies.delete('Ann');
  expect(await decide('Ann', 'confirm', id)).toMatchObject({ status: 409, message: /agreed to this already/ });
  // Ann has the shared token too, and types another name.
  expect(await decide('Somebody', 'confirm', id)).toMatchObject({ status: 403, message: /A shared token is nobody/ });
  expect(await live()).toBe(two);
});

it('needs two people when a key or the shared token proposes it, because neither is one', async () => {
  const body = { name: 'catalog', version: three, traffic: 50 };
  expect(await call('catalog', 'promote', body)).toMatchObject({
    status: 409,
    error: { kind: 'proposed', message: expect.stringContaining(`promote catalog@${three} to 50 % of the visitors`) },
  });
  expect((await call('ops', 'proposals')).result).toMatchObject([{ by: 'catalog (squad, key)', agreed: [] }]);
  const { id } = await only();
  expect(await decide('Ben', 'confirm', id)).toMatchObject({ proposed: true, message: /One more person/ });
  expect(await live()).toBe(two);
  expect(await decide('Ben', 'confirm', id)).toMatchObject({ status: 409 });
  expect(await decide('Ann', 'confirm', id)).toMatchObject({ status: 200, state: 'done' });
  expect((await history(store))[0]?.by).toMatch(
    /^catalog \(squad, key\), confirmed by (Ann \(ops\), Ben|Ben \(ops\), Ann) \(ops\)$/,
  );
  expect((await press('Ann', { action: 'rollback', name: 'catalog' })).status).toBe(200);

  await press('Somebody', wanted());
  const { id: typed } = await only();
  expect(await decide('Ben', 'confirm', typed)).toMatchObject({ proposed: true });
  expect(await live()).toBe(two);
});

it('has no way round by one person: no rollback to what was never live, no other act in its place', async () => {
  const four = await publishSample(store, { text: 'four' });
  expect(await press('Ann', { action: 'rollback', name: 'catalog', version: four })).toMatchObject({ status: 409 });
  expect(await call('ops', 'rollback', { name: 'catalog', to: four })).toMatchObject({ status: 409 });
  const together = { releases: [{ name: 'orders' }, { name: 'catalog' }] };
  expect(await call('ops', 'promote-together', together)).toMatchObject({ error: { message: /needs the version/ } });
  const versions = { releases: [{ name: 'catalog', version: three }] };
  expect(await call('ops', 'promote-together', versions)).toMatchObject({ error: { kind: 'proposed' } });
  expect(await call('ops', 'promote', { name: 'catalog', canary: 'auto', version: three })).toMatchObject({
    error: { kind: 'proposed' },
  });
  expect(await live()).toBe(two);
});

it('agrees to one version: what is published meanwhile is not promoted', async () => {
  expect(await press('Ann', { action: 'promote', name: 'catalog' })).toMatchObject({
    status: 409,
    message: /needs the version that they agree to/,
  });
  expect(await call('catalog', 'promote', { name: 'catalog' })).toMatchObject({ error: { kind: 'refused' } });
});

it('is asked for what the setting names only, and a dry run needs nobody', async () => {
  expect((await press('Ann', { action: 'rollback', name: 'catalog', version: one })).status).toBe(200);
  expect(await live()).toBe(one);
  expect((await press('Ann', { action: 'freeze', name: 'orders', why: 'errors' })).status).toBe(200);
  expect(await press('Ann', { action: 'unfreeze', name: 'orders' })).toMatchObject({ proposed: true });
  await decide('Ben', 'confirm', (await only()).id);
  expect((await store.readMap('production')).ops.frozen.orders ?? []).toEqual([]);
  await call('ops', 'promote', { name: 'catalog', version: two, dryRun: true });
  expect(await proposals()).toEqual([]);
});

it('is begun once, whoever confirms it at whatever server', async () => {
  await press('Ann', wanted());
  const { id } = await only();
  const { rev } = await store.readMap('production');
  const answers = await Promise.all([decide('Ben', 'confirm', id), decide('Cid', 'confirm', id, other)]);
  expect(answers.filter(({ state }) => state === 'done')).toHaveLength(1);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await store.readMap('production')).rev).toBe(rev + 1);
  expect(await decide('Cid', 'confirm', id)).toMatchObject({ status: 409, message: /waits no more/ });
});

it('can be declined, and is forgotten after a day', async () => {
  await press('Ann', wanted());
  expect(await decide('Ben', 'decline', (await only()).id)).toMatchObject({ status: 200 });
  expect(await proposals()).toEqual([]);
  await press('Ann', wanted());
  const { id } = await only();
  clock += 86_400_000 + 1_000;
  cookies.clear();
  expect(await decide('Ben', 'confirm', id)).toMatchObject({ status: 409, message: /a day old/ });
  await press('Ann', { action: 'unfreeze', name: 'catalog' });
  expect(await store.blobs.list('ops/proposals/')).toHaveLength(1);
});

it.each([
  ['promote', '', []],
  ['promote:shell,restore , unfreeze, settings', '', ['promote', 'restore', 'unfreeze', 'settings']],
  ['gate', /"gate" is none of/, undefined],
  ['restore:shell', /"restore:shell" is none of/, undefined],
  ['promote:../x', /none of/, undefined],
])('reads the setting %s', (text, message, acts) => {
  const problems: string[] = [];
  const rules = parseSecondPerson(text, problems);
  expect(problems.join()).toMatch(message);
  if (acts?.length) expect(rules.map(({ act }) => act)).toEqual(acts);
});

it('does not start where nobody could be the second person', () => {
  const { env } = process;
  process.env = { ...env, OPS_SECOND_PERSON: 'restore', OPS_TOKEN: undefined, OPS_TOKENS: undefined };
  try {
    expect(() => releasePlugins({ store, openId: null })).toThrow(/OPS_SECOND_PERSON needs people/);
    expect(() => releasePlugins({ store, openId: null, opsTokens: tokens })).not.toThrow();
  } finally {
    process.env = env;
  }
});
