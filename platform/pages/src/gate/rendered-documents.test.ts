import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openStore, promote, type ReleaseMap, type Store } from '@platform/releases';
import { manifestOf, publishSample, scratch } from '@platform/releases/testing';
import { remoteBuild, SHELL_BUILD } from '../rendering/testing/server-builds';
import { renderedDocuments } from './rendered-documents';

const by = { by: 'ann' };
const route = (path: string, flags = {}) => ({ path, page: './home', module: '', title: path, flags });
const pages = {
  '/home': `const answer = request.answers['/api/list'];
    return answer ? request.language + ' ' + request.theme + ' ' + answer.data : { html: 'waiting', wanted: ['/api/list'] };`,
  '/broken': 'throw new Error("no page");',
};

let store: Store;
let map: ReleaseMap;
let site: Server;
let documents: Awaited<ReturnType<typeof renderedDocuments>>;
const calls: string[] = [];

beforeAll(async () => {
  store = openStore({ place: await scratch() });
  await publishSample(store, { name: 'shell', more: { 'server/main.js': SHELL_BUILD('1') } });
  await promote(store, { ...by, name: 'shell' });
  const routes = [...Object.keys(pages).map((path) => route(path)), route('/mine', { requiresLogin: true })];
  await publishSample(store, { routes, more: { 'server/main.js': remoteBuild(pages) } });
  ({ map } = await promote(store, { ...by, name: 'catalog' }));
  site = createServer((request, response) => {
    calls.push(`${request.url} ${request.headers.locale}`);
    response.end(JSON.stringify({ data: 'answered' }));
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const against = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  documents = await renderedDocuments({ store, map, manifest: manifestOf({}) }, against);
});
afterAll(async () => {
  await documents.close();
  site.close();
});

const htmlOf = async (path: string, language: 'zh-CN' | 'en' = 'en', dark = false) =>
  (await documents.documentOf(map, { path, language, dark, pictureOrigins: [] })).html;

it('carry the page in the visitor’s language and theme, with the answers of the running site', async () => {
  expect(await htmlOf('/home')).toContain('<p>shell 1</p>en light answered');
  expect(await htmlOf('/home', 'zh-CN', true)).toContain('zh-CN dark answered');
  expect(calls).toEqual(['/api/list en', '/api/list zh-CN']);
});

it('are skeletons where the server sends skeletons', async () => {
  for (const path of ['/mine', '/broken']) expect(await htmlOf(path)).not.toContain('data-rendered');
});
