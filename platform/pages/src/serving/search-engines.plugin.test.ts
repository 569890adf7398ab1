import { emptyMap, type MapSource, promoteInMap } from '@platform/releases';
import { manifestOf } from '@platform/releases/testing';
import fastify from 'fastify';
import { SITE } from '../testing/site';
import { type ListedKinds, searchEngines } from './search-engines.plugin';

const route = (path: string, overrides = {}) => ({ path, page: './main', module: '', title: path, ...overrides });
const routes = [route('/about'), route('/news/:id', { kind: 'text' })];
const map = promoteInMap(emptyMap(), manifestOf({ name: 'news', routes }), null, { by: 'ann' });
const texts: ListedKinds = {
  text: {
    pages: async () =>
      Array.from({ length: 25_001 }, (_, index) => ({
        parameters: { id: String(index + 1) },
        languages: ['en'] as const,
      })),
  },
};

it.each([
  ['lists as many pages as the protocol allows', texts, 200],
  ['does not exist, and robots.txt names none, without kinds of pages', undefined, 404],
])('the sitemap %s', async (_, kinds, status) => {
  const app = fastify();
  const source = { get: async () => map } as MapSource;
  await app.register(searchEngines({ site: SITE, source, origin: 'https://site.example', indexed: true, kinds }));
  expect((await app.inject('/robots.txt')).body.includes('Sitemap')).toBe(status === 200);
  const { statusCode, body } = await app.inject('/sitemap.xml');
  expect(statusCode).toBe(status);
  if (kinds) {
    const pages = Array.from(body.matchAll(/<loc>https:\/\/site\.example([^<]*)<\/loc>/g), ([, path]) => path);
    expect(pages.slice(0, 3)).toEqual(['/about', '/about?lang=en', '/news/1?lang=en']);
    expect(pages.at(-1)).toBe('/news/24999?lang=en');
  }
  await app.close();
});
