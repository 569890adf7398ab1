import { openStore, promote, type Store } from '@platform/releases';
import { publishLive, publishSample, scratch } from '@platform/releases/testing';
import fastify, { type FastifyInstance } from 'fastify';
import * as documents from '../compose/compose-document';
import type { PageDescription } from '../metadata/page-metadata';
import type { PageRendering } from '../rendering';
import { CONFIG, guestAnswers, SITE } from '../testing/site';
import { documentPlugin } from './document.plugin';

jest.mock('../compose/compose-document', () => ({
  __esModule: true,
  ...jest.requireActual('../compose/compose-document'),
}));

const by = { by: 'ann' };
let place: string;
let store: Store;
let app: FastifyInstance;
let description: PageDescription;
let answers: Map<string, string>;
let compose: jest.SpyInstance;
let render: jest.MockedFunction<PageRendering['page']>;

beforeEach(async () => {
  place = await scratch();
  store = openStore({ place });
  await publishLive(store, { name: 'shell' });
  await publishLive(store, { text: 'one' });
  description = {};
  answers = new Map([[CONFIG, 'first']]);
  render = jest.fn(async (map, _visitor, { answers, language, theme, path }) => ({
    html: [map.rev, path, language, theme, JSON.stringify(answers)].join(' '),
    queryState: '{}',
    wanted: [],
  }));
  app = fastify();
  await app.register(
    documentPlugin({
      site: SITE,
      store: openStore({ place }),
      rendering: { page: render } as Partial<PageRendering> as PageRendering,
      answers: guestAnswers((address) => answers.get(address)),
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
    async () => promote(store, { ...by, name: 'catalog', version: await publishSample(store, { text: 'two' }) }),
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
  const version = await publishLive(store, { text: 'two' }, 20);
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
