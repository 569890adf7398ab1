/** People who sign in at a real provider in a process of its own, and what an attacker tries. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { history, liveVersion, openStore, promote, type Store } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import { buildApp } from '@shop/server/app';
import { type AuditEntry, auditEvents } from '@shop/server/platform/audit/audit';
import type { App } from '@shop/server/platform/http/request';
import { OpenIdProvider } from '@shop/server/test/support/openid-provider';
import { TestApp } from '@shop/server/test/support/test-app';
import type { ClaimRule } from '../../staff/back-office-sessions';
import type { SecondPersonRule } from '../../staff/second-person';
import { breakGlass, Console, releaseServer } from '../../testing/back-office';
import { backOfficeWithReleases } from '../release-plugins';
import type { OpenIdSettings } from './openid-settings';

const shop = 'https://shop.example';
const client = {
  client_id: 'shop',
  client_secret: 'a secret of this test, 40 characters long',
  redirect_uris: [`${shop}/staff/login/callback`],
  post_logout_redirect_uris: [`${shop}/staff`],
};
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
const jwk = { ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' };
const { client_secret: _secret, ...open } = client;
const rules: ClaimRule[] = [
  { claim: 'groups', value: 'shop-ops', role: 'ops', remotes: [], channels: [] },
  { claim: 'groups', value: 'shop-viewers', role: 'viewer', remotes: [], channels: [] },
  { claim: 'groups', value: 'shop-sellers', role: 'seller', remotes: [], channels: [] },
  { claim: 'groups', value: 'shop-managers', role: 'manager', remotes: [], channels: [] },
  {
    ...{ claim: 'groups', value: 'catalog', role: 'squad', remotes: ['catalog'], channels: ['production'] },
    maxTraffic: 25,
  },
];
const people = {
  ann: { name: 'Ann Lee', groups: ['staff', 'shop-ops'] },
  vic: { name: 'Vic', groups: ['shop-viewers'] },
  sel: { name: 'Sel', groups: ['shop-sellers'] },
  max: { name: 'Max', groups: ['shop-managers'] },
  cat: { name: "Cat O'Neil (ops)", groups: ['catalog'] },
  nobody: { name: '<b>Nobody</b>', groups: ['staff'] },
};
const provider = new OpenIdProvider();
let settings: OpenIdSettings;
let folder: string;
let store: Store;
let one: string;
let two: string;
let app: App;
let clock: number;
let address: number;
let audited: AuditEntry[] = [];
const remember = (entry: AuditEntry) => audited.push(entry);

const optionsOf = (openId: OpenIdSettings | null, secondPerson: SecondPersonRule[] = []) => ({
  ...{ secondPerson, store, openId, now: () => clock, watchEvery: 0 },
  browserGate: async () => ({ check: 'browser', run: async () => [] }),
});
/** Without a database. */
const server = (...given: Parameters<typeof optionsOf>) => releaseServer(optionsOf(...given));

beforeAll(async () => {
  await provider.start(
    [
      client,
      { ...client, client_id: 'shop-post', token_endpoint_auth_method: 'client_secret_post' },
      { ...open, client_id: 'shop-key', token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [jwk] } },
    ],
    people,
  );
  settings = {
    issuer: provider.issuer,
    clientId: client.client_id,
    clientSecret: client.client_secret,
    clientAuth: 'basic',
    privateKey: '',
    scope: 'openid profile groups',
    nameClaim: 'name',
    label: 'Acme',
    rules,
    publicUrl: shop,
  };
  folder = await mkdtemp(join(tmpdir(), 'shop-openid-'));
  store = openStore({ place: folder });
  one = await publishSample(store, { text: 'one' });
  await promote(store, { by: 'ann', name: 'catalog' });
  two = await publishSample(store, { text: 'two' });
  await promote(store, { by: 'ann', name: 'catalog' });
  clock = Date.now();
  app = await server(settings);
  auditEvents.on('entry', remember);
});
beforeEach(async () => {
  clock = Date.now();
  // A minute has ten tries for a network.
  address = (address ?? 0) + 1;
  audited = [];
  await provider.setPeople(people);
  await provider.setWrong();
});
afterAll(async () => {
  auditEvents.off('entry', remember);
  await app.close();
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});

