import { createHash } from 'node:crypto';
import { emptyMap, type MapEntry, promoteInMap, type ReleaseMap } from '@platform/releases';
import { manifestOf, type Sample } from '@platform/releases/testing';
import { SITE } from '../testing/site';
import { composeDocument } from './compose-document';
import { type DocumentPage, extractStyles } from './page-elements';

const by = { by: 'ann' };
const mapOf = (...samples: Sample[]): ReleaseMap =>
  samples.reduce<ReleaseMap>((map, sample) => promoteInMap(map, manifestOf(sample), null, by), emptyMap('production'));
const shop = mapOf({ name: 'shell' }, { name: 'catalog' });
const page: DocumentPage = {
  html: '<div class="shell"><p style="--w:1px">Crystals</p></div>',
  queryState: JSON.stringify({ '/api/front/x': { data: '</script><!--\u2028' } }),
  image: { href: '/media/a.webp?x="1"' },
  path: '/home',
  language: 'en',
  theme: 'dark',
};
const composed = () => composeDocument(shop, { site: SITE, path: '/home', language: 'en', dark: true });
const document = () => composed().write(page);
const skeleton = () => composeDocument(shop, { site: SITE, path: '/home' }).write().html;

it('the document carries the page, its data and the user for whom it was rendered', () => {
  const { html } = document();
  const [, version] = /data-shell="([^"]+)"/.exec(html) ?? [];
  expect(html).toMatch(/<html lang="en"[^>]* data-theme="dark"/);
  expect(html).toContain(`data-rendered="${version} en dark /home"`);
  expect(html).toContain('<div id="root"><div class="shell"><p data-style="--w:1px">Crystals</p></div></div>');
  const [, data = ''] = /<script type="application\/json" id="page-data">([^<]*)<\/script>/.exec(html) ?? [];
  expect(data).not.toMatch(/[<\u2028]/);
  expect(JSON.parse(data)).toEqual(JSON.parse(page.queryState));
});

it('a document with a page is painted as a whole, and one with a skeleton at once', () => {
  const waits = /<link rel="expect" href="#page-data" blocking="render">[\s\S]*<\/head>/;
  expect(document().html).toMatch(waits);
  expect(skeleton()).not.toMatch(waits);
});

it('the document needs the styles of all parts of the shell, before those of the page', () => {
  const { sheets } = composed();
  const files = (name: string) => {
    const [{ extras }] = shop.microFrontends[name] as [MapEntry];
    return Object.keys(extras.integrity)
      .filter((file) => file.endsWith('.css'))
      .map((file) => extras.base + file);
  };
  expect(sheets.slice(0, -1).sort()).toEqual(files('shell').sort());
  expect(files('catalog')).toContain(sheets.at(-1));
});

it('the content policy allows the page’s own style by hash, and nothing else inline', () => {
  const { html, headers } = document();
  const csp = headers['content-security-policy'];
  const styles = [...html.matchAll(/<style(?: id="page-style")?>([\s\S]*?)<\/style>/g)].map(([, text = '']) => text);
  expect(styles).toHaveLength(2);
  for (const text of styles) expect(csp).toContain(createHash('sha256').update(text).digest('base64'));
  expect(csp).not.toContain('unsafe');
  expect(html).not.toMatch(/<[^>]* style="/);
});

it('the document preloads the largest picture before the scripts and styles of the page', () => {
  const { html } = document();
  const picture = html.indexOf(
    '<link rel="preload" as="image" fetchpriority="high" href="/media/a.webp?x=&#34;1&#34;">',
  );
  expect(picture).toBeGreaterThan(0);
  expect(picture).toBeLessThan(html.indexOf('<script'));
  expect(html).toMatch(/<link rel="stylesheet" href="\/r\/catalog\/[^"]+\/home\.dd\.css" integrity=/);
  expect(html).not.toContain('class="boot"');
});

it('a rendered document says in one line what needs a script, instead of the whole message', () => {
  const { html } = document();
  expect(html).toContain(
    'boot-noscript--line">Signing in and ordering need JavaScript.<br><a href="?lang=zh-CN">中文</a>',
  );
  expect(skeleton()).toContain('<div class="boot-noscript">请启用');
});

it('style attributes become rules, because the policy refuses the attributes', () => {
  const { html, rules } = extractStyles(
    '<p class="a" style="--w:1px;color:red">x</p><i style="--w:1px;color:red"></i>',
  );
  expect(html).toBe('<p class="a" data-style="--w:1px;color:red">x</p><i data-style="--w:1px;color:red"></i>');
  expect(rules).toBe('#root [data-style="--w:1px;color:red"]{--w:1px;color:red}');
});

it.each([
  'color:red}body{display:none',
  'background:url(&quot;https://x.example&quot;)',
  'color:red\\',
  'a:b</style><script>',
  '@import x',
])('a style that could leave its rule is dropped: %s', (style) => {
  const escaped = style.replace(/</g, '&lt;').replace(/>/g, '&gt;');
  expect(extractStyles(`<p style="${escaped}">x</p>`)).toEqual({ html: '<p>x</p>', rules: '' });
});

it('text that only looks like an attribute stays', () => {
  const text = '<p>write style="color:red" there</p>';
  expect(extractStyles(text)).toEqual({ html: text, rules: '' });
});
