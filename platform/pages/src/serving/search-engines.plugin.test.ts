import { emptyMap, type MapSource, promoteInMap } from '@platform/releases';
import { manifestOf } from '@platform/releases/testing';
import fastify from 'fastify';
import { SITE } from '../testing/site';
import { type ListedKinds, searchEngines } from './search-engines.plugin';

const route = (path: string, overrides = {}) => ({ path, page: './main', module: '', title: path, ...overrides });
const routes = [
  route('/about'),
  route('/news/:id', { kind: 'text' }),
  route('/account', { flags: { requiresLogin: true } }),
];
const map = promoteInMap(emptyMap('production'), manifestOf({ name: 'news', routes }), null, { by: 'ann' });
const texts: ListedKinds = {
  text: {
    pages: async () =>
      Array.from({ length: 25_001 }, (_, index) => ({
        parameters: { id: String(index + 1) },
        languages: ['en'] as const,
      })),
  },
};

async function siteWith(kinds?: ListedKinds) {
  const app = fastify();
  const source = { get: async () => map } as MapSource;
  await app.register(searchEngines({ site: SITE, source, origin: 'https://site.example', indexed: true, kinds }));
  const locations = async (list: string) =>
    [...(await app.inject(list)).body.matchAll(/<loc>https:\/\/site\.example([^<]*)<\/loc>/g)].map(([, path]) => path);
  return { app, locations };
}

it('without kinds of pages there is robots.txt, and no sitemap', async () => {
  const { app } = await siteWith();
  const robots = await app.inject('/robots.txt');
  expect(robots.body).toContain('Disallow: /api/');
  expect(robots.body).toContain('Disallow: /account$');
  expect(robots.body).not.toContain('Sitemap');
  expect((await app.inject('/sitemap.xml')).statusCode).toBe(404);
  await app.close();
});

it('the sitemap lists as many pages as the protocol allows', async () => {
  const { app, locations } = await siteWith(texts);
  const pages = await locations('/sitemap.xml');
  expect(pages.slice(0, 3)).toEqual(['/about', '/about?lang=en', '/news/1?lang=en']);
  expect(pages.at(-1)).toBe('/news/24999?lang=en');
  await app.close();
});