/** A browser at the shop: https at the proxy that TRUST_PROXY names. */
class Browser extends Console {
  constructor(at: App = app, proto = 'https') {
    super(at);
    Object.assign(this.headers, {
      ...{ host: 'shop.example', 'x-forwarded-proto': proto, 'x-forwarded-for': `198.51.100.${address}` },
    });
  }
  get = (url: string) => this.ask('GET', url.replace(shop, ''));
  /** Up to the address by which the provider sends the browser back. */
  async visit(as: string | null, path = '/staff/login'): Promise<string> {
    const begun = await this.get(path);
    expect(begun.statusCode).toBe(303);
    return provider.visit(String(begun.headers.location), as);
  }
  async signIn(as: string): Promise<this> {
    const answer = await this.get(await this.visit(as));
    expect([answer.statusCode, answer.headers.refresh]).toEqual([200, '0;url=/staff']);
    return this;
  }
}
const live = async () => liveVersion(await store.readMap('production'), 'catalog');
const signedIn = (as: string, at?: App) => new Browser(at).signIn(as);

/** No session was made, and the page says why. */
function expectRefused(answer: { statusCode: number; body: string }, browser: Browser, text: string | RegExp) {
  expect([answer.statusCode, browser.cookies.has('staff')]).toEqual([403, false]);
  expect(answer.body).toMatch(text);
  expect(audited).toContainEqual(expect.objectContaining({ action: 'session.refuse' }));
}

