/** What is live fits: the releases of this repository pass, and thirty breaks that somebody could make are found with who breaks what. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type CallShape,
  callFaults,
  checkUses,
  openStore,
  promote,
  promoteInMap,
  publish,
  type ReleaseManifest,
  type ReleaseMap,
  type Store,
} from '@platform/releases';
import serverCalls from '@shop/server/calls.json';
import { buildWorkspaces } from './build';

const calls: Record<string, CallShape> = serverCalls;
const folder = mkdtempSync(path.join(tmpdir(), 'fits-'));
let store: Store;
const manifests = new Map<string, ReleaseManifest>();
let map: ReleaseMap;

beforeAll(async () => {
  store = { ...openStore({ place: folder }), serverCalls: calls };
  for (const { name, version, directory } of await buildWorkspaces()) {
    await publish(store, { dist: directory, by: 'ann' });
    await promote(store, { name, version, by: 'ann' });
    manifests.set(name, (await store.readManifest(name, version)) as ReleaseManifest);
  }
  map = await store.readMap('production');
}, 900_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const of = (name: string) => manifests.get(name) as ReleaseManifest;

describe('the releases of this repository', () => {
  it('say which pages they link to and which calls and fields they use', () => {
    expect(of('catalog').uses?.links).toMatchObject({
      '/order/detail/:id': { remote: 'orders' },
      '/goods': { query: ['category_id'] },
    });
    expect(of('orders').uses?.calls['GET /api/front/order/info']?.answer).toMatchObject({ order_no: 'string' });
    expect(of('shell').uses?.calls['GET /api/front/user/info']).toBeDefined();
    for (const [name, { uses }] of manifests)
      expect([name, Object.keys(uses?.links ?? {}).length > 0]).toEqual([name, true]);
  });

  it('fit each other and the server of now', async () => {
    for (const manifest of manifests.values())
      expect(await checkUses(store, { before: map, next: map, manifest })).toEqual([
        expect.objectContaining({ check: 'links', outcome: 'passed' }),
        expect.objectContaining({ check: 'calls', outcome: 'passed' }),
      ]);
  });
});

/** A server with one difference. */
function serverWith(call: string, change: (shape: CallShape) => void): Record<string, CallShape> {
  const copy = structuredClone(calls);
  const shape = copy[call];
  if (!shape) throw new Error(`no ${call}`);
  change(shape);
  return copy;
}
const without = (call: string) => Object.fromEntries(Object.entries(calls).filter(([one]) => one !== call));

/** By what is broken: the server of then, the release that it breaks, and what is said. */
const breaksOfTheServer: Array<[name: string, call: string, now: () => Record<string, CallShape>, fault: string]> = [
  ...(
    [
      ['catalog', 'GET /api/front/goods/info'],
      ['catalog', 'POST /api/front/order/create'],
      ['orders', 'POST /api/front/payment/online'],
      ['account', 'GET /api/front/user/balanceLog'],
      ['content', 'GET /api/front/article/info'],
      ['shell', 'POST /api/front/app/login'],
    ] as const
  ).map(([name, call]): [string, string, () => Record<string, CallShape>, string] => [
    name,
    call,
    () => without(call),
    'which this server has not',
  ]),
  ...(
    [
      ['catalog', 'GET /api/front/goods/info', 'specs.*.price'],
      ['catalog', 'GET /api/front/goods/list', 'has_more'],
      ['catalog', 'GET /api/front/customModule/list', '*.items'],
      ['orders', 'GET /api/front/order/list', 'list.*.order_no'],
      ['orders', 'GET /api/front/payment/methods', '*.name'],
      ['account', 'GET /api/front/user/sessions', 'list'],
      ['content', 'GET /api/front/article/info', 'content'],
      ['shell', 'GET /api/front/app/config', 'brand'],
    ] as const
  ).map(([name, call, field]): [string, string, () => Record<string, CallShape>, string] => [
    name,
    call,
    () =>
      serverWith(call, ({ answer }) => {
        for (const one of Object.keys(answer)) if (one === field || one.startsWith(`${field}.`)) delete answer[one];
      }),
    `"${field}", which is not answered any more`,
  ]),
  ...(
    [
      ['catalog', 'GET /api/front/goods/info', 'name', 'string|undefined', 'which may now be missing'],
      ['catalog', 'GET /api/front/goods/info', 'specs.*.price', 'number', 'which may now be number'],
      ['orders', 'GET /api/front/order/info', 'order_no', 'integer', 'which may now be number'],
      ['shell', 'GET /api/front/user/info', 'phone', 'null|object', 'which may now be'],
    ] as const
  ).map(([name, call, field, types, fault]): [string, string, () => Record<string, CallShape>, string] => [
    name,
    call,
    () =>
      serverWith(call, ({ answer }) => {
        answer[field] = types;
      }),
    fault,
  ]),
  ...(
    [
      ['catalog', 'POST /api/front/order/create', 'agreement', 'boolean', 'which is now needed'],
      ['account', 'POST /api/front/recharge/create', 'network', 'string', 'which is now needed'],
      ['content', 'GET /api/front/article/info', 'id', 'integer', 'which is not taken any more'],
      ['shell', 'POST /api/front/app/login', 'phone', 'integer', 'which is not taken any more'],
    ] as const
  ).map(([name, call, field, types, fault]): [string, string, () => Record<string, CallShape>, string] => [
    name,
    call,
    () =>
      serverWith(call, ({ takes }) => {
        takes[field] = types;
      }),
    fault,
  ]),
];

