/** People who sign in at a real provider in a process of its own, and what an attacker tries. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { history, liveVersion, openStore, promote, type Store } from '@shop/release';
import { publishSample } from '@shop/release/testing';
import { OpenIdProvider } from '../../../test/support/openid-provider';
import { type AuditEntry, auditEvents } from '../../platform/audit/audit';
import type { App } from '../../platform/http/request';
import { createServer } from '../../platform/http/server';
import { releasePlugins } from '../release-plugins';
import type { SecondPersonRule } from '../second-person';
import type { OpenIdRule, OpenIdSettings } from './openid-settings';

jest.setTimeout(60_000);
const shop = 'https://shop.example';
const client = {
  client_id: 'shop',
  client_secret: 'a secret of this test, 40 characters long',
  redirect_uris: [`${shop}/ops/login/callback`],
  post_logout_redirect_uris: [`${shop}/ops`],
};
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
const jwk = { ...publicKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' };
const { client_secret: _secret, ...open } = client;
const rules: OpenIdRule[] = [
  { claim: 'groups', value: 'shop-ops', role: 'ops', remotes: [], channels: [] },
  { claim: 'groups', value: 'shop-viewers', role: 'viewer', remotes: [], channels: [] },
  {
    ...{ claim: 'groups', value: 'catalog', role: 'squad', remotes: ['catalog'], channels: ['production'] },
    maxTraffic: 25,
  },
];
const people = {
  ann: { name: 'Ann Lee', groups: ['staff', 'shop-ops'] },
  vic: { name: 'Vic', groups: ['shop-viewers'] },
  cat: { name: "Cat O'Neil (ops)", groups: ['catalog'] },
  nobody: { name: '<b>Nobody</b>', groups: ['staff'] },
};
const breakGlass = 'a-token-for-tests';
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

const server = async (openId: OpenIdSettings | null, secondPerson: SecondPersonRule[] = []) => {
  const { plugins } = releasePlugins({
    secondPerson,
    ...{ store, openId, opsToken: breakGlass, opsTokens: new Map([['Ben', 'the token of Ben']]), watchEvery: 0 },
    now: () => clock,
    browserGate: async () => ({ check: 'browser', run: async () => [] }),
  });
  const made = createServer({ logger: false, trustProxy: '127.0.0.1' });
  for (const plugin of plugins) await made.register(plugin, {});
  return made;
};

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
class Browser {
  readonly cookies = new Map<string, string>();
  constructor(
    private readonly at: App = app,
    private readonly proto = 'https',
  ) {}

  async ask(url: string, { body, json }: { body?: string; json?: object } = {}) {
    const answer = await this.at.inject({
      method: body === undefined && !json ? 'GET' : 'POST',
      url: url.replace(shop, ''),
      headers: {
        host: 'shop.example',
        'x-forwarded-proto': this.proto,
        'x-forwarded-for': `198.51.100.${address}`,
        cookie: [...this.cookies].map((pair) => pair.join('=')).join('; '),
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(json && { 'x-ops': '1' }),
      },
      payload: json ?? body,
    });
    for (const set of [answer.headers['set-cookie'] ?? []].flat()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (value) this.cookies.set(name, value);
      else this.cookies.delete(name);
    }
    return answer;
  }
  /** Up to the address by which the provider sends the browser back. */
  async visit(as: string | null, path = '/ops/login'): Promise<string> {
    const begun = await this.ask(path);
    expect(begun.statusCode).toBe(303);
    return provider.visit(String(begun.headers.location), as);
  }
  async signIn(as: string): Promise<this> {
    const answer = await this.ask(await this.visit(as));
    expect([answer.statusCode, answer.headers.refresh]).toEqual([200, '0;url=/ops']);
    return this;
  }
  /** Of a promote that takes longer than the page waits for, what became of it. */
  async act(json: object) {
    const answer = await this.ask('/ops/act', { json });
    if (answer.statusCode !== 202) return answer;
    let job = answer.json();
    while (job.state === 'running') {
      await new Promise((resolve) => setTimeout(resolve, 5));
      job = (await this.ask(`/ops/jobs/${job.id}`)).json();
    }
    return { ...answer, statusCode: job.state === 'done' ? 200 : 409, json: () => job };
  }
  state = async () => (await this.ask('/ops/state.json')).json();
  status = async () => (await this.ask('/ops/state.json')).statusCode;
}
const live = async () => liveVersion(await store.readMap('production'), 'catalog');
const signedIn = (as: string, at?: App) => new Browser(at).signIn(as);

