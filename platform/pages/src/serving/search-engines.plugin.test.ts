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
      Array.from({ length: 5_001 }, (_, index) => ({
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

it('a sitemap of many pages is an index of lists', async () => {
  const { app, locations } = await siteWith(texts);
  expect((await app.inject('/robots.txt')).body).toContain('Sitemap: https://site.example/sitemap.xml');
  expect(await locations('/sitemap.xml')).toEqual(['/sitemap-1.xml', '/sitemap-2.xml']);
  const first = await locations('/sitemap-1.xml');
  expect(first.slice(0, 3)).toEqual(['/about', '/about?lang=en', '/news/1?lang=en']);
  expect(first).toHaveLength(5_001);
  expect(await locations('/sitemap-2.xml')).toEqual(['/news/5000?lang=en', '/news/5001?lang=en']);
  for (const list of ['0', '-1', '1e1', '9999', 'x'])
    expect([list, (await app.inject(`/sitemap-${list}.xml`)).statusCode]).toEqual([list, 404]);
  await app.close();
});
