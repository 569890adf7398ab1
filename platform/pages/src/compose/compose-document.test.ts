import { createHash } from 'node:crypto';
import { emptyMap, type MapEntry, promoteInMap, type ReleaseMap } from '@platform/releases';
import { manifestOf, type Sample } from '@platform/releases/testing';
import { SITE } from '../testing/site';
import { type ComposeOptions, composeDocument } from './compose-document';
import { type DocumentPage, extractStyles } from './page-elements';

const by = { by: 'ann' };
const mapOf = (...samples: Sample[]): ReleaseMap =>
  samples.reduce<ReleaseMap>((map, sample) => promoteInMap(map, manifestOf(sample), null, by), emptyMap());
const shop = mapOf({ name: 'shell' }, { name: 'catalog' }, { name: 'orders' });

const page: DocumentPage = {
  html: '<div class="shell"><p style="--w:1px">Crystals</p></div>',
  queryState: JSON.stringify({ '/api/front/x': { data: '</script><!--\u2028' } }),
  image: { href: '/media/a.webp?x="1"' },
};

function compose(map: ReleaseMap, options: Omit<ComposeOptions, 'site'>, page?: DocumentPage) {
  const { write } = composeDocument(map, { site: SITE, ...options });
  const { html, headers } = write(page);
  return { html, csp: headers['content-security-policy'] ?? '' };
}

const rendered = () => compose(shop, { path: '/home', language: 'en', dark: true }, page);

