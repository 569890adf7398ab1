import { once } from 'node:events';
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { emptyMap, promoteInMap, type ReleaseMap, toPublicMap } from '@platform/releases';
import { manifestOf } from '@platform/releases/testing';
import { until } from '../../../../scripts/jest/until';
import { type DevFault, type DevServer, startDevServer } from './dev-server';

const folder = mkdtempSync(path.join(tmpdir(), 'dev-server-'));
const page = path.join(folder, 'greeting', 'src', 'page.ts');
const map = promoteInMap(emptyMap(), manifestOf({ name: 'shell' }), null, { by: 'ann' });
const remote = {
  name: 'greeting',
  contract: 1,
  routes: [{ path: '/hello', page: './hello', module: './src/page.ts', title: { 'zh-CN': '你好', en: 'Hello' } }],
};
const site = http.createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString();
  if (request.url === '/releases/production.json') return response.end(JSON.stringify(toPublicMap(map)));
  const { host, origin, forwarded, 'x-forwarded-for': from } = request.headers;
  response.end(JSON.stringify({ asked: `${request.method} ${request.url}`, host, origin, forwarded, from, body }));
});
let dev: DevServer;
let against: URL;
const errors: string[] = [];

const start = (port: number) =>
  startDevServer({
    product: { root: folder, recipe: path.join(folder, 'rspack.base.js'), inputs: [] },
    name: 'greeting',
    directory: path.join(folder, 'greeting'),
    against,
    port,
    documentOf: (shown: ReleaseMap) => ({
      html: `<head></head>${JSON.stringify(shown)}`,
      headers: { 'x-document': '1' },
    }),
    serverRoutes: ['/api/*', '/admin/*'],
    console: { log: () => {}, error: (line: string) => errors.push(line) },
  });

beforeAll(async () => {
  symlinkSync(path.resolve(__dirname, '../../../../node_modules'), path.join(folder, 'node_modules'), 'junction');
  mkdirSync(path.dirname(page), { recursive: true });
  writeFileSync(page, "export const Component = () => 'morning';\n");
  writeFileSync(path.join(folder, 'greeting', 'remote.json'), JSON.stringify(remote));
  writeFileSync(path.join(folder, 'greeting', 'package.json'), JSON.stringify({ name: 'greeting', version: '1.0.0' }));
  const recipe = 'recipe({ folder: __dirname, scopes: [], singletons: {} })';
  writeFileSync(
    path.join(folder, 'rspack.base.js'),
    `const { recipe } = require('@platform/build');\nmodule.exports = ${recipe};\n`,
  );
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  against = new URL(`http://127.0.0.1:${(site.address() as AddressInfo).port}`);
  dev = await start(0);
});
afterAll(() => {
  dev?.close();
  site.close();
  site.closeAllConnections();
});

const text = async (address: string, init?: RequestInit) => (await fetch(dev.origin + address, init)).text();
const asPage = { headers: { accept: 'text/html' } };

it('the dev server forwards calls and the addresses of the server unchanged', async () => {
  const forged = { 'x-forwarded-for': '', forwarded: 'for=127.0.0.1' };
  const call = { method: 'POST', body: 'typed', headers: { origin: dev.origin, ...forged } };
  expect(JSON.parse(await text('/api/front/x?y=1', call))).toEqual({
    asked: 'POST /api/front/x?y=1',
    body: 'typed',
    host: against.host,
    origin: against.origin,
    // The site would take the page for a local process if the caller's address were missing.
    from: expect.stringMatching(/127\.0\.0\.1$|^::1$/),
  });
  expect(JSON.parse(await text('/admin/people', asPage))).toMatchObject({ asked: 'GET /admin/people' });
  // An address that looks like another host stays on the site.
  expect(JSON.parse(await text('//elsewhere.example/x'))).toMatchObject({ asked: 'GET //elsewhere.example/x' });
});

interface State {
  version?: string;
  hash?: string;
  faults: DevFault[];
}

async function state(): Promise<State> {
  const events = await fetch(`${dev.origin}/__dev/events`);
  const reader = events.body?.pipeThrough(new TextDecoderStream()).getReader();
  let received = '';
  while (!received.includes('\n\n')) received += (await reader?.read())?.value ?? '';
  await reader?.cancel();
  return JSON.parse(received.split('\n\n')[0]?.replace('data: ', '') ?? '');
}

const stateWhen = (isExpected: (now: State) => boolean): Promise<State> =>
  until('the expected state', async () => {
    const now = await state();
    return isExpected(now) ? now : undefined;
  });

const release = async () => {
  const shown = JSON.parse(await text('/releases/production.json')) as ReleaseMap;
  return shown.microFrontends.greeting?.[0];
};

// e2e/src/fast-refresh.test.ts tests that open pages apply edits.
it('the dev server serves the workspace of this machine, and no other file of it', async () => {
  await stateWhen(({ hash }) => hash !== undefined);
  const { extras } = (await release()) ?? {};
  const url = `${extras?.base}${extras?.entry}`;
  expect(await text('/hello', asPage)).toMatch(/<head><script src="\/__dev\/client.js">/);
  expect(await text('/hello', asPage)).toContain(`"entry":"${extras?.entry}"`);
  expect(await text(url)).toContain('./hello');
  expect(extras?.remote?.routes).toEqual(remote.routes);
  for (const file of ['%', '..%2f..%2fpackage.json', '.hidden'])
    expect((await fetch(`${dev.origin}${extras?.base}${file}`)).status).toBe(404);
  expect(errors).toEqual([]);
});

it('the dev server reports the location of a fault to the open page and to editors until it is fixed', async () => {
  const { hash } = await stateWhen((state) => state.hash !== undefined);
  writeFileSync(page, "export const Component = () => 'evening;\n");
  const { faults } = await stateWhen((state) => state.faults.length > 0);
  expect(faults).toEqual([expect.objectContaining({ file: 'src/page.ts', line: 1, column: 32 })]);
  expect(JSON.parse(await text('/__dev/faults'))).toEqual(faults);
  expect(errors.splice(0).join()).toMatch(/^src\/page.ts:1:32: /);
  errors.splice(0);
  writeFileSync(page, "export const Component = () => 'night';\n");
  await stateWhen((state) => state.faults.length === 0 && state.hash !== hash);
  expect(JSON.parse(await text('/__dev/faults'))).toEqual([]);
});

it('the dev server applies the routes of an edited remote.json without a restart', async () => {
  const { version } = await stateWhen((state) => state.version !== undefined);
  const routes = [...remote.routes, { ...remote.routes[0], path: '/bye', page: './bye' }];
  writeFileSync(path.join(folder, 'greeting', 'remote.json'), JSON.stringify({ ...remote, routes }));
  await stateWhen((state) => state.version !== version);
  const { extras } = (await release()) ?? {};
  expect(extras?.remote?.routes).toEqual(routes);
  expect(Object.keys(extras?.exposes ?? {})).toEqual(['./hello', './bye']);
});

it('the dev server reports a port in use', async () => {
  await expect(start(Number(new URL(dev.origin).port))).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
