import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { DELAY_HEADER, launchBrowser, READ_ONLY_HEADER, RENDERED_HEADER, ROUNDS, type Round } from '@platform/gate';
import {
  type GateContext,
  GateError,
  type GateStep,
  liveVersion,
  openStore,
  promote,
  type Store,
} from '@platform/releases';
import { publishLive, publishSample, scratch } from '@platform/releases/testing';
import type { Browser } from 'playwright-core';
import { findProgram } from '../../setup/programs.mjs';
import { accountOf, browserGateOrReason, isRoot, shopGate } from '../shop-gate';

/** Milliseconds for the page under test. */
const readyMs = 1_500;
export const chromium = findProgram('chromium') ?? '';
const TWO_ROUNDS = [ROUNDS[0], ROUNDS[4]] as Round[];
export const by = { by: 'ann' };
const account = { phone: '13800000000', password: 'demo1234' };

export const shell = `
  const map = JSON.parse(document.getElementById('release-map').textContent);
  const { base, entry, integrity } = map.microFrontends.catalog[0].extras;
  const policy = trustedTypes.createPolicy('releases', { createScriptURL: (url) => url });
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
    node.append('A page');
    script.onload = () => { show('page'); try { self.mfe_page(node); } catch (error) { show('shell-page-failure'); } };
    script.onerror = () => show('shell-page-failure');
    document.head.append(style, script);
  }
`;
const routes = [{ path: '/home', page: './home', module: '', title: 'x' }];
export const remote = (code: string, css = '[data-remote="catalog"] p{color:#000}') => ({
  routes,
  more: { 'remoteEntry.js': code, 'home.dd.css': css },
});

export async function listen(server: http.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export class GateFixture {
  store!: Store;
  against = '';
  mayEnter = true;
  policy = '';
  writes: string[] = [];
  private browsers: Browser[] = [];
  private readonly api = http.createServer((request, response) => this.answer(request, response));

  static install(): GateFixture {
    const fixture = new GateFixture();
    beforeAll(() => fixture.start());
    afterAll(() => fixture.stop());
    beforeEach(() => fixture.fillStore());
    return fixture;
  }

  private async start(): Promise<void> {
    this.against = await listen(this.api);
    if (!chromium) throw new Error('these tests need Chromium: install it or set CHROME_PATH');
    this.browsers = await Promise.all([1, 2].map(() => launchBrowser(chromium, !isRoot())));
  }

  private async stop(): Promise<void> {
    await Promise.all(this.browsers.map((browser) => browser.close()));
    this.api.closeAllConnections();
    this.api.close();
  }

  private async fillStore(): Promise<void> {
    this.store = openStore({ place: await scratch() });
    await publishLive(this.store, { name: 'shell', more: { 'main.aa.js': shell } });
    await publishLive(this.store, remote('self.mfe_page = () => {}'));
  }

  answer(request: http.IncomingMessage, response: http.ServerResponse): void {
    if ([DELAY_HEADER, RENDERED_HEADER, READ_ONLY_HEADER].some((header) => request.headers[header]))
      return void response.writeHead(400).end();
    if (request.method !== 'GET') this.writes.push(request.url ?? '');
    if (this.policy) response.setHeader('content-security-policy', this.policy);
    if (request.url === '/healthz') return void response.end('ok');
    const send = (code: number, data: object | null) => response.end(JSON.stringify({ code, message: 'x', data }));
    if (request.url === '/api/front/app/login') {
      return void send(this.mayEnter ? 200 : 41001, this.mayEnter ? { token_type: 'Bearer', access_token: 't' } : null);
    }
    const isShopper = request.headers.authorization === 'Bearer t';
    send(isShopper ? 200 : 401, isShopper ? { nickname: 'Ann of the gate', phone: account.phone } : null);
  }

  /** Of a gate on the live release. */
  async context(): Promise<GateContext> {
    const map = await this.store.readMap();
    const manifest = await this.store.readManifest('catalog', liveVersion(map, 'catalog') ?? '');
    if (!manifest) throw new Error('nothing is live');
    return { store: this.store, manifest, map };
  }

  /** By default with two rounds, because most faults appear in each. */
  step(options: { nameMs?: number; visitMs?: number; rounds?: readonly Round[] } = {}): GateStep {
    const { against, browsers } = this;
    return shopGate({
      against,
      chromium,
      account: accountOf(account),
      readyMs,
      browsers,
      sandbox: !isRoot(),
      rounds: TWO_ROUNDS,
      ...options,
    });
  }

  /** The step of CI, with the account of the demo data. */
  strictStep(): Promise<GateStep> {
    return browserGateOrReason(this.against, {
      PATH: process.env.PATH,
      CHROME_PATH: chromium,
      RELEASE_GATE: 'strict',
      GATE_SANDBOX: process.env.GATE_SANDBOX,
    });
  }

  async judge(
    sample: Parameters<typeof publishSample>[1],
    browser: GateStep = this.step(),
  ): Promise<Record<string, string> | 'live'> {
    const { store } = this;
    const version = await publishSample(store, sample);
    try {
      await promote(store, { ...by, name: 'catalog', version, steps: [browser] });
      expect(liveVersion(await store.readMap(), 'catalog')).toBe(version);
      return 'live';
    } catch (error) {
      if (!(error instanceof GateError)) throw error;
      expect(liveVersion(await store.readMap(), 'catalog')).not.toBe(version);
      const failed = error.verdict.checks.filter(({ outcome }) => outcome === 'failed');
      return Object.fromEntries(failed.map(({ check, detail }) => [check, detail]));
    }
  }
}
