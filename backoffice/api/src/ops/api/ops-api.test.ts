import http from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  ACTIONS,
  type Check,
  GateQueue,
  type Grant,
  liveVersion,
  openStore,
  packBuild,
  ReleaseKeys,
  type Store,
  UPLOAD_LIMITS,
} from '@platform/releases';
import { publishLive, publishSample, sample, scratch } from '@platform/releases/testing';
import { HealthCounts } from '@platform/watch';
import { healthStore } from '@shop/server/health/health-store';
import { type Database, openEmbedded } from '@shop/server/platform/db/database';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { until } from '../../../../../scripts/jest/until';
import { config, type ReleaseServers, releaseServers } from '../../testing/back-office';

const audience = 'https://shop.example';
let db: Database;
let issuer: string;
let forge: http.Server;
let keyPair: Awaited<ReturnType<typeof generateKeyPair>>;
let keysRead = 0;
let clock: number;

let store: Store;
let servers: ReleaseServers;
let versionOne: string;
let versionTwo: string;
let inBrowser: Check;
let gateEnds: Promise<void>;
const keyOf: Record<string, string> = {};

beforeAll(async () => {
  db = await openEmbedded({ template: process.env.SHOP_TEST_TEMPLATE });
  keyPair = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(keyPair.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  forge = http.createServer((request, response) => {
    const isKeys = request.url === '/keys';
    if (isKeys) keysRead += 1;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(isKeys ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/keys` }));
  });
  await new Promise<void>((resolve) => forge.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(forge.address() as AddressInfo).port}`;

  store = openStore({ place: await scratch() });
  versionOne = await publishLive(store, { text: 'one' });
  versionTwo = await publishLive(store, { text: 'two' });
  await publishLive(store, { name: 'orders' });

  const grant = { role: 'squad' as const, remotes: ['catalog'], maxTraffic: 25 };
  const rule = { ...grant, repository: 'acme/catalog', ref: 'refs/heads/main', claims: {} };
  const browserGate = async () => ({ check: 'browser', run: () => gateEnds.then(() => [inBrowser]) });
  const forges = [{ issuer, audience, rules: [rule] }];
  servers = await releaseServers({ store, forges, now: () => clock, browserGate }, { db, config });

  const keys = new ReleaseKeys(store.blobs);
  const make = async (name: string, grant: Partial<Grant>) => {
    const author = { name, by: 'ann', lifetime: 3_600_000 };
    const made = await keys.make({ role: 'squad', remotes: [], ...grant, ...author });
    keyOf[name] = made.key;
  };
  await make('catalog', grant);
  await make('orders', { ...grant, remotes: ['orders'] });
  await make('platform', { role: 'platform' });
  await make('ops', { role: 'ops' });
  await make('viewer', { role: 'viewer' });
});
beforeEach(() => {
  clock = Date.now();
  inBrowser = { check: 'browser', outcome: 'passed', detail: 'fine' };
  gateEnds = Promise.resolve();
});
afterAll(async () => {
  await servers.close();
  await db.close();
  forge.close();
  forge.closeAllConnections();
});

interface Call {
  as?: string;
  body?: object | Buffer;
  headers?: Record<string, string>;
  remoteAddress?: string;
}
async function call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, { as, body, headers, ...rest }: Call = {}) {
  const key = as && (keyOf[as] ?? as);
  const answer = await servers.shop.inject({
    method,
    url: `/ops/api/${url}`,
    headers: {
      ...(key && { authorization: `Bearer ${key}` }),
      ...(Buffer.isBuffer(body) && { 'content-type': 'application/x-tar' }),
      ...headers,
    },
    ...(body && { payload: body }),
    ...rest,
  });
  const lines = answer.body.split('\n').filter(Boolean);
  return { status: answer.statusCode, headers: answer.headers, lines, ...JSON.parse(lines.at(-1) ?? '{}') };
}
const run = (as: string, name: string, body: object) => call('POST', name, { as, body });
const archiveOf = ({ manifest, files }: ReturnType<typeof sample>) =>
  packBuild({
    raw: Buffer.from(JSON.stringify(manifest)),
    files: new Map([...files].map(([file, content]) => [file, Buffer.from(content)] as const)),
  });
const publishBy = (as: string, build: ReturnType<typeof sample>, query = `name=${build.manifest.name}`) =>
  call('POST', `publish?${query}`, { as, body: archiveOf(build) });
const live = async (name = 'catalog') => liveVersion(await store.readMap(), name);
const newest = async () => (await store.readMap()).changed;

describe('a key', () => {
  it('each role sees live, published and past releases', async () => {
    for (const as of ['viewer', 'catalog', 'platform', 'ops']) {
      expect((await call('GET', 'status', { as })).result.releases).toHaveLength(2);
      expect((await call('GET', 'releases?name=catalog', { as })).result).toMatchObject([
        { version: versionTwo, serves: 'live', gate: { passed: true } },
        { version: versionOne, serves: null },
      ]);
      expect((await call('GET', 'history?limit=1', { as })).result).toMatchObject([{ action: 'promote' }]);
      expect((await call('GET', 'verify', { as })).result.ok).toBe(true);
    }
    expect((await call('GET', 'identity', { as: 'viewer' })).result).toMatchObject({ name: 'viewer', role: 'viewer' });
  });

  it('a call needs a whole key that is not revoked', async () => {
    for (const as of [undefined, 'releasekey_0000000000000000_AAAA', `${keyOf.ops}x`, keyOf.ops?.slice(0, -1)]) {
      expect(await call('GET', 'status', { as })).toMatchObject({ status: 401, error: { kind: 'unauthorised' } });
      expect(await call('POST', 'rollback', { as, body: { name: 'catalog' } })).toMatchObject({ status: 401 });
    }
    const body = { name: 'short', role: 'squad', remotes: ['catalog'], days: 1 };
    const { key, identity } = (await call('POST', 'keys', { as: 'ops', body })).result;
    expect((await call('GET', 'status', { as: key })).status).toBe(200);
    expect((await call('DELETE', `keys/${identity.id}`, { as: 'ops' })).result.revoked.by).toBe('ops (ops, key)');
    expect((await call('GET', 'status', { as: key })).status).toBe(401);
    expect(JSON.stringify((await call('GET', 'keys', { as: 'ops' })).result)).not.toContain(key.slice(-43));
  });

  it('a key in an address is refused, wherever it stands', async () => {
    const { ops } = keyOf;
    for (const url of [`status?key=${ops}`, `keys/${ops}`, 'status?a=releasekey%5Fx'])
      expect(await call('GET', url, { as: 'ops' })).toMatchObject({ status: 400, error: { kind: 'insecure' } });
  });

  it('a key is refused without TLS, also from a client that only claims to be the proxy', async () => {
    const headers = { host: 'shop.example' };
    const from = (remoteAddress: string, proto?: string) =>
      call('GET', 'status', {
        as: 'ops',
        remoteAddress,
        headers: { ...headers, ...(proto && { 'x-forwarded-proto': proto, 'x-forwarded-for': '198.51.100.7' }) },
      });
    expect(await from('127.0.0.1', 'https')).toMatchObject({ status: 200 });
    expect(await from('127.0.0.1', 'http')).toMatchObject({ status: 403, error: { kind: 'insecure' } });
    expect(await from('198.51.100.7')).toMatchObject({ status: 403, error: { kind: 'insecure' } });
    expect(await from('198.51.100.7', 'https')).toMatchObject({ status: 403, error: { kind: 'insecure' } });
  });
});

describe('a squad', () => {
  it('a squad promotes its own remote, up to its share, under the name of its key', async () => {
    const three = await publishSample(store, { text: 'three' });
    const whole = await run('catalog', 'promote', { name: 'catalog', version: three });
    expect(whole).toMatchObject({
      status: 403,
      error: { kind: 'forbidden', message: expect.stringMatching(/at most 25 %/) },
    });
    const body = { name: 'catalog', version: three, traffic: 25, why: 'a new list' };
    const { result, lines } = await run('catalog', 'promote', body);
    expect(result).toMatchObject({ outcome: 'canary', version: three, traffic: 25 });
    const checks = lines.map((line: string) => JSON.parse(line).check?.check);
    expect(checks).toEqual(expect.arrayContaining(['files', 'browser']));
    expect(await newest()).toMatchObject({ by: 'catalog (squad, key)', why: expect.stringContaining('a new list') });
    expect((await run('catalog', 'rollback', { name: 'catalog' })).result).toMatchObject({ outcome: 'abandoned' });
    const auto = { name: 'catalog', version: three, canary: [50, 100] };
    const { error } = await run('catalog', 'promote', auto);
    expect(error).toMatchObject({ kind: 'refused', message: expect.stringMatching(/at most 25 %/) });
    expect(await live()).toBe(versionTwo);
  });

  it('a squad publishes no other remote, not even inside its own archive, and makes no keys', async () => {
    const build = sample({ name: 'orders', text: 'foreign' });
    expect(await publishBy('catalog', build)).toMatchObject({ status: 403 });
    expect(await publishBy('catalog', build, 'name=catalog')).toMatchObject({
      status: 409,
      error: { message: 'the upload is a release of orders, not of catalog' },
    });
    expect(await store.publication('orders', build.manifest.version)).toBeNull();
    expect(await run('catalog', 'keys', { name: 'x', role: 'ops' })).toMatchObject({ status: 403 });
    expect(await call('GET', 'keys', { as: 'catalog' })).toMatchObject({ status: 403 });
  });

  it('a squad cannot bypass its share or the gate: no rollback to a release that was never live, no skipped check, no other name', async () => {
    const four = await publishSample(store, { text: 'four' });
    const back = await run('catalog', 'rollback', { name: 'catalog', to: four });
    expect(back).toMatchObject({ status: 409, error: { message: expect.stringMatching(/was not live before/) } });
    const skipped = { name: 'catalog', version: four, traffic: 5, skip: ['browser'], why: 'hurry' };
    expect(await run('catalog', 'promote', skipped)).toMatchObject({ status: 403 });
    const named = { name: 'catalog', version: four, traffic: 5, by: 'Ann (ops)' };
    expect(await run('catalog', 'promote', named)).toMatchObject({ status: 400, error: { kind: 'invalid' } });
    inBrowser = { check: 'browser', outcome: 'failed', detail: 'white page' };
    const refused = await run('catalog', 'promote', { name: 'catalog', version: four, traffic: 5 });
    expect(refused.error).toMatchObject({ kind: 'gate', verdict: { passed: false } });
    expect(await live()).toBe(versionTwo);
  });

  it('a squad publishes a whole archive and no part of one, and the server serves it unchanged', async () => {
    const build = sample({ text: 'sent' });
    const archive = archiveOf(build);
    const send = (body: Buffer, headers?: Record<string, string>) =>
      call('POST', 'publish?name=catalog', { as: 'catalog', body, headers });
    expect(await send(archive.subarray(0, archive.length / 2))).toMatchObject({ status: 409 });
    expect(await send(archive, { 'content-type': 'application/octet-stream' })).toMatchObject({ status: 415 });
    expect(await send(Buffer.alloc(UPLOAD_LIMITS.archiveBytes + 1))).toMatchObject({ status: 413 });
    expect(await publishBy('catalog', build, 'name=catalog&dryRun=true')).toMatchObject({ result: { dryRun: true } });
    expect(await store.readManifest('catalog', build.manifest.version)).toBeNull();
    expect((await publishBy('catalog', build)).result).toMatchObject({ outcome: 'published', name: 'catalog' });
    const { version } = build.manifest;
    const served = await servers.shop.inject({ url: `/r/catalog/${version}/remoteEntry.js` });
    expect(served.body).toBe(build.files.get('remoteEntry.js'));
    expect((await store.publications('catalog'))[0]).toMatchObject({ version, by: 'catalog (squad, key)' });
  });
});

const bodyOf: Record<string, object> = {
  restore: { rev: 1, name: undefined },
  'promote-together': { releases: [{ name: 'catalog' }], name: undefined },
};

it.each(ACTIONS)('%s needs a key with its role and remote, and changes nothing for other keys', async (name) => {
  const { rev } = await store.readMap();
  const body = { name: 'catalog', why: 'x', ...bodyOf[name], ...(name === 'promote' && { traffic: 1 }) };
  for (const as of ['viewer', 'orders'])
    expect(await run(as, name, body)).toMatchObject({ status: 403, error: { kind: 'forbidden' } });
  expect((await store.readMap()).rev).toBe(rev);
});

describe('the other roles', () => {
  it('platform keys promote any remote and skip a check with a reason, and ops keys may do everything', async () => {
    inBrowser = { check: 'browser', outcome: 'failed', detail: 'no browser here' };
    const skipped = { name: 'catalog', version: versionOne, skip: ['browser'], why: 'known' };
    expect((await run('platform', 'promote', skipped)).result).toMatchObject({ outcome: 'promoted' });
    expect(await run('platform', 'freeze', { name: 'catalog', why: 'x' })).toMatchObject({ status: 403 });
    const { result } = await run('ops', 'freeze', { name: 'catalog', why: 'look first' });
    expect(result.outcome).toBe('frozen');
    expect((await run('platform', 'promote', { ...skipped, version: versionTwo })).error.kind).toBe('frozen');
    expect((await run('ops', 'unfreeze', { name: 'catalog' })).status).toBe(200);
    expect((await run('ops', 'rollback', { name: 'catalog' })).result).toMatchObject({ to: versionTwo });
    expect((await run('ops', 'restore', { rev: 3 })).result).toMatchObject({ outcome: 'restored' });
    expect((await run('ops', 'render-off', { name: 'catalog', why: 'x' })).result.outcome).toBe('not rendered');
    expect((await run('ops', 'render-on', { name: 'catalog', dryRun: true })).result).toMatchObject({ dryRun: true });
    expect((await run('ops', 'render-on', { name: 'catalog' })).status).toBe(200);
  });

  it('an unknown key is refused each time, with at most 60 audit entries a minute', async () => {
    const entries = () =>
      db.rows<object>("select 1 from audit_log where actor = 'unknown' and action = 'release.key.refuse'");
    const unknownKey = `releasekey_${'0'.repeat(16)}_${'x'.repeat(43)}`;
    clock += 600_000;
    const before = (await entries()).length;
    for (let tries = 0; tries < 65; tries += 1)
      expect((await call('GET', 'status', { as: unknownKey })).status).toBe(401);
    expect((await entries()).length - before).toBe(60);
    clock += 60_000;
    await call('GET', 'status', { as: 'unknown' });
    expect((await entries()).length - before).toBe(61);
  });

  it('the audit log has the actions and the refusals of each key', async () => {
    const rows = await db.rows("select actor, action from audit_log where action like 'release.%'");
    expect(rows).toEqual(
      expect.arrayContaining([
        { actor: 'catalog (squad, key)', action: 'release.promote' },
        { actor: 'orders (squad, key)', action: 'release.rollback.refuse' },
        { actor: 'unknown', action: 'release.key.refuse' },
      ]),
    );
  });
});

it('the gate checks the key of a release again after its wait in the queue', async () => {
  const gate = (as: string) => run(as, 'gate', { name: 'catalog', version: versionOne });
  const runs = jest.spyOn(GateQueue.prototype, 'run');
  const inQueue = async (count: number) => {
    while (runs.mock.calls.length < count) await new Promise((resolve) => setImmediate(resolve));
  };
  const { result: made } = await run('ops', 'keys', { name: 'soon revoked', role: 'platform' });
  let end = () => {};
  gateEnds = new Promise((resolve) => {
    end = resolve;
  });
  const first = gate('platform');
  await inQueue(1);
  const second = gate(made.key);
  await inQueue(2);
  runs.mockRestore();
  await call('DELETE', `keys/${made.identity.id}`, { as: 'ops' });
  end();
  expect((await first).result).toMatchObject({ passed: true });
  const { headers, lines } = await second;
  expect(headers['x-accel-buffering']).toBe('no');
  expect(lines.map((line: string) => JSON.parse(line))).toEqual([
    { say: 'waiting for the gate, place 2 in line', place: 2 },
    { error: { kind: 'unauthorised', message: expect.stringContaining('revoked') } },
  ]);
});

describe('a forge token', () => {
  const claims = { repository: 'acme/catalog', ref: 'refs/heads/main', sub: 'repo:acme/catalog' };
  let jti = 0;
  const token = (given: object = {}, { key = keyPair.privateKey, kid = 'one', at = clock, aud = audience } = {}) => {
    jti += 1;
    const seconds = Math.floor(at / 1000);
    return new SignJWT({ ...claims, jti: String(jti), ...given })
      .setProtectedHeader({ alg: 'RS256', kid })
      .setIssuer(issuer)
      .setAudience(aud)
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + 300)
      .sign(key);
  };
  const session = (forgeToken: string) => call('POST', 'session', { body: { token: forgeToken } });

  it('a forge token gives one key for half an hour to the branch of a rule, and the history names the branch', async () => {
    const forgeToken = await token();
    const { result } = await session(forgeToken);
    expect(await session(forgeToken)).toMatchObject({
      status: 401,
      error: { message: expect.stringMatching(/was used before/) },
    });
    expect(result.identity).toMatchObject({
      name: 'acme/catalog@main',
      role: 'squad',
      remotes: ['catalog'],
      maxTraffic: 25,
    });
    const version = await publishSample(store, { text: 'by the forge' });
    const promoted = await run(result.key, 'promote', { name: 'catalog', version, traffic: 10 });
    expect(promoted.result.version).toBe(version);
    expect((await newest()).by).toBe('acme/catalog@main (squad, forge)');
    await run(result.key, 'rollback', { name: 'catalog' });
    clock += 31 * 60_000;
    expect((await call('GET', 'status', { as: result.key })).status).toBe(401);
    const ofGitLab = { repository: undefined, project_path: 'acme/catalog', ref: 'main', ref_type: 'branch' };
    expect((await session(await token(ofGitLab))).status).toBe(200);
    expect(keysRead).toBe(1);
  });

  it('a published release carries the provenance that the forge token vouches for', async () => {
    const provenance = { sha: '5f3c', workflow_ref: 'acme/catalog/release.yml@refs/heads/main', run_id: 77 };
    const { key } = (await session(await token(provenance))).result;
    const build = sample({ text: 'from a commit' });
    expect((await publishBy(key, build)).status).toBe(200);
    expect((await call('GET', 'releases?name=catalog', { as: 'viewer' })).result[0].provenance).toEqual({
      repository: 'acme/catalog',
      ref: 'refs/heads/main',
      commit: '5f3c',
      builder: provenance.workflow_ref,
      run: '77',
    });
    expect(await publishBy(key, build, 'name=catalog&commit=mine')).toMatchObject({ status: 400 });
  });

  it('a forge token is refused if it is forged, expired, too old, for another shop, or of another branch or repository', async () => {
    const stranger = await generateKeyPair('RS256');
    const unsigned = (await token()).split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${unsigned[1]}.`;
    const edited = Buffer.from(unsigned[1] ?? '', 'base64url')
      .toString()
      .replace('acme/catalog', 'acme/others');
    for (const [badToken, why] of [
      [await token({}, { key: stranger.privateKey }), /is not one of/],
      [await token({}, { key: stranger.privateKey, kid: 'two' }), /is not one of/],
      [none, /is not one of/],
      [`${unsigned[0]}.${Buffer.from(edited).toString('base64url')}.${unsigned[2]}`, /is not one of/],
      [await token({}, { at: clock - 600_000 }), /has expired/],
      [await token({ exp: Math.floor(clock / 1000) + 99_999 }, { at: clock - 2 * 3_600_000 }), /expired|too far/],
      [await token({}, { aud: 'https://another.example' }), /not for this shop/],
      [await token({ ref: 'refs/heads/feature' }), /no rule/],
      [await token({ ref: 'refs/pull/7/merge' }), /no rule/],
      [await token({ repository: 'mallory/catalog' }), /no rule/],
      ['not.a.token', /not a forge token/],
      ['x', /not a forge token/],
    ] as const)
      expect(await session(badToken)).toMatchObject({ status: 401, error: { message: expect.stringMatching(why) } });
    const foreignToken = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256' })
      .setIssuer('https://forge.example')
      .sign(keyPair.privateKey);
    expect(await session(foreignToken)).toMatchObject({
      status: 401,
      error: { message: expect.stringMatching(/does not know the issuer/) },
    });
    // A forge token itself is not a key.
    expect((await call('GET', 'status', { as: await token() })).status).toBe(401);
  });
});

it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'])(
  'no release call accepts "%s", a property of every object, as a name',
  async (name) => {
    const why = 'a test';
    for (const each of ACTIONS.filter((name) => name !== 'restore')) {
      const target = each === 'promote-together' ? { releases: [{ name, version: versionOne }] } : { name };
      expect(await run('ops', each, { why, ...target })).toMatchObject({ status: 400, error: { kind: 'invalid' } });
    }
    for (const url of [`releases?name=${name}`, `history?name=${name}`])
      expect(await call('GET', url, { as: 'ops' })).toMatchObject({ status: 400, error: { kind: 'invalid' } });
    const key = { name: 'x', role: 'squad', remotes: [name] };
    expect((await run('ops', 'keys', key)).status).toBe(400);
  },
);

describe('the health of releases', () => {
  const health = (as: string, query = '') => call('GET', `health${query}`, { as });
  const named = ({ result }: { result: Array<{ name: string }> }) => [...new Set(result.map(({ name }) => name))];

  it('a squad sees the health of its own remotes only', async () => {
    expect(named(await health('catalog'))).toEqual(['catalog']);
    expect(named(await health('catalog', '?name=catalog'))).toEqual(['catalog']);
    expect(await health('catalog', '?name=orders')).toMatchObject({ status: 403 });
    expect(named(await health('viewer'))).toEqual(expect.arrayContaining(['catalog', 'orders']));
    expect(await health('nobody')).toMatchObject({ status: 401 });
  });

  it('the health report has the errors of visits, with their source position by the source map of the release', async () => {
    const map = { version: 3, sources: ['./src/home.tsx'], names: [], mappings: 'AAEE' };
    const more = { 'server/browser/home.dd.js.map': JSON.stringify(map) };
    const version = await publishLive(store, { name: 'mapped', more });
    const counts = new HealthCounts(config.secret);
    const context = { language: 'en', device: 'phone', signedIn: false } as const;
    const failed = { name: 'mapped', version, visit: 'a'.repeat(16), kind: 'error', at: 'home.dd.js:1:4' } as const;
    counts.add(failed, { network: '10.0.0.1', context, traffic: 100 });
    await counts.flush(healthStore(db));
    const errors = await until('the error', async () => {
      const { result } = await health('viewer', '?name=mapped');
      return result?.[0]?.health?.errors.length > 0 && result[0].health.errors;
    });
    expect(errors).toEqual([{ kind: 'error', at: 'home.dd.js:1:4', visits: 1, source: './src/home.tsx:3:3' }]);
  });
});
