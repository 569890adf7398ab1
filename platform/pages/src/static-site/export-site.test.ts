import { emptyMap, promoteInMap, type ReleaseMap } from '@platform/releases';
import { manifestOf } from '@platform/releases/testing';
import { composeSite } from './export-site';

const guarded = { path: '/user', page: './user', module: '', title: '我的', flags: { requiresLogin: true } };
const map = [{ name: 'shell' }, { name: 'catalog' }, { name: 'account', routes: [guarded] }].reduce<ReleaseMap>(
  (all, given) => promoteInMap(all, manifestOf(given), null, { by: 'ann' }),
  emptyMap('production'),
);
const head = (html = '') => ({
  canonical: /<link rel="canonical" href="([^"]+)">/.exec(html)?.[1],
  noindex: html.includes('<meta name="robots" content="noindex">'),
  title: /<title>([^<]*)/.exec(html)?.[1],
  data: /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1],
});

it('writes documents that say what they are, as far as that is known without the database', () => {
  const site = composeSite(map, { origin: 'https://shop.example' });
  const home = head(site.get('pages/home.html'));
  expect(home).toMatchObject({ canonical: 'https://shop.example/home', noindex: false, title: '页 /home - 星点' });
  expect(JSON.parse(home.data ?? '')).toMatchObject({ '@context': 'https://schema.org' });
  // It is the document of every product.
  expect(head(site.get('pages/goods/_.html'))).toMatchObject({ canonical: undefined, noindex: false, data: undefined });
  expect(head(site.get('pages/user.html'))).toMatchObject({ canonical: undefined, noindex: true });
  expect(head(site.get('pages/index.html'))).toMatchObject({ noindex: true, title: '页面不存在 - 星点' });
  expect(site.get('robots.txt')).toContain('Disallow: /user/');
});

it('leaves whole addresses out where the address of the shop is not known', () => {
  expect(head(composeSite(map).get('pages/home.html'))).toMatchObject({ canonical: undefined, data: undefined });
});