describe('whoever signs in at the provider', () => {
  it('acts under the name and with the role that the provider vouches for', async () => {
    const ann = await signedIn('ann');
    expect(await ann.state()).toMatchObject({ you: 'Ann Lee (ops)', mayRestore: true });
    expect((await ann.act('rollback', { name: 'catalog' })).status).toBe(200);
    expect(await live()).toBe(one);
    expect((await history(store))[0]).toMatchObject({ action: 'rollback', by: 'Ann Lee (ops)' });
    expect((await ann.act('promote', { name: 'catalog', version: two, replace: true })).status).toBe(200);
    expect(audited).toContainEqual(
      expect.objectContaining({
        action: 'session.open',
        actor: 'Ann Lee (ops)',
        detail: { way: 'provider', subject: `${provider.issuer} ann`, role: 'ops' },
      }),
    );
  });

  it('as a viewer looks and changes nothing', async () => {
    const vic = await signedIn('vic');
    const { you, mayRestore, releases } = await vic.state();
    expect([you, mayRestore, releases[0].may]).toEqual(['Vic (viewer)', false, []]);
    const name = 'catalog';
    for (const [act, body] of Object.entries({
      rollback: { name },
      promote: { name, version: one },
      freeze: { name },
      'render-off': { name },
      restore: { rev: 1 },
    }))
      expect((await vic.act(act, body)).status).toBe(403);
    expect(await live()).toBe(two);
    expect(audited).toContainEqual(
      expect.objectContaining({ action: 'release.rollback.refuse', actor: 'Vic (viewer)', subject: 'catalog' }),
    );
  });

  it('of a squad has its remotes and its share only, and a name that passes for no role', async () => {
    const cat = await signedIn('cat');
    expect((await cat.state()).you).toBe("Cat O'Neil ops (squad)");
    const three = await publishSample(store, { text: 'three' });
    expect((await cat.act('promote', { name: 'catalog', version: three })).status).toBe(403);
    expect((await cat.act('promote', { name: 'catalog', version: three, skip: ['browser'], why: 'x' })).status).toBe(
      403,
    );
    expect((await cat.act('promote', { name: 'catalog', version: three, traffic: 25 })).status).toBe(200);
    expect((await cat.act('rollback', { name: 'catalog' })).status).toBe(200);
    // Never live, and a rollback runs no gate.
    expect((await cat.act('rollback', { name: 'catalog', to: three })).status).toBe(409);
    expect((await cat.act('rollback', { name: 'orders' })).status).toBe(403);
    expect((await cat.act('freeze', { name: 'catalog' })).status).toBe(403);
    expect(await live()).toBe(two);
  });

  it('is told when no rule gives them a role, and can come back as somebody else', async () => {
    const browser = new Browser();
    const answer = await browser.get(await browser.visit('nobody'));
    expectRefused(
      answer,
      browser,
      /knows you as &lt;b&gt;Nobody&lt;\/b&gt;, but nothing that it says of you has a role here/,
    );
    expect(answer.body).toContain('href="/staff/login?again"');
    expect((await browser.get('/staff/login?again')).headers.location).toContain('prompt=login');
  });

  it('loses the role with the rule, also in a session that is open', async () => {
    const ann = await signedIn('ann');
    const restarted = await server({ ...settings, rules: rules.slice(1) });
    const still = new Browser(restarted);
    for (const [name, value] of ann.cookies) still.cookies.set(name, value);
    expect([await ann.status(), await still.status()]).toEqual([200, 401]);
    expect((await still.act('rollback', { name: 'catalog' })).status).toBe(401);
    expect(await live()).toBe(two);
    await restarted.close();
  });

  it('is one person, whatever the name, and no token makes a second one of them', async () => {
    const at = await server(settings, [{ act: 'restore' }]);
    const ann = await signedIn('ann', at);
    expect(await ann.act('restore', { rev: 1 })).toMatchObject({ proposed: true });
    const [{ id }] = (await ann.state()).proposals;
    const confirm = `proposals/${id}/confirm`;
    await provider.setPeople({ ...people, ann: { ...people.ann, name: 'Anna' }, dan: { ...people.ann, name: 'Dan' } });
    const renamed = await signedIn('ann', at);
    expect((await renamed.act(confirm)).error.message).toMatch(/^Anna \(ops\) has agreed/);
    const eve = new Browser(at);
    await eve.withToken(breakGlass, 'Eve');
    for (const person of [eve, await signedIn('vic', at)]) expect((await person.act(confirm)).status).toBe(403);
    expect(await live()).toBe(two);
    expect((await (await signedIn('dan', at)).act(confirm)).status).toBe(200);
    expect((await history(store))[0]).toMatchObject({ action: 'restore', by: 'Ann Lee (ops), confirmed by Dan (ops)' });
    await promote(store, { by: 'ann', name: 'catalog', version: two });
    await at.close();
  });

  it('is signed out after eight hours', async () => {
    const ann = await signedIn('ann');
    clock += 8 * 3_600_000 - 60_000;
    expect(await ann.status()).toBe(200);
    clock += 61_000;
    expect(await ann.status()).toBe(401);
  });

  it('is one of the ways to sign in; the token is offered only where it is good', async () => {
    const ways = async (at: App) => (await new Browser(at).get('/staff/api/sign-in')).json().data;
    expect(await ways(app)).toEqual({ provider: 'Acme', token: true });
    const without = await releaseServer({ ...optionsOf(settings), opsToken: '' });
    expect(await ways(without)).toEqual({ provider: 'Acme', token: false });
    expect((await new Browser(without).withToken('', 'Ann')).statusCode).not.toBe(200);
    expect((await signedIn('ann', without)).cookies.has('staff')).toBe(true);
    await without.close();
  });

  it('is sent on by a shop that proves itself by a private key, or by a secret in the body', async () => {
    const byKey = { clientId: 'shop-key', clientSecret: '', privateKey: pem };
    for (const proof of [byKey, { clientId: 'shop-post', clientAuth: 'post' as const }]) {
      const at = await server({ ...settings, ...proof });
      expect(await (await signedIn('ann', at)).state()).toMatchObject({ you: 'Ann Lee (ops)' });
      await at.close();
    }
    const wrong = await server({ ...settings, clientSecret: 'another secret' });
    const browser = new Browser(wrong);
    const answer = await browser.get(await browser.visit('ann'));
    expect([answer.statusCode, browser.cookies.has('staff')]).toEqual([502, false]);
    expect(answer.body).toContain('the provider refuses this shop: check OPS_OIDC_CLIENT_ID');
    await wrong.close();
  });

  it('has the claims of the ID token, where it has them all', async () => {
    await provider.setWrong({ claims: { name: 'Eve', groups: ['shop-viewers'] } });
    expect((await (await signedIn('ann')).state()).you).toBe('Eve (viewer)');
  });
});