/** No session was made, and the page says why. */
function expectRefused(answer: { statusCode: number; body: string }, browser: Browser, text: string | RegExp) {
  expect([answer.statusCode, browser.cookies.has('ops')]).toEqual([403, false]);
  expect(answer.body).toMatch(text);
  expect(audited).toContainEqual(expect.objectContaining({ action: 'session.refuse' }));
}

describe('whoever signs in at the provider', () => {
  it('acts under the name and with the role that the provider vouches for', async () => {
    const ann = await signedIn('ann');
    expect(await ann.state()).toMatchObject({ you: 'Ann Lee (ops)', mayRestore: true });
    expect((await ann.act({ action: 'rollback', name: 'catalog' })).statusCode).toBe(200);
    expect(await live()).toBe(one);
    expect((await history(store))[0]).toMatchObject({ action: 'rollback', by: 'Ann Lee (ops)' });
    expect((await ann.act({ action: 'promote', name: 'catalog', version: two })).statusCode).toBe(200);
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
    for (const wanted of [
      { action: 'rollback', name },
      { action: 'promote', name, version: one },
      { action: 'freeze', name },
      { action: 'render-off', name },
      { action: 'restore', rev: 1 },
    ])
      expect((await vic.act(wanted)).statusCode).toBe(403);
    expect(await live()).toBe(two);
    expect(audited).toContainEqual(
      expect.objectContaining({ action: 'release.rollback.refuse', actor: 'Vic (viewer)', subject: 'catalog' }),
    );
  });

  it('of a squad has its remotes and its share only, and a name that passes for no role', async () => {
    const cat = await signedIn('cat');
    expect((await cat.state()).you).toBe("Cat O'Neil ops (squad)");
    const three = await publishSample(store, { text: 'three' });
    expect((await cat.act({ action: 'promote', name: 'catalog', version: three })).statusCode).toBe(403);
    expect((await cat.act({ action: 'promote', name: 'catalog', version: three, skipBrowser: 'x' })).statusCode).toBe(
      403,
    );
    expect((await cat.act({ action: 'promote', name: 'catalog', version: three, traffic: 25 })).statusCode).toBe(200);
    expect((await cat.act({ action: 'rollback', name: 'catalog' })).statusCode).toBe(200);
    // Never live, and a rollback runs no gate.
    expect((await cat.act({ action: 'rollback', name: 'catalog', version: three })).statusCode).toBe(409);
    expect((await cat.act({ action: 'rollback', name: 'orders' })).statusCode).toBe(403);
    expect((await cat.act({ action: 'freeze', name: 'catalog' })).statusCode).toBe(403);
    expect(await live()).toBe(two);
  });

  it('is told when no rule gives them a role, and can come back as somebody else', async () => {
    const browser = new Browser();
    const answer = await browser.ask(await browser.visit('nobody'));
    expectRefused(
      answer,
      browser,
      /knows you as &lt;b&gt;Nobody&lt;\/b&gt;, but nothing that it says of you has a role here/,
    );
    expect(answer.body).toContain('href="/ops/login?again"');
    expect((await browser.ask('/ops/login?again')).headers.location).toContain('prompt=login');
  });

  it('loses the role with the rule, also in a session that is open', async () => {
    const ann = await signedIn('ann');
    const restarted = await server({ ...settings, rules: rules.slice(1) });
    const still = new Browser(restarted);
    for (const [name, value] of ann.cookies) still.cookies.set(name, value);
    expect([await ann.status(), await still.status()]).toEqual([200, 401]);
    expect((await still.act({ action: 'rollback', name: 'catalog' })).statusCode).toBe(401);
    expect(await live()).toBe(two);
    await restarted.close();
  });

  it('is one person, whatever the name, and no token makes a second one of them', async () => {
    const at = await server(settings, [{ act: 'restore' }]);
    const ann = await signedIn('ann', at);
    expect((await ann.act({ action: 'restore', rev: 1 })).json()).toMatchObject({ proposed: true });
    const [{ id: proposal }] = (await ann.state()).proposals;
    await provider.setPeople({ ...people, ann: { ...people.ann, name: 'Anna' }, dan: { ...people.ann, name: 'Dan' } });
    const renamed = await signedIn('ann', at);
    expect((await renamed.act({ action: 'confirm', proposal })).json().message).toMatch(/^Anna \(ops\) has agreed/);
    for (const token of ['the token of Ben', breakGlass]) {
      const browser = new Browser(at);
      await browser.ask('/ops/login', { body: `token=${token}&person=Eve` });
      expect((await browser.act({ action: 'confirm', proposal })).statusCode).toBe(403);
    }
    expect((await (await signedIn('vic', at)).act({ action: 'confirm', proposal })).statusCode).toBe(403);
    expect(await live()).toBe(two);
    expect((await (await signedIn('dan', at)).act({ action: 'confirm', proposal })).statusCode).toBe(200);
    expect((await history(store))[0]).toMatchObject({ action: 'restore', by: 'Ann Lee (ops), confirmed by Dan (ops)' });
    await promote(store, { by: 'ann', name: 'catalog', version: two });
    await at.close();
  });

  it('signs out here and at the provider, and is signed out after eight hours', async () => {
    const browser = await signedIn('ann');
    const copy = new Browser();
    for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
    const answer = await browser.ask('/ops/logout', { body: '' });
    const [, end = ''] = /^0;url=(.*)$/.exec(String(answer.headers.refresh)) ?? [];
    expect(new URL(end).searchParams.get('post_logout_redirect_uri')).toBe(`${shop}/ops`);
    // The provider takes who asks and where to only with the right ID token.
    expect((await fetch(end)).status).toBe(200);
    expect([await browser.status(), await copy.status()]).toEqual([401, 401]);

    const again = await signedIn('ann');
    clock += 8 * 3_600_000 - 60_000;
    expect(await again.status()).toBe(200);
    clock += 61_000;
    expect(await again.status()).toBe(401);
  });

  it('sees one button; the token form is there only where a token is good', async () => {
    const page = async (at: App) => (await new Browser(at).ask('/ops')).body;
    expect(await page(app)).toMatch(/href="\/ops\/login">Sign in with Acme<[\s\S]*name="token"/);
    const { plugins } = releasePlugins({ store, openId: settings, opsToken: '', watchEvery: 0 });
    const without = createServer({ logger: false, trustProxy: '127.0.0.1' });
    for (const plugin of plugins) await without.register(plugin, {});
    expect(await page(without)).toMatch(/Sign in with Acme/);
    expect(await page(without)).not.toMatch(/<form[^>]*\/ops\/login|name="token"/);
    expect((await new Browser(without).ask('/ops/login', { body: 'token=&person=Ann' })).headers.location).toBe(
      '/ops?wrong',
    );
    expect((await signedIn('ann', without)).cookies.has('ops')).toBe(true);
    await without.close();
  });

  it('has a name that nobody with the shared token can take', async () => {
    const browser = new Browser();
    await browser.ask('/ops/login', { body: `token=${breakGlass}&person=Ann+Lee` });
    expect((await browser.state()).you).toBe('Ann Lee (ops, break-glass)');
    await provider.setPeople({ ben: { name: ' bEn', groups: ['shop-ops'] } });
    const ben = new Browser();
    expectRefused(await ben.ask(await ben.visit('ben')), ben, /a token of their own/);
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
    const answer = await browser.ask(await browser.visit('ann'));
    expect([answer.statusCode, browser.cookies.has('ops')]).toEqual([502, false]);
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
    expectRefused(await browser.ask(back.href), browser, /not good here/);

    const victim = new Browser();
    expectRefused(await victim.ask(await new Browser().visit('ann')), victim, /not begun in this browser/);
    const mixed = new Browser();
    await mixed.ask('/ops/login');
    expectRefused(await mixed.ask(await new Browser().visit('ann')), mixed, /not good here/);
  });

  it('when its code comes a second time, before the provider is asked', async () => {
    const browser = new Browser();
    const back = await browser.visit('ann');
    const before = new Map(browser.cookies);
    expect((await browser.ask(back)).statusCode).toBe(200);
    const thief = new Browser();
    for (const [name, value] of before) thief.cookies.set(name, value);
    const calls = await provider.tokenCalls();
    expectRefused(await thief.ask(back), thief, /was used before/);
    expect(await provider.tokenCalls()).toBe(calls);
    // The same code in a sign-in of the thief's own.
    const code = new URL(back).searchParams.get('code') ?? '';
    const own = new URL(await thief.visit('vic'));
    own.searchParams.set('code', code);
    expectRefused(await thief.ask(own.href), thief, /not good here/);
  });

  it('ten minutes after it was begun', async () => {
    const browser = new Browser();
    const back = await browser.visit('ann');
    clock += 600_001;
    expectRefused(await browser.ask(back), browser, /older than ten minutes/);
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
    expectRefused(await browser.ask(back), browser, /not good here/);
  });

  it('with an ID token that another key has signed', async () => {
    const browser = new Browser();
    const back = await browser.visit('ann');
    await provider.setWrong({ foreign: true });
    expectRefused(await browser.ask(back), browser, /not good here/);
  });

  it('when the person cancels it', async () => {
    const browser = new Browser();
    expectRefused(await browser.ask(await browser.visit(null)), browser, /access was denied/);
  });

  it('without TLS, also behind a proxy that says so', async () => {
    for (const proto of ['http', 'https,http']) {
      const plain = new Browser(app, proto);
      expectRefused(await plain.ask('/ops/login'), plain, /Open this page by https/);
      expect(plain.cookies.size).toBe(0);
    }
    const browser = new Browser();
    const back = await browser.visit('ann');
    const plain = new Browser(app, 'http');
    for (const [name, value] of browser.cookies) plain.cookies.set(name, value);
    expectRefused(await plain.ask(back), plain, /Open this page by https/);
  });

  it('while the provider is away, with a page that says so', async () => {
    const away = await server({ ...settings, issuer: 'http://127.0.0.1:9' });
    const answer = await new Browser(away).ask('/ops/login');
    expect(answer.statusCode).toBe(502);
    expect(answer.body).toContain('Acme does not answer now');
    await away.close();
  });

  it('after too many tries', async () => {
    const browser = new Browser();
    for (let tries = 0; tries < 10; tries += 1) await browser.ask('/ops/login/callback?code=x&state=y');
    expect((await browser.ask('/ops/login')).statusCode).toBe(429);
  });
});

