import { openStore, ReleaseKeys, type Store } from '@platform/releases';
import { publishSample, sample, scratch, writeBuild } from '@platform/releases/testing';
import { backOfficeWithReleases } from '@shop/backoffice/releases';
import fastify, { type FastifyInstance } from 'fastify';
import { main } from './main';
import { commandsWith } from './testing/run-command';

let store: Store;
let app: FastifyInstance;
let shop: string;

beforeAll(async () => {
  store = openStore({ place: await scratch() });
  app = fastify();
  const browserGate = async () => ({
    check: 'browser',
    run: async () => [{ check: 'browser', outcome: 'passed' as const, detail: 'fine' }],
  });
  for (const plugin of backOfficeWithReleases({ store, browserGate, forges: [] }).plugins)
    await app.register(plugin, {});
  shop = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());
afterEach(() => {
  delete process.env.RELEASE_KEY;
});

const { run, json } = commandsWith(() => ['--shop', shop]);
const useKey = async (name: string, role: 'squad' | 'ops' | 'viewer') => {
  const remotes = role === 'squad' ? ['catalog'] : [];
  const made = await new ReleaseKeys(store.blobs).make({ role, remotes, name, by: 'test', lifetime: 3_600_000 });
  process.env.RELEASE_KEY = made.key;
};

it('npm run release --shop publishes, gates, promotes, starts canaries and rolls back with the same output and exit codes as on the store', async () => {
  await useKey('catalog CI', 'squad');
  const dists = await Promise.all(['one', 'two'].map((text) => writeBuild(sample({ text }))));
  const [one, two] = ['one', 'two'].map((text) => sample({ text }).manifest.version);
  const published = await run('publish', 'catalog', '--from', dists[0] ?? '');
  expect(published).toMatchObject({ code: 0, out: expect.stringContaining(`catalog@${one}  published,`) });
  expect(published.out).toMatch(new RegExp(`^Preview: http\\S+/home\\?release=catalog@${one}$`, 'm'));
  expect((await run('publish', 'catalog', '--from', dists[0] ?? '')).out).toContain('already there');
  expect((await run('gate', 'catalog')).out).toMatch(/ok +browser[\s\S]*passes the gate/);
  expect((await run('promote', 'catalog')).out).toContain(`catalog@${one} is live; revision 1`);
  await run('publish', 'catalog', '--from', dists[1] ?? '');
  expect((await run('status', 'catalog')).out).toMatch(new RegExp(`catalog@${two} .* catalog CI \\(squad, key\\)`));
  expect((await run('promote', `catalog@${two}`, '--traffic', '10')).out).toContain('has 10 % of the visitors');
  expect((await json('status')).result.releases[0].canary).toMatchObject({ version: two, traffic: 10 });
  expect((await run('rollback', 'catalog', '--why', 'errors')).out).toMatch(/The canary .* is removed/);
  expect((await json('history', '--limit', '1')).result).toMatchObject([
    { action: 'abandon', by: 'catalog CI (squad, key)', why: 'errors' },
  ]);
  expect((await run('verify')).out).toContain('all files are as published');
  expect(await run('rollback', 'orders')).toMatchObject({ code: 6, err: expect.stringContaining('not a remote of') });
  const unknown = await run('promote', 'catalog@9.9.9-00000000');
  expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('is not in the store') });
});

it('npm run release --shop lets ops manage keys, freeze releases and restore a map', async () => {
  await useKey('night ops', 'ops');
  const grant = ['--name', 'orders CI', '--role', 'squad', '--remotes', 'mfe-orders', '--max-traffic', '25'];
  const made = await run('keys', 'make', ...grant);
  expect(made.out).toMatch(/^releasekey_[0-9a-f]{16}_[\w-]{43}\nThis key is not shown again/);
  const id = made.out.split('_')[1] ?? '';
  expect((await run('keys', 'list')).out).toMatch(new RegExp(`${id} +orders CI +squad +orders up to 25 %`));
  expect((await run('keys', 'revoke', id)).out).toContain('is revoked');
  expect((await run('keys', 'list')).out).toContain('by night ops (ops, key)');
  await run('freeze', 'catalog', '--why', 'double charges');
  const version = await publishSample(store, { text: 'frozen' });
  const frozen = await run('promote', `catalog@${version}`);
  expect(frozen).toMatchObject({ code: 5, err: expect.stringContaining('double charges') });
  expect((await run('unfreeze', 'catalog')).code).toBe(0);
  expect((await run('promote', `catalog@${version}`, '--dry-run')).code).toBe(0);
  expect((await run('rollback', '--map', '1')).out).toContain('equals revision 1');
});

it('npm run release --shop takes keys from the environment only, and sends them over TLS or to this machine only', async () => {
  expect(await run('status')).toMatchObject({ code: 2, err: expect.stringContaining('set RELEASE_KEY') });
  await useKey('viewer', 'viewer');
  expect((await run('status')).code).toBe(0);
  expect(await run('rollback', 'catalog')).toMatchObject({ code: 6 });
  const key = process.env.RELEASE_KEY ?? '';
  const leaked = await run('status', key);
  expect(leaked).toMatchObject({ code: 2, err: expect.stringContaining('revoke this key') });
  const named = await run('status', '--by', 'ann');
  expect(named).toMatchObject({ code: 2, err: expect.stringContaining('names the author') });
  expect(await main(['status', '--shop', 'http://shop.example'])).toBe(2);
  expect(await main(['status', '--shop', 'https://shop.example?key=x'])).toBe(2);
  expect(await main(['status', '--shop', 'http://127.0.0.1:9'])).toBe(1);
  expect(await main(['prune', '--shop', shop])).toBe(2);
  process.env.RELEASE_KEY = 'releasekey_made_up';
  expect(await run('status')).toMatchObject({ code: 6, err: expect.stringContaining('this key is not valid') });
});