describe('a sign-in is refused', () => {
  it('with another state, and without the cookie of the browser that began it', async () => {
    const browser = new Browser();
    const back = new URL(await browser.visit('ann'));
    back.searchParams.set('state', 'another');
    expectRefused(await browser.get(back.href), browser, /not good here/);

    const victim = new Browser();
    expectRefused(await victim.get(await new Browser().visit('ann')), victim, /not begun in this browser/);
    const mixed = new Browser();
    await mixed.get('/staff/login');
    expectRefused(await mixed.get(await new Browser().visit('ann')), mixed, /not good here/);
  });

  it('when its code comes a second time, before the provider is asked', async () => {
    const browser = new Browser();
    const back = await browser.visit('ann');
    const before = new Map(browser.cookies);
    expect((await browser.get(back)).statusCode).toBe(200);
    const thief = new Browser();
    for (const [name, value] of before) thief.cookies.set(name, value);
    const calls = await provider.tokenCalls();
    expectRefused(await thief.get(back), thief, /was used before/);
    expect(await provider.tokenCalls()).toBe(calls);
    // The same code in a sign-in of the thief's own.
    const code = new URL(back).searchParams.get('code') ?? '';
    const own = new URL(await thief.visit('vic'));
    own.searchParams.set('code', code);
    expectRefused(await thief.get(own.href), thief, /not good here/);
  });

  it('ten minutes after it was begun', async () => {
    const browser = new Browser();
    const back = await browser.visit('ann');
    clock += 600_001;
    expectRefused(await browser.get(back), browser, /older than ten minutes/);
  });

  it.each([
    ['another nonce', { nonce: 'another' }],
    ['no nonce', { nonce: null }],
    ['a time that is over', { exp: Math.floor(Date.now() / 1000) - 120 }],
    ['another audience', { aud: 'another-shop' }],
    ['another party beside this shop', { aud: ['shop', 'another-shop'], azp: 'another-shop' }],
    ['another issuer', { iss: 'https://another.example' }],
  ])('with an ID token that has %s', async (_, claims) => {
    const browser = new Browser();
    const back = await browser.visit('ann');
    await provider.setWrong({ claims });
    expectRefused(await browser.get(back), browser, /not good here/);
  });

  it('with an ID token that another key has signed', async () => {
    const browser = new Browser();
    const back = await browser.visit('ann');
    await provider.setWrong({ foreign: true });
    expectRefused(await browser.get(back), browser, /not good here/);
  });

  it('when the person cancels it', async () => {
    const browser = new Browser();
    expectRefused(await browser.get(await browser.visit(null)), browser, /access was denied/);
  });

  it('without TLS, also behind a proxy that says so', async () => {
    for (const proto of ['http', 'https,http']) {
      const plain = new Browser(app, proto);
      expectRefused(await plain.get('/staff/login'), plain, /Open this page by https/);
      expect(plain.cookies.size).toBe(0);
    }
    const browser = new Browser();
    const back = await browser.visit('ann');
    const plain = new Browser(app, 'http');
    for (const [name, value] of browser.cookies) plain.cookies.set(name, value);
    expectRefused(await plain.get(back), plain, /Open this page by https/);
  });

  it('while the provider is away, with a page that says so', async () => {
    const away = await server({ ...settings, issuer: 'http://127.0.0.1:9' });
    const answer = await new Browser(away).get('/staff/login');
    expect(answer.statusCode).toBe(502);
    expect(answer.body).toContain('Acme does not answer now');
    await away.close();
  });

  it('after too many tries', async () => {
    const browser = new Browser();
    for (let tries = 0; tries < 10; tries += 1) await browser.get('/staff/login/callback?code=x&state=y');
    expect((await browser.get('/staff/login')).statusCode).toBe(429);
  });
});

