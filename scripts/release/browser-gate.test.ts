import { mkdtempSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type Check,
  GateError,
  type GateFlow,
  type GateStep,
  gate,
  history,
  liveVersion,
  openStore,
  promote,
  type ReleaseManifest,
  type Store,
} from '@shop/release';
import { publishSample } from '@shop/release/testing';
import { generate } from 'selfsigned';
import { findChromium } from '../setup/chromium.mjs';
import { browserGate, browserGateOrReason } from './browser-gate';
import { launchBrowsers } from './gate/browsers';
import { DELAY_HEADER } from './gate-site';

jest.setTimeout(60_000);
/** Of the page under test. */
const readyMs = 1_500;
const chromium = findChromium();
const by = { by: 'ann' };
/** What reading the files finds too is left to the browser here. */
const browserOnly = { skip: ['own-pages'], why: 'a fault for the browser to find' };
let store: Store;
let api: http.Server;
let against: string;
let browsers: Awaited<ReturnType<typeof launchBrowsers>>;
let mayEnter = true;
const account = { phone: '13800000000', password: 'demo1234' };

/** A small shell: it loads the entry that the map names, calls what that defines, and shows the shopper's name at /user. */
const shell = `
  const map = JSON.parse(document.getElementById('release-map').textContent);
  const { base, entry, integrity } = map.microFrontends.catalog[0].extras;
  const policy = trustedTypes.createPolicy('shop-loader', { createScriptURL: (url) => url });
  const token = localStorage.getItem('token');
  const node = document.createElement('main');
  const show = (name) => { node.className = name; document.getElementById('root').replaceChildren(node); };
  self.user = () => fetch('/api/front/user/info', { headers: token ? { authorization: token } : {} }).then((answer) => answer.json());
  if (location.pathname === '/user') self.user().then(({ data }) => { node.textContent = data ? data.nickname : 'Sign in'; show('page'); });
  else {
    node.dataset.remote = 'catalog';
    const style = document.createElement('link');
    style.rel = 'stylesheet';
    style.href = base + 'home.dd.css';
    const script = document.createElement('script');
    script.src = policy.createScriptURL(base + entry);
    script.integrity = integrity[entry];
    script.crossOrigin = 'anonymous';
    script.onload = () => { show('page'); try { self.shop_page(node); } catch (error) { show('shell-page-failure'); } };
    script.onerror = () => show('shell-page-failure');
    document.head.append(style, script);
  }
`;
const routes = [{ path: '/home', page: './home', module: '', title: 'x' }];
const remote = (code: string, css = '[data-remote="catalog"] p{color:#000}') => ({
  routes,
  more: { 'remoteEntry.js': code, 'home.dd.css': css },
});

beforeAll(async () => {
  api = http.createServer(answer);
  against = await listen(api);
  browsers = await launchBrowsers(chromium ?? '');
});
afterAll(async () => {
  await Promise.all(browsers.map((browser) => browser.close()));
  api.closeAllConnections();
  api.close();
});
beforeEach(async () => {
  store = openStore({ place: mkdtempSync(path.join(tmpdir(), 'shop-gate-')) });
  await publishSample(store, { name: 'shell', more: { 'main.aa.js': shell } });
  await promote(store, { ...by, name: 'shell' });
  await publishSample(store, remote('self.shop_page = () => {}'));
  await promote(store, { ...by, name: 'catalog', ...browserOnly });
});

/** Signs in by password, and knows a caller by the token with its scheme, as the shop does. */
function answer(request: http.IncomingMessage, response: http.ServerResponse): void {
  if (request.headers[DELAY_HEADER]) return void response.writeHead(400).end();
  if (request.url === '/healthz') return void response.end('ok');
  const send = (code: number, data: object | null) => response.end(JSON.stringify({ code, message: 'x', data }));
  if (request.url === '/api/front/app/login') {
    return void send(mayEnter ? 200 : 41001, mayEnter ? { token_type: 'Bearer', access_token: 't' } : null);
  }
  const isShopper = request.headers.authorization === 'Bearer t';
  send(isShopper ? 200 : 401, isShopper ? { nickname: 'Ann of the gate', phone: account.phone } : null);
}

