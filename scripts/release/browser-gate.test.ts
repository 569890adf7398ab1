import { mkdtempSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GateError, gate, liveVersion, openStore, promote, type ReleaseManifest, type Store } from '@shop/release';
import { publishSample } from '@shop/release/testing';
import { findChromium } from '../setup/chromium.mjs';
import { browserGate, browserGateOrReason } from './browser-gate';

jest.setTimeout(60_000);
const chromium = findChromium();
const by = { by: 'ann' };
let store: Store;
let api: http.Server;
let against: string;
let mayEnter = true;
const account = { phone: '13800000000', password: 'demo1234' };

/** A shell of twelve lines: it loads the entry that the map names and calls what that defines. */
const shell = `
  const map = JSON.parse(document.getElementById('release-map').textContent);
  const { base, entry, integrity } = map.microFrontends.catalog[0].extras;
  const policy = trustedTypes.createPolicy('shop-loader', { createScriptURL: (url) => url });
  const script = document.createElement('script');
  script.src = policy.createScriptURL(base + entry);
  script.integrity = integrity[entry];
  script.crossOrigin = 'anonymous';
  const show = (name) => { const node = document.createElement('p'); node.className = name; document.getElementById('root').replaceChildren(node); };
  script.onload = () => { try { self.page(); show('page'); } catch (error) { show('shell-page-failure'); } };
  script.onerror = () => show('shell-page-failure');
  document.head.append(script);
`;
const routes = [{ path: '/home', page: './home', module: '', title: 'x' }];
const remote = (code: string) => ({ routes, more: { 'remoteEntry.js': code } });

beforeAll(async () => {
  api = http.createServer((request, response) => {
    const signIn = request.url === '/api/front/app/login';
    response.end(signIn && mayEnter ? '{"code":200,"data":{"access_token":"t"}}' : '{}');
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  against = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
});
afterAll(() => api.close());
beforeEach(async () => {
  store = openStore({ place: mkdtempSync(path.join(tmpdir(), 'shop-gate-')) });
  await publishSample(store, { name: 'shell', more: { 'main.aa.js': shell } });
  await promote(store, { ...by, name: 'shell' });
  await publishSample(store, remote('self.page = () => {}'));
  await promote(store, { ...by, name: 'catalog' });
});

async function manifest(): Promise<ReleaseManifest> {
  const live = liveVersion(await store.readMap('production'), 'catalog') ?? '';
  const found = await store.readManifest('catalog', live);
  if (!found) throw new Error('nothing is live');
  return found;
}

async function judge(code: string): Promise<string> {
  if (!chromium) throw new Error('this test needs Chromium: install it or set CHROME_PATH');
  const version = await publishSample(store, remote(code));
  try {
    await promote(store, {
      ...by,
      name: 'catalog',
      version,
      steps: [browserGate({ against, chromium, account })],
    });
    expect(liveVersion(await store.readMap('production'), 'catalog')).toBe(version);
    return 'live';
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    expect(liveVersion(await store.readMap('production'), 'catalog')).not.toBe(version);
    return error.verdict.checks.find(({ check }) => check === 'browser')?.detail ?? '';
  }
}

it('passes a release whose routes all work', async () => {
  expect(await judge('self.page = () => { document.title = "fine"; }')).toBe('live');
});

it.each([
  [
    'that throws at render, though the release before would hide it',
    'self.page = () => { throw new Error("boom"); }',
    /\/home \(guest\): an error card/,
  ],
  ['that writes an error to the console', 'self.page = () => console.error("this is wrong")', /console: this is wrong/],
  [
    'that breaks the policy',
    'self.page = () => { const node = document.createElement("div"); node.setAttribute("style", "color:red"); document.body.append(node); }',
    /policy: style-src-attr|console: .*Content Security Policy/,
  ],
  [
    'with a second copy of a singleton',
    'self.page = () => { self.__FEDERATION__ = { __SHARE__: { a: { default: { react: { "19.3.1": { from: "shell", loaded: true }, "19.4.0": { from: "catalog", loaded: true } } } } } }; }',
    /a second copy of react/,
  ],
])('refuses a release %s', async (_, code, message) => {
  expect(await judge(code)).toMatch(message);
});

it('opens each route as a shopper who is signed in too', async () => {
  const onlyForMembers = 'self.page = () => { if (localStorage.getItem("token")) throw new Error("boom"); }';
  expect(await judge(onlyForMembers)).toBe('/home (signed in): an error card');
});

it('reports an account that cannot sign in, and fails where the check is required', async () => {
  mayEnter = false;
  try {
    const context = { store, manifest: await manifest(), map: await store.readMap('production') };
    const outcome = async (strict: boolean) =>
      (await browserGate({ against, chromium: chromium ?? '', account, strict }).run(context)).map(
        ({ outcome }) => outcome,
      );
    expect(await outcome(false)).toEqual(['passed', 'skipped']);
    expect(await outcome(true)).toEqual(['passed', 'failed']);
  } finally {
    mayEnter = true;
  }
});

it('opens the given release, not the live one', async () => {
  const version = await publishSample(store, remote('self.page = () => console.error("not live yet")'));
  const verdict = await gate(store, {
    name: 'catalog',
    version,
    steps: [browserGate({ against, chromium: chromium ?? '' })],
  });
  expect(verdict).toMatchObject({ passed: false });
  expect(verdict.checks.at(-1)?.detail).toMatch(/console: not live yet/);
  expect(liveVersion(await store.readMap('production'), 'catalog')).not.toBe(version);
});

describe('without a shop or a browser', () => {
  const outcome = async (env: NodeJS.ProcessEnv, shop: string | null) => {
    const step = await browserGateOrReason(shop, env);
    return step.run({ store, map: await store.readMap('production'), manifest: {} as never });
  };

  it('names the skipped checks on a developer’s machine', async () => {
    expect(await outcome({ PATH: process.env.PATH }, null)).toMatchObject([
      { outcome: 'skipped', detail: expect.stringContaining('--against') },
    ]);
    expect(await outcome({ PATH: process.env.PATH }, 'http://127.0.0.1:9')).toMatchObject([
      { outcome: 'skipped', detail: expect.stringContaining('no shop answers') },
    ]);
  });

  it('fails where the check is required', async () => {
    expect(await outcome({ PATH: process.env.PATH, RELEASE_GATE: 'strict' }, null)).toMatchObject([
      { outcome: 'failed', detail: expect.stringContaining('--skip browser') },
    ]);
  });
});