/** By the remote that changes: its routes of then, and who is broken by that. */
type Routes = NonNullable<ReleaseManifest['remote']>['routes'];
const breaksOfPages: Array<
  [remote: string, what: string, change: (routes: Routes) => Routes, broken: string, path: string]
> = [
  ['catalog', 'a page that is gone', (all) => all.filter(({ path }) => path !== '/goods/:id'), 'orders', '/goods/:id'],
  ['catalog', 'a page that has moved', (all) => moved(all, '/search', '/find'), 'shell', '/search'],
  [
    'catalog',
    'a page that takes one parameter more',
    (all) => moved(all, '/goods/:id', '/goods/:id/:tab'),
    'account',
    '/goods/:id',
  ],
  ['catalog', 'the first page', (all) => moved(all, '/home', '/start'), 'content', '/home'],
  ['orders', 'a page of the tab bar', (all) => all.filter(({ path }) => path !== '/order'), 'account', '/order'],
  ['orders', 'a parameter of the query', (all) => all.map((one) => ({ ...one, query: [] })), 'account', '/order'],
  [
    'account',
    'a page that others lead to',
    (all) => moved(all, '/user/recharge', '/user/top-up'),
    'orders',
    '/user/recharge',
  ],
  [
    'content',
    'a page of one article',
    (all) => all.filter(({ path }) => !path.startsWith('/article/')),
    'shell',
    '/article/privacy',
  ],
];
const moved = (all: Routes, from: string, to: string) =>
  all.map((one) => (one.path === from ? { ...one, path: to } : one));

it('has thirty breaks planted', () => {
  expect(breaksOfTheServer.length + breaksOfPages.length).toBe(30);
});

it.each(breaksOfTheServer)('finds what breaks %s in %s', async (name, call, now, fault) => {
  const [, found] = await checkUses({ ...store, serverCalls: now() }, { before: map, next: map, manifest: of(name) });
  expect(found).toMatchObject({ check: 'calls', outcome: 'failed' });
  expect(found?.detail).toContain(`${name}@${of(name).version} uses ${call}`);
  expect(found?.detail).toContain(fault);
  // Releases that do not use it go live.
  for (const [other, { uses }] of manifests)
    if (!uses?.calls[call]) expect([other, callFaults(uses?.calls ?? {}, now())]).toEqual([other, []]);
});

it.each(breaksOfPages)('finds what a new release of %s breaks: %s', async (name, _what, change, broken, path) => {
  const live = of(name);
  const version = '9.9.9-deadbeef';
  const remote = live.remote && { ...live.remote, routes: change(live.remote.routes) };
  const manifest = { ...live, version, remote };
  const next = promoteInMap(map, manifest, live, { by: 'ann' });
  const [found] = await checkUses(store, { before: map, next, manifest });
  expect(found).toMatchObject({ check: 'links', outcome: 'failed' });
  expect(found?.detail).toContain(`${broken}@${of(broken).version} links to ${path}, `);
});