const preloads = (html: string) => [
  ...html.matchAll(
    /<link rel="preload" as="(\w+)" href="([^"]+)"( integrity="sha384-[^"]+" crossorigin="anonymous")?>/g,
  ),
];
const preloaded = (html: string) => preloads(html).map(([, , href]) => href?.replace(/^\/r\/(\w+)\/[^/]+\//, '$1:'));

it.each([
  ['/home', ['catalog:remoteEntry.js', 'catalog:home.dd.js', 'catalog:home.dd.css']],
  ['/', ['catalog:remoteEntry.js', 'catalog:home.dd.js', 'catalog:home.dd.css']],
  ['/goods/12?from=home', ['catalog:remoteEntry.js', 'catalog:product.dd.js', 'catalog:product.dd.css']],
  ['/goods/new', ['catalog:remoteEntry.js', 'catalog:goods.dd.js', 'catalog:goods.dd.css']],
  ['/orders', ['orders:remoteEntry.js', 'orders:main.dd.js', 'orders:main.dd.css']],
  ['/nowhere', []],
  ['/404', []],
])('the preloads of %s are exactly its files', (path, expected) => {
  expect(preloaded(compose(shop, { path }).html)).toEqual(expected);
});

it('the preloads name the lazy singletons that the page cannot run without, and those of no other page', () => {
  const withLazy = manifestOf({
    name: 'shell',
    more: { 'forms.dd.js': 'forms', 'forms.dd.css': 'a{}', 'rest.dd.js': '' },
  });
  withLazy.exposes = {
    '@acme/forms': { js: ['forms.dd.js'], css: ['forms.dd.css'] },
    '@acme/rest': { js: ['rest.dd.js'], css: [] },
  };
  const taking = manifestOf({ name: 'catalog' });
  Object.assign(taking.exposes['./product'] ?? {}, { shares: ['@acme/forms', '@acme/older-shell-has-it-not'] });
  const map = [withLazy, taking].reduce<ReleaseMap>(
    (live, manifest) => promoteInMap(live, manifest, null, by),
    emptyMap(),
  );
  expect(preloaded(compose(map, { path: '/goods/12' }).html)).toEqual([
    'catalog:remoteEntry.js',
    'catalog:product.dd.js',
    'catalog:product.dd.css',
    'shell:forms.dd.js',
    'shell:forms.dd.css',
  ]);
  expect(preloaded(compose(map, { path: '/home' }).html)).not.toContainEqual(expect.stringMatching(/^shell/));
});

it('the preloads carry the integrity hash, as the scripts and styles of the shell do', () => {
  const { html } = compose(shop, { path: '/home' });
  expect(preloads(html).filter(([, , , attributes]) => !attributes)).toEqual([]);
  const ofShell = [
    ...html.matchAll(
      /<(?:script data-cfasync="false" defer src|link rel="stylesheet" href)="\/r\/shell\/[^"]+" integrity="(sha384-[^"]+)" crossorigin="anonymous">/g,
    ),
  ];
  expect(ofShell).toHaveLength(3);
  const expected = Object.values(manifestOf({ name: 'shell' }).files).map(({ integrity }) => integrity);
  for (const [, integrity] of ofShell) expect(expected).toContain(integrity);
});

it.each([
  ['a skeleton', compose(shop, { path: '/home' }), 2],
  ['a rendered page', rendered(), 3],
])('the content policy of %s allows only its inline scripts and styles, by their hashes', (_, { html, csp }, count) => {
  const inline = html.matchAll(
    /<(?:script data-cfasync="false"|style(?: id="page-style")?)>([\s\S]*?)<\/(?:script|style)>/g,
  );
  const texts = Array.from(inline, ([, text = '']) => text);
  expect(texts).toHaveLength(count);
  for (const text of texts) expect(csp).toContain(`'sha256-${createHash('sha256').update(text).digest('base64')}'`);
  expect(csp).not.toMatch(/unsafe/);
  expect(html).not.toMatch(/ style=| on[a-z]+=/);
  expect(csp).toContain(`require-trusted-types-for 'script'`);
});

it('the content policy names the targets of each kind of request, and refuses all others', () => {
  const directives = (csp: string) =>
    Object.fromEntries(
      csp.split('; ').map((directive) => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources.filter((source) => !source.startsWith("'sha256-")).join(' ')];
      }),
    );
  const pictureOrigins = ['https://pictures.example'];
  const { csp } = compose(shop, { path: '/home', pictureOrigins });
  expect(directives(csp)).toEqual({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data: blob: https://pictures.example",
    'media-src': "'self' https://pictures.example",
    'font-src': "'self'",
    'connect-src': "'self'",
    'worker-src': "'self'",
    'manifest-src': "'self'",
    'frame-src': "'none'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "releases shop-html dompurify 'allow-duplicates'",
  });
  const own = directives(compose(shop, { path: '/home' }).csp);
  expect(own).toMatchObject({ 'img-src': "'self' data: blob:", 'media-src': "'self'" });
});

it('the document escapes texts of a contract', () => {
  const evil = '</script><script>alert(1)</script><!--"\'&\u2028';
  const map = mapOf(
    { name: 'shell' },
    {
      name: 'catalog',
      routes: [{ path: '/home', page: './home', module: '', title: evil, flags: { showTitle: true } }],
    },
  );
  const { html } = compose(map, { path: '/home' });
  expect(html).not.toContain('alert(1)</script>');
  expect(html.match(/<script/g)).toHaveLength(4);
  const json = /id="release-map">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
  expect(json).not.toMatch(/[<\u2028]/);
  expect(JSON.parse(json).microFrontends.catalog[0].extras.remote.routes[0].title).toBe(evil);
});

describe('a CDN that rewrites documents', () => {
  const mail = 'help@shop.example';
  const description = { description: 'Ask first.last+tag@mail.shop.example' };
  const page: DocumentPage = {
    html: `<a href="mailto:${mail}" title="${mail}">${mail}</a><p>at&t @ home, a@b, 客服@shop.example</p>`,
    queryState: JSON.stringify({ '@context': 'x', mail, other: 'a@b' }),
  };
  const { html } = compose(shop, { path: '/home', description }, page);

  it('finds no mail address in texts, attributes and data, which keep their meaning', () => {
    expect(html.match(/[\w.+-]+@[\w-]+|服@/g)).toBeNull();
    const data = /id="page-data">([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
    expect(JSON.parse(data)).toEqual({ '@context': 'x', mail, other: 'a@b' });
    const decoded = html.replaceAll('&#64;', '@');
    expect(decoded).toContain(page.html);
    expect(decoded).toContain(`content="${description.description}"`);
  });

  it('finds no script that it may load itself', () => {
    const scripts = html.match(/<script(?! type="application\/json")[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(1);
    for (const script of scripts) expect(script).toContain(' data-cfasync="false"');
  });
});

it('the document does not contain the address', () => {
  const { html } = compose(shop, { path: '/goods/"><img src=x>?q=<b>' });
  expect(html).not.toContain('<img');
  expect(html).toBe(compose(shop, { path: '/goods/1' }).html);
});

it('the document contains the bars of the route flags before any script runs', () => {
  expect(compose(shop, { path: '/home' }).html).toMatch(/boot-top.*boot-tabs/s);
  expect(compose(shop, { path: '/goods' }).html).not.toContain('<div class="boot-tabs">');
});

it('the document carries the page, its data and the user for whom it was rendered', () => {
  const { html } = rendered();
  const [, version] = /data-shell="([^"]+)"/.exec(html) ?? [];
  expect(html).toMatch(/<html lang="en"[^>]* data-theme="dark"/);
  expect(html).toContain(`data-rendered="${version} en dark /home"`);
  expect(html).toContain('<div id="root"><div class="shell"><p data-style="--w:1px">Crystals</p></div></div>');
  const [, data = ''] = /<script type="application\/json" id="page-data">([^<]*)<\/script>/.exec(html) ?? [];
  expect(data).not.toMatch(/[<\u2028]/);
  expect(JSON.parse(data)).toEqual(JSON.parse(page.queryState));
});

it.each([
  ['is painted as a whole', /<link rel="expect" href="#page-data" blocking="render">[\s\S]*<\/head>/],
  [
    'says in one line what needs a script',
    /boot-noscript--line">Signing in and ordering need JavaScript\.<br><a href="\?lang=zh-CN">中文<\/a>/,
  ],
])('a document with a page %s, unlike one with a skeleton', (_, pattern) => {
  expect(rendered().html).toMatch(pattern);
  const { html } = compose(shop, { path: '/home' });
  expect(html).not.toMatch(pattern);
  expect(html).toContain('<div class="boot-noscript">请启用');
});

it('the document needs the styles of all parts of the shell, before those of the page', () => {
  const { sheets } = composeDocument(shop, { site: SITE, path: '/home' });
  const files = (name: string) => {
    const [{ extras }] = shop.microFrontends[name] as [MapEntry];
    return Object.keys(extras.integrity)
      .filter((file) => file.endsWith('.css'))
      .map((file) => extras.base + file);
  };
  expect(sheets.slice(0, -1).sort()).toEqual(files('shell').sort());
  expect(files('catalog')).toContain(sheets.at(-1));
});

it('the document preloads the largest picture before the scripts and styles of the page', () => {
  const { html } = rendered();
  const picture = html.indexOf(
    '<link rel="preload" as="image" fetchpriority="high" href="/media/a.webp?x=&#34;1&#34;">',
  );
  expect(picture).toBeGreaterThan(0);
  expect(picture).toBeLessThan(html.indexOf('<script'));
  expect(html).toMatch(/<link rel="stylesheet" href="\/r\/catalog\/[^"]+\/home\.dd\.css" integrity=/);
  expect(html).not.toContain('class="boot"');
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