async function listen(server: http.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const scheme = server instanceof https.Server ? 'https' : 'http';
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function manifest(): Promise<ReleaseManifest> {
  const live = liveVersion(await store.readMap('production'), 'catalog') ?? '';
  const found = await store.readManifest('catalog', live);
  if (!found) throw new Error('nothing is live');
  return found;
}

const step = (options: { nameMs?: number } = {}) => {
  if (!chromium) throw new Error('this test needs Chromium: install it or set CHROME_PATH');
  return browserGate({ against, chromium, account, readyMs, browsers, ...options });
};

/** As CI has it, with the account that the shop is seeded with. */
const strictStep = () =>
  browserGateOrReason(against, { PATH: process.env.PATH, CHROME_PATH: chromium ?? '', RELEASE_GATE: 'strict' });

/** Promotes a release of that code; what failed, by check, or 'live'. */
async function judge(
  sample: Parameters<typeof publishSample>[1],
  browser: GateStep = step(),
): Promise<Record<string, string> | 'live'> {
  const version = await publishSample(store, sample);
  try {
    await promote(store, { ...by, name: 'catalog', version, steps: [browser], ...browserOnly });
    expect(liveVersion(await store.readMap('production'), 'catalog')).toBe(version);
    return 'live';
  } catch (error) {
    if (!(error instanceof GateError)) throw error;
    expect(liveVersion(await store.readMap('production'), 'catalog')).not.toBe(version);
    const failed = error.verdict.checks.filter(({ outcome }) => outcome === 'failed');
    return Object.fromEntries(failed.map(({ check, detail }) => [check, detail]));
  }
}

it('passes a release whose routes all work', async () => {
  const good = `self.shop_page = (node) => {
    self.user().then(({ data }) => { node.append(data ? 'Hello' : 'Sign in'); });
    localStorage.setItem('catalog.seen', '1');
    document.title = 'fine';
  }`;
  expect(await judge(remote(good))).toBe('live');
});

it('refuses a release that throws at render, though the release before would hide it', async () => {
  expect(await judge(remote('self.shop_page = () => { throw new Error("boom"); }'))).toEqual({
    browser: '/home: an error card',
  });
});

it('refuses errors, rejected promises and violations of the policy, each with its place', async () => {
  const bad = `self.shop_page = (node) => {
    setTimeout(() => { throw new Error('in a timer'); });
    setTimeout(() => Promise.reject(new Error('in a promise')));
    setTimeout(() => console.error('this is wrong'));
    node.setAttribute('style', 'color:red');
  }`;
  const { browser } = (await judge(remote(bad))) as Record<string, string>;
  expect(browser).toContain('/home: error: in a timer at remoteEntry.js:2:30');
  expect(browser).toContain('/home: error: in a promise at remoteEntry.js:3:37');
  expect(browser).toContain('/home: console: this is wrong at remoteEntry.js:4:30');
  expect(browser).toMatch(/\/home: policy: style-src-attr inline at remoteEntry\.js:5/);
});

it('refuses a second copy of a singleton', async () => {
  const bad =
    'self.shop_page = () => { self.__FEDERATION__ = { __SHARE__: { a: { default: { react: { "19.3.1": { from: "shell", loaded: true }, "19.4.0": { from: "catalog", loaded: true } } } } } }; }';
  expect(await judge(remote(bad))).toEqual({ browser: expect.stringMatching(/a second copy of react/) });
});

it('refuses a release that fails for signed-in shoppers only, and one that fails in one language only', async () => {
  const onlyForMembers = `self.shop_page = () => self.user().then(({ data }) => { if (data) throw new Error('for ' + data.nickname); })`;
  expect(await judge(remote(onlyForMembers), await strictStep())).toEqual({
    browser: expect.stringMatching(/^\/home \(signed in\): error: for Ann of the gate at remoteEntry\.js:1:\d+$/),
  });
  const onlyInEnglish = `self.shop_page = () => { if (localStorage.getItem('language') === 'en') throw new Error('boom'); }`;
  expect(await judge(remote(onlyInEnglish))).toEqual({ browser: '/home (en): an error card' });
});

it('refuses a page that is not ready, blocks the main thread, moves its content, or keeps people out', async () => {
  const bad = `
    self.shop_page = (node) => {
      const button = node.appendChild(document.createElement('button'));
      const late = node.appendChild(document.createElement('p'));
      late.id = 'moved';
      late.textContent = 'This line moves. '.repeat(200);
      node.ariaBusy = 'true';
      node.append(Object.assign(document.createElement('p'), { ariaBusy: 'true' }));
      setTimeout(() => { button.className = 'tall'; }, 200);
      setTimeout(() => { for (const end = performance.now() + 1_500; performance.now() < end; ); }, 400);
    }`;
  expect(await judge(remote(bad, '[data-remote="catalog"] .tall{display:block;height:300px}'))).toEqual({
    ready: expect.stringContaining('/home (answers as they are): not ready after 1.5 s'),
    blocking: expect.stringMatching(/the main thread was blocked for \d+ ms \(\d+ ms in remoteEntry\.js\)/),
    'layout-shift': expect.stringMatching(/content moved by 0\.\d+: .*p#moved/),
    accessibility: '/home (answers as they are): button-name at button',
  });
});

it('refuses globals, patches, storage keys and styles that reach beyond its own pages', async () => {
  const bad = `self.leaked = 1;
    self.shop_page = () => {
      const { fetch } = self;
      self.fetch = (...call) => fetch(...call);
      Array.prototype.last = function () { return this.at(-1); };
      XMLHttpRequest.prototype.open = () => {};
      localStorage.setItem('seen', '1');
      sessionStorage.draft = 'x';
    }`;
  const css =
    '.fine,[data-remote="catalog"] p{color:#000}\n@media (min-width:1px){body main:hover{color:#111}html{margin:0}}';
  const { isolation = '' } = (await judge(remote(bad, css))) as Record<string, string>;
  for (const fault of [
    /it sets the global leaked at remoteEntry\.js:1:6/,
    /it changes fetch at remoteEntry\.js:3:\d+/,
    /it changes Array\.prototype\.last at remoteEntry\.js:5:\d+/,
    /it changes XMLHttpRequest\.prototype\.open at remoteEntry\.js:6:\d+/,
    /it writes the storage key "seen", which does not start with "catalog\." at remoteEntry\.js:7:\d+/,
    /it writes the storage key "draft", which does not start with "catalog\." at remoteEntry\.js:8:\d+/,
    /its style rule "html" reaches html outside its pages at home\.dd\.css:2:\d+/,
  ]) {
    expect(isolation).toMatch(fault);
  }
  expect(isolation).not.toMatch(/"body main|\.fine|data-remote="catalog"\] p/);
});

describe('flows', () => {
  const press: GateFlow = {
    name: 'shows the price',
    route: '/home',
    visitor: 'guest',
    steps: [{ press: 'button', name: { 'zh-CN': '价格', en: 'Price' } }, { read: '6.00' }],
  };
  const page = (price: string) => `self.shop_page = (node) => {
    const button = node.appendChild(document.createElement('button'));
    button.textContent = localStorage.getItem('language') === 'en' ? 'Price' : '价格';
    button.onclick = () => { ${price} };
  }`;

  it('run from the published release, in both languages', async () => {
    expect(await judge({ ...remote(page('node.append("6.00")')), flows: [press] })).toBe('live');
  });

  it('refuse a release whose button throws or does nothing', async () => {
    expect(await judge({ ...remote(page('throw new Error("boom")')), flows: [press] })).toEqual({
      browser: expect.stringMatching(/^flow "shows the price": error: boom at remoteEntry\.js:4:\d+$/),
      flows: expect.stringMatching(/^flow "shows the price": step 2, read "6\.00": .*Timeout/),
    });
  });
});

it('fails when the shopper is not signed in, and leaves that out for a reason only', async () => {
  mayEnter = false;
  try {
    const context = { store, manifest: await manifest(), map: await store.readMap('production') };
    const outcomes = (await step().run(context)).filter(({ outcome }) => outcome !== 'passed');
    expect(outcomes).toMatchObject([
      {
        check: 'sign-in',
        outcome: 'failed',
        detail: expect.stringMatching(/login answered 41001.*RELEASE_GATE_ACCOUNT/),
      },
    ]);
    const version = await publishSample(store, remote('self.shop_page = () => {} // again'));
    const options = { ...by, name: 'catalog', version, steps: [step()], skip: ['own-pages', 'sign-in'] };
    await expect(promote(store, options)).rejects.toThrow('--why');
    await promote(store, { ...options, why: 'a shop without accounts' });
    expect((await history(store))[0]?.why).toBe('a shop without accounts (skipped: own-pages, sign-in)');
  } finally {
    mayEnter = true;
  }
});

it('fails when the page does not show the name of the shopper', async () => {
  await publishSample(store, {
    name: 'shell',
    more: { 'main.aa.js': shell.replace("getItem('token')", "getItem('user')") },
  });
  await promote(store, { ...by, name: 'shell' });
  const context = { store, manifest: await manifest(), map: await store.readMap('production') };
  const failed = (checks: Check[]) => checks.filter(({ outcome }) => outcome === 'failed');
  expect(failed(await step({ nameMs: 1_000 }).run(context))).toMatchObject([
    { check: 'sign-in', detail: expect.stringContaining('/user does not show the shopper\'s name, "Ann of the gate"') },
  ]);
});

it('checks against a shop on https', async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    keySize: 2048,
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  const front = https.createServer({ key, cert }, answer);
  const plain = against;
  // As NODE_EXTRA_CA_CERTS does for a process.
  https.globalAgent.options.ca = cert;
  try {
    against = await listen(front);
    expect(await judge(remote('self.shop_page = () => self.user() // https'), await strictStep())).toBe('live');
  } finally {
    against = plain;
    https.globalAgent.options.ca = undefined;
    front.closeAllConnections();
    front.close();
  }
});

it('opens the given release, not the live one', async () => {
  const version = await publishSample(store, remote('self.shop_page = () => console.error("not live yet")'));
  const verdict = await gate(store, {
    name: 'catalog',
    version,
    steps: [browserGate({ against, chromium: chromium ?? '' })],
  });
  expect(verdict).toMatchObject({ passed: false });
  expect(verdict.checks.find(({ check }) => check === 'browser')?.detail).toMatch(/console: not live yet/);
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
