import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openStore, promote, type ReleaseMap, type Store } from '@platform/releases';
import { manifestOf, publishLive, publishSample, scratch } from '@platform/releases/testing';
import { remoteBuild, SHELL_BUILD } from '../rendering/testing/server-builds';
import { SITE } from '../testing/site';
import { gateDocuments } from './rendered-documents';

const by = { by: 'ann' };
const route = (path: string, flags = {}) => ({ path, page: './home', module: '', title: path, flags });
const pages = {
  '/home': `const answer = request.answers['/api/list'];
    return answer ? request.language + ' ' + request.theme + ' ' + answer.data : { html: 'waiting', wanted: ['/api/list'] };`,
  '/broken': 'const unused = 1;\nthrow new Error("no page");',
};

let store: Store;
let map: ReleaseMap;
let site: Server;
let documents: ReturnType<typeof gateDocuments>;
const calls: string[] = [];

beforeAll(async () => {
  store = openStore({ place: await scratch() });
  await publishLive(store, { name: 'shell', more: { 'server/main.js': SHELL_BUILD('1') } });
  const routes = [...Object.keys(pages).map((path) => route(path)), route('/mine', { requiresLogin: true })];
  const built = remoteBuild(pages);
  const line = built.slice(0, built.indexOf('throw new')).split('\n').length;
  const places = {
    version: 3,
    sources: ['./src/home/home-page.tsx'],
    names: [],
    mappings: `${';'.repeat(line - 1)}AAiCW`,
  };
  const files = { 'server/main.js': built, 'server/main.js.map': JSON.stringify(places) };
  await publishSample(store, { routes, more: files });
  ({ map } = await promote(store, { ...by, name: 'catalog' }));
  site = createServer((request, response) => {
    calls.push(`${request.url} ${request.headers.locale}`);
    response.end(JSON.stringify({ data: 'answered' }));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const against = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  documents = gateDocuments({ store, map, manifest: manifestOf({}) }, SITE, against);
});
afterAll(async () => {
  await documents.close();
  site.close();
});

const open = async (path: string, request: Partial<Parameters<typeof documents.documentOf>[0]> = {}) =>
  documents.documentOf({ path, language: 'en', dark: false, isRendered: true, pictureOrigins: [], ...request });

it('the gate documents carry the page in the visitor’s language and theme, with the answers of the running site', async () => {
  expect((await open('/home')).html).toContain('<p>shell 1</p>en light answered');
  expect((await open('/home', { language: 'zh-CN', dark: true })).html).toContain('zh-CN dark answered');
  expect(calls).toEqual(['/api/list en', '/api/list zh-CN']);
});

it('the gate documents are skeletons on request, and when the server sends skeletons', async () => {
  expect((await open('/home', { isRendered: false })).html).not.toContain('data-rendered');
  expect((await open('/mine')).html).not.toContain('data-rendered');
});

it('the gate documents are skeletons with the fault and its source line when the page cannot be rendered', async () => {
  const document = await open('/broken');
  expect(document.html).not.toContain('data-rendered');
  const what = expect.stringMatching(/^Error: no page at mfe-catalog\/src\/home\/home-page\.tsx:34:12, in catalog@/);
  expect(document.fault).toEqual({ what, isCertain: true });
});
