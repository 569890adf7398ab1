import { openStore, promote, type RenderRequest, type RouteContract, type Store } from '@platform/releases';
import { publishLive, publishSample, scratch } from '@platform/releases/testing';
import fastify, { type FastifyInstance } from 'fastify';
import { bootCode } from '../boot/boot-code';
import * as documents from '../compose/compose-document';
import type { PageDescription } from '../metadata/page-metadata';
import type { PageRendering } from '../rendering';
import { CONFIG, guestAnswers, SITE } from '../testing/site';
import { documentPlugin } from './document.plugin';
import { type AnswerOutcome, shownPath, type User } from './rendered-pages';

jest.mock('../compose/compose-document', () => ({
  __esModule: true,
  ...jest.requireActual('../compose/compose-document'),
}));

const by = { by: 'ann' };
const route = (path: string, overrides: Partial<RouteContract> = {}): RouteContract => ({
  path,
  page: './home',
  module: '',
  title: path,
  ...overrides,
});
const USER = SITE.boot.calls.user;
const [list, info] = ['/api/front/goods/list', '/api/front/goods/info?id=7'];
const goods = route('/goods', { query: ['keyword', 'sort'], firstCalls: [{ url: list, plain: true }] });
const routes = [
  route('/home'),
  goods,
  route('/goods/:id', { firstCalls: [{ url: '/api/front/goods/info?id=:id' }] }),
  route('/order/:id', { firstCalls: [{ url: '/api/order?no=:id' }], flags: { requiresLogin: true } }),
];

let place: string;
let store: Store;
let app: FastifyInstance;
let description: PageDescription;
let answers: Map<string, string>;
/** Of calls that have no answer for guests. */
let outcomes: Map<string, 'refused' | 'unavailable'>;
let asked: string[];
let user: User | 'guest';
let compose: jest.SpyInstance;
let render: jest.MockedFunction<PageRendering['page']>;
let requests: Array<RenderRequest & { session?: string }>;
/** The calls that the page makes besides its first ones. */
let wanted: string[];
let dialog: string;

beforeEach(async () => {
  place = await scratch();
  store = openStore({ place });
  await publishLive(store, { name: 'shell' });
  await publishLive(store, { text: 'one', routes });
  description = {};
  answers = new Map([[CONFIG, 'first']]);
  outcomes = new Map();
  [asked, requests, wanted] = [[], [], []];
  dialog = '';
  user = 'guest';
  render = jest.fn(async (map, _visitor, request, _onFault, session) => {
    requests.push({ ...request, answers: { ...request.answers }, session });
    const { answers, language, theme, path, isDraft } = request;
    const page = [map.rev, path, language, theme, JSON.stringify(answers), dialog].join(' ');
    return { html: isDraft && wanted.length > 0 ? '' : page, queryState: '{}', wanted };
  });
  const guestIn = guestAnswers((address) => answers.get(address));
  app = fastify();
  await app.register(
    documentPlugin({
      site: SITE,
      store: openStore({ place }),
      rendering: { page: render } as Partial<PageRendering> as PageRendering,
      guestIn: (language) => ({
        ...guestIn(language),
        ask: async (address) => {
          asked.push(address);
          return outcomes.get(address) ?? guestIn(language).ask(address);
        },
      }),
      userOf: async () => user,
      describePage: async () => description,
      onDocument: (_request, reply) => void reply.header('x-visit', 'token'),
    }),
  );
  compose = jest.spyOn(documents, 'composeDocument');
});
afterEach(async () => {
  compose.mockRestore();
  await app.close();
});

async function open(url = '/home', cookie = '') {
  compose.mockClear();
  const response = await app.inject({ url, headers: { accept: 'text/html', cookie } });
  return { response, body: response.body, isComposed: compose.mock.calls.length > 0 };
}

it('a document is sent again with its headers, without being composed, also when the same description was read again', async () => {
  const first = await open();
  description = { ...description };
  const again = await open();
  expect([first.isComposed, again.isComposed]).toEqual([true, false]);
  expect(again.body).toBe(first.body);
  const { date: _, ...headers } = first.response.headers;
  expect(again.response.headers).toMatchObject({ ...headers, 'x-visit': 'token' });
});

it.each<[string, () => unknown]>([
  ['an answer changes', () => answers.set(CONFIG, 'second')],
  ['an answer is not in memory', () => answers.delete(CONFIG)],
  ['the description of the page changes', () => (description = { title: 'Another title' })],
  [
    'a release is promoted',
    async () =>
      promote(store, { ...by, name: 'catalog', version: await publishSample(store, { text: 'two', routes }) }),
  ],
])('a document is replaced once %s', async (_what, change) => {
  const [before] = [await open(), await open()];
  await change();
  const after = await open();
  expect(after.isComposed).toBe(true);
  expect(after.body).not.toBe(before.body);
});

it('concurrent visitors share one rendering, and the next ones try again after a failure', async () => {
  render.mockRejectedValueOnce(new Error('no process'));
  expect((await open()).body).not.toContain('id="page-data"');
  expect(render).toHaveBeenCalledTimes(1);
  const rendered = await Promise.all([open(), open(), open()]);
  expect(rendered.map(({ body }) => body.includes('id="page-data"'))).toEqual([true, true, true]);
  expect(render).toHaveBeenCalledTimes(2);
});