it('leads to /ops and nowhere else, whatever address is asked for', async () => {
  const elsewhere = 'to=https://evil.example&return_to=//evil.example&redirect_uri=https://evil.example';
  const browser = new Browser();
  const begun = await browser.ask(`/ops/login?${elsewhere}`);
  const asked = new URL(String(begun.headers.location));
  expect([asked.origin, asked.searchParams.get('redirect_uri')]).toEqual([
    provider.issuer,
    `${shop}/ops/login/callback`,
  ]);
  const back = await provider.visit(asked.href, 'ann');
  const answer = await browser.ask(`${back}&${elsewhere}`);
  expect(answer.headers.refresh).toBe('0;url=/ops');
  expect(answer.body).not.toContain('evil');
  const out = await browser.ask(`/ops/logout?${elsewhere}`, { body: elsewhere });
  expect(String(out.headers.refresh)).not.toContain('evil');
});

it('gives cookies that no script and no other site can use, over TLS only', async () => {
  const browser = new Browser();
  const begun = await browser.ask('/ops/login');
  expect(begun.headers['set-cookie']).toMatch(
    /^ops-sign-in=.*; Path=\/ops\/login; HttpOnly; SameSite=Lax; .*; Secure$/,
  );
  const answer = await browser.ask(await provider.visit(String(begun.headers.location), 'ann'));
  for (const [name, path] of Object.entries({ ops: '/ops', 'ops-preview': '/', 'ops-id-token': '/ops/logout' }))
    expect(answer.headers['set-cookie']).toContainEqual(
      expect.stringMatching(new RegExp(`^${name}=[\\w.-]+; Path=${path}; HttpOnly; SameSite=Strict; .*; Secure$`)),
    );
});
