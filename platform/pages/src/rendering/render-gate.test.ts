import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gate, openStore, promote, type Store } from '@platform/releases';
import { publishSample, scratch } from '@platform/releases/testing';
import { type RenderGateOptions, renderGate } from './render-gate';
import { remoteBuild, SHELL_BUILD } from './testing/server-builds';

const by = { by: 'ann' };
const route = (path: string, flags = {}) => ({ path, page: './home', module: '', title: path, flags });
let store: Store;

beforeAll(async () => {
  store = openStore({ place: await scratch() });
  await publishSample(store, { name: 'shell', more: { 'server/main.js': SHELL_BUILD('1') } });
  await promote(store, { ...by, name: 'shell' });
});

/** What the gate says of a remote with these pages. */
async function verdictOn(
  pages: Record<string, string>,
  more: Record<string, string> = {},
  options?: RenderGateOptions,
) {
  const routes = [...Object.keys(pages).map((path) => route(path)), route('/mine', { requiresLogin: true })];
  const build = { 'server/main.js': remoteBuild(pages), ...more };
  const version = await publishSample(store, { routes, more: build, gated: false });
  const { checks } = await gate(store, { name: 'catalog', version, steps: [renderGate(options)] });
  return { ...checks.find(({ check }) => check === 'render'), version };
}

it('renders each public page of a release in both languages', async () => {
  expect(
    await verdictOn({ '/home': 'return request.language;', '/goods/:id': 'return "";', '/a': 'return "a";' }),
  ).toMatchObject({
    outcome: 'passed',
    detail: '3 pages are rendered on the server',
  });
});

it.each(['window.innerWidth', 'document.title', 'localStorage.getItem("seen")'])(
  'refuses a page that uses %s while it is rendered, with the line of the source',
  async (used) => {
    // The third line of the build is line 34 of the source.
    const map = { version: 3, sources: ['./src/home/home-page.tsx'], names: [], mappings: ';;AAiCW' };
    const body = `const unused = 1;\nreturn ${used};`;
    const { outcome, detail, version } = await verdictOn(
      { '/home': body },
      { 'server/main.js.map': JSON.stringify(map) },
    );
    expect(outcome).toBe('failed');
    expect(detail).toContain(
      `/home (zh-CN): ReferenceError: ${used.split('.')[0]} is not defined at mfe-catalog/src/home/home-page.tsx:34:12, in catalog@${version}; /home (en): `,
    );
  },
);

it('refuses a page that throws in one language only, or never ends', async () => {
  const { detail } = await verdictOn({
    '/english': 'if (request.language === "en") throw new Error("no text"); return "";',
    '/endless': 'if (request.language === "en") return ""; for (;;);',
  });
  expect(detail).toMatch(
    /^\/english \(en\): Error: no text at server\/main\.js:\d+:\d+, in .*; (?:\/endless \(zh-CN\): timeout: |the machine was too busy)/,
  );
});

it('does not let a page pass that the machine was too busy to render', async () => {
  const nothing = { pageMs: 3_000, waitMs: 0, processes: 1 };
  expect(await verdictOn({ '/home': 'return "";' }, {}, { limits: nothing })).toMatchObject({
    outcome: 'failed',
    // The second one may find a process that has started meanwhile.
    detail: expect.stringMatching(/^the machine was too busy to render [12] of 2 pages; run the gate again$/),
  });
});

it('gives a page the answers of the running shop, in the language of the visitor', async () => {
  const asked: Array<[string | undefined, IncomingHttpHeaders[string]]> = [];
  const shop = createServer((request, response) => {
    asked.push([request.url, request.headers.locale]);
    response.end(JSON.stringify({ data: [{ price: null }] }));
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const against = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  const { detail } = await verdictOn(
    {
      '/list': `
        const answer = request.answers['/api/list'];
        if (!answer) return { html: 'waiting', wanted: ['/api/list'] };
        return answer.data[0].price.amount;`,
    },
    {},
    { against },
  );
  shop.close();
  expect(detail).toMatch(
    /^\/list \(zh-CN\): TypeError: Cannot read properties of null \(reading 'amount'\) at server\/main\.js/,
  );
  expect(asked).toEqual([
    ['/api/list', 'zh-CN'],
    ['/api/list', 'en'],
  ]);
});

it('lets a release without a server build pass, whose pages browsers render', async () => {
  const version = await publishSample(store, { gated: false });
  const { checks } = await gate(store, { name: 'catalog', version, steps: [renderGate()] });
  expect(checks.at(-1)).toMatchObject({
    check: 'render',
    outcome: 'passed',
    detail: expect.stringContaining('browsers'),
  });
});