it('there is one document for each address, language, theme and canary, and other cookies do not change it', async () => {
  const version = await publishLive(store, { text: 'two', routes }, 20);
  const requests = [
    ['/home', 'visitor=50'],
    ['/home', 'visitor=5'],
    ['/home', 'visitor=50; language=en'],
    ['/home', 'visitor=50; theme=dark'],
    ['/goods', 'visitor=50'],
  ] as const;
  const first: string[] = [];
  for (const [url, cookie] of requests) first.push((await open(url, cookie)).body);
  expect(new Set(first).size).toBe(requests.length);
  for (const [index, [url, cookie]] of requests.entries()) {
    const again = await open(url, `${cookie}; session=somebody`);
    expect([again.isComposed, again.body]).toEqual([false, first[index]]);
  }
  const preloads = first.map((body) => body.includes(`as="script" fetchpriority="low" href="/r/catalog/${version}/`));
  expect(preloads).toEqual([false, true, false, false, false]);
});

it('a public page is rendered with the answers to all its calls: twice at first, and once when its calls are known', async () => {
  wanted = ['/api/front/goods/related?id=7', '/api/front/refused'];
  outcomes.set('/api/front/refused', 'refused');
  const first = await open('/goods/7', 'language=en');
  expect(requests[0]).toMatchObject({ path: '/goods/7', language: 'en', currency: 'USD', theme: 'light' });
  expect(Object.keys(requests[1]?.answers ?? {})).toEqual([CONFIG, info, wanted[0]]);
  answers.set('/api/front/goods/related?id=7', 'changed');
  expect((await open('/goods/7', 'language=en')).body).not.toBe(first.body);
  expect(requests.map(({ isDraft }) => isDraft)).toEqual([true, false, false]);
});

it.each([
  ['/goods?sort=new', '/goods?sort=new', []],
  ['/goods?utm_source=x&sort=new', '/goods?sort=new', []],
  ['/goods/?sort=new&sort=hot&a=1', '/goods?sort=new', []],
  ['/goods', '/goods', [list]],
  ['/', '/home', []],
  ['/no/such/page', '/404', []],
])(
  'the public page of %s has only the parameters of its route, and only the calls that belong to them',
  async (url, path, calls) => {
    await open(url);
    expect(requests[0]?.path).toBe(path);
    expect(asked).toEqual([CONFIG, ...calls]);
  },
);

it('the path of a page has no fragment', () => {
  expect(shownPath(goods, '/goods?sort=new#top')).toBe('/goods?sort=new');
});

it('a public page is not rendered while the API cannot answer', async () => {
  outcomes.set(info, 'unavailable');
  expect((await open('/goods/7')).body).not.toContain('data-rendered');
  expect(requests).toEqual([]);
});

it('a public page shows the sign-in dialog to browsers without a session, if the shell renders one', async () => {
  expect((await open('/order/7')).body).not.toContain('data-rendered');
  dialog = '<i role="dialog"></i>';
  const { body, response } = await open('/order/7');
  expect(body).toMatch(/data-rendered="[^"]* \/home"/);
  expect(response.headers['content-security-policy']).toContain(bootCode(SITE).userScriptHash);
  expect(requests.at(-1)).toMatchObject({ path: '/home', asksToSignIn: true });
});

describe('a personal page', () => {
  const ask = jest.fn<Promise<AnswerOutcome>, [string]>();
  beforeEach(() => {
    ask
      .mockReset()
      .mockImplementation(async (address) =>
        address === '/api/codes' ? 'refused' : { tag: '', envelope: () => ({ data: address }) },
      );
    user = { session: 'session-of-ann', mark: 'ann-mark', currency: 'USD', ask };
  });

  it('a personal page is rendered with the answers of its user, in their isolate, and flagged as theirs', async () => {
    const { body } = await open('/order/7');
    expect(body).toMatch(/data-rendered="[^"]* \/order\/7" data-user="ann-mark"/);
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatchObject({ session: 'session-of-ann', isSignedIn: true, currency: 'USD' });
    expect(Object.keys(requests[0]?.answers ?? {})).toEqual([CONFIG, USER, '/api/order?no=7']);
  });

  it('a personal page makes each call once, and leaves calls that documents may not make to the browser', async () => {
    wanted = ['/api/codes', USER];
    expect((await open('/order/7')).body).toContain('data-user="ann-mark"');
    expect(ask.mock.calls.flat()).toEqual([CONFIG, USER, '/api/order?no=7', '/api/codes']);
    expect(requests).toHaveLength(2);
    expect(requests.at(-1)?.answers).not.toHaveProperty('/api/codes');
  });

  it('a personal page fails when a call fails, so that the document contains no data of the user', async () => {
    ask.mockRejectedValue(new Error('no such order'));
    expect((await open('/order/7')).body).not.toMatch(/data-rendered|ann-mark/);
    expect(requests).toEqual([]);
  });
});