it('leads to the back office and nowhere else, whatever address is asked for', async () => {
  const elsewhere = 'to=https://evil.example&return_to=//evil.example&redirect_uri=https://evil.example';
  const browser = new Browser();
  const begun = await browser.get(`/staff/login?${elsewhere}`);
  const asked = new URL(String(begun.headers.location));
  expect([asked.origin, asked.searchParams.get('redirect_uri')]).toEqual([
    provider.issuer,
    `${shop}/staff/login/callback`,
  ]);
  const back = await provider.visit(asked.href, 'ann');
  const answer = await browser.get(`${back}&${elsewhere}`);
  expect(answer.headers.refresh).toBe('0;url=/staff');
  expect(answer.body).not.toContain('evil');
  const back2 = await browser.visit('ann', '/staff/login?page=ops');
  expect((await browser.get(back2)).headers.refresh).toBe('0;url=/ops');
  expect(String((await browser.get(`/staff/logout?${elsewhere}`)).headers.location)).not.toContain('evil');
});

it('gives cookies that no script and no other site can use, over TLS only', async () => {
  const browser = new Browser();
  const begun = await browser.get('/staff/login');
  expect(begun.headers['set-cookie']).toMatch(
    /^staff-sign-in=.*; Path=\/staff\/login; HttpOnly; SameSite=Lax; .*; Secure$/,
  );
  const answer = await browser.get(await provider.visit(String(begun.headers.location), 'ann'));
  for (const [name, path] of Object.entries({ staff: '/staff', 'ops-preview': '/', 'staff-id-token': '/staff/logout' }))
    expect(answer.headers['set-cookie']).toContainEqual(
      expect.stringMatching(new RegExp(`^${name}=[\\w.-]+; Path=${path}; HttpOnly; SameSite=Strict; .*; Secure$`)),
    );
});

describe('in a shop with a database', () => {
  let shopApp: TestApp;
  let full: App;
  beforeAll(async () => {
    shopApp = await TestApp.open('pglite', { TRUST_PROXY: 'loopback' });
    full = await buildApp({
      ...shopApp.context,
      plugins: backOfficeWithReleases({ ...optionsOf(settings), opsToken: breakGlass }).plugins,
    });
  });
  afterAll(async () => {
    await full.close();
    await shopApp.close();
  });

  it('people of the provider are staff: by the rule’s role, and until a manager disables them', async () => {
    const sel = await signedIn('sel', full);
    expect((await sel.get('/staff/api/session')).json().data).toEqual({ name: 'Sel', role: 'seller', way: 'provider' });
    expect((await sel.get('/staff/api/queue')).statusCode).toBe(200);
    expect([(await sel.get('/staff/api/people')).json().code, await sel.status()]).toEqual([403, 403]);
    const ann = await signedIn('ann', full);
    expect([await ann.status(), (await ann.get('/staff/api/queue')).json().code]).toEqual([200, 403]);
    const max = await signedIn('max', full);
    const change = { name: 'Ann Lee', disabled: true };
    expect((await max.ask('POST', '/staff/api/people/change', change)).json().code).toBe(200);
    expect([await ann.status(), (await ann.get('/staff/api/session')).json().code]).toEqual([401, 401]);
    const again = new Browser(full);
    expectRefused(await again.get(await again.visit('ann')), again, /may not sign in here any more/);
  });

  it('signs out here and at the provider', async () => {
    const browser = await signedIn('sel', full);
    const copy = new Browser(full);
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    const { next } = (await browser.ask('DELETE', '/staff/api/session')).json().data;
    const end = String((await browser.get(next)).headers.location);
    expect(new URL(end).searchParams.get('post_logout_redirect_uri')).toBe(`${shop}/staff`);
    // The provider takes who asks and where to only with the right ID token.
    expect((await fetch(end)).status).toBe(200);
    for (const one of [browser, copy]) expect((await one.get('/staff/api/session')).json().code).toBe(401);
  });
});
