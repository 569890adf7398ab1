import { readFileSync } from 'node:fs';
import { DOCUMENT_IDS, Frame, isOwnImage, pageFault } from './page-part';

const frame = new Frame('<div id="shell"><main>HERE</main><nav id="tabs"></nav></div>', 'HERE');
const around = (part: string) => frame.html.replace('HERE', part);
const faultOf = (part: string) => pageFault(around(part), frame, 'catalog');

it.each([
  ['texts and comments of React', 'a<!-- -->b<!--$--><p>c</p><!--/$-->&amp;'],
  [
    'pictures, links and fields',
    '<a href="/goods/1"><img src="/media/a.webp" alt=""/></a><input name="q" value="&lt;b&gt;"/>',
  ],
  ['forms of the shop', '<form action="/search" role="search"><input id="q"/><label for="q">x</label></form>'],
  ['its own menu', '<button popovertarget="menu">x</button><div id="menu" popover="auto"></div>'],
  [
    'SVG',
    '<svg viewBox="0 0 1 1"><defs><linearGradient id="g"></linearGradient></defs><path d="M0 0"></path><use href="#g"></use></svg>',
  ],
  ['tables and lists', '<table><tbody><tr><td>1</td></tr></tbody></table><ul><li><ul><li>x</li></ul></li></ul>'],
  ['a line in an article that a browser repairs', '<div><p>a<ul><li>b<br></li></ul></p></div>'],
  ['nested links', '<div><a href="/x"><div><a href="/y"></a></div></a></div>'],
  ['nested forms', '<form><div><form></form></div></form>'],
  ['a table whose content the parser moves out', '<table><tr><div></div></tr></table>'],
  ['an HTML element in an SVG', '<svg><p>x</p></svg>'],
  ['its own data-remote', '<div data-remote="catalog"></div>'],
  [
    'addresses of other kinds',
    '<a href="tel:123">a</a><a href="mailto:a@b.example">b</a><a href="https://x.example/">c</a>',
  ],
  ['pictures as data addresses', '<img src="data:image/png;base64,AAAA" alt=""/>'],
])('a remote may render %s', (_what, part) => {
  expect(faultOf(part)).toBeUndefined();
});

it.each([
  ['a surplus end tag', '</main>x<main>', '</main> closes <nothing>'],
  ['an element that is not closed', '<div><p>x</p>', '<div> is not closed'],
  ['end tags in the wrong order', '<b><i></b></i>', '</b> closes <i>'],
  ['list items that close an outer element', '<li><div><li></li></div></li>', 'it leaves its part of the page'],
  ['a button in a button', '<button><main><button></button></main></button>x', 'it leaves its part of the page'],
  ['a link that would extend beyond the part', '<a href="/x"><div><a href="/y"></a></div></a><p>', '<p> is not closed'],
  ['a script', '<script>alert(1)</script>', 'it has <script>'],
  ['a style sheet', '<style>.shell{display:none}</style>', 'it has <style>'],
  ['a link of the head', '<link rel="stylesheet" href="/x.css"/>', 'it has <link>'],
  ['metadata for search engines', '<meta name="robots" content="noindex"/>', 'it has <meta>'],
  ['a title', '<title>x</title>', '<title> is not allowed there'],
  ['other elements in a select', '<select><div></div></select>', 'it has <div> in <select>'],
  ['another base', '<base href="https://evil.example/"/>', 'it has <base>'],
  ['a frame', '<iframe src="/x"></iframe>', 'it has <iframe>'],
  ['an object', '<object data="/x"></object>', 'it has <object>'],
  ['the body of the document', '<body class="x"></body>', 'it has <body>'],
  ['content for browsers without scripts', '<noscript><p></p></noscript>', 'it has <noscript>'],
  ['a template with content', '<template><p>x</p></template>', '<template> is not allowed there'],
  ['a foreign object in an SVG', '<svg><foreignObject><p></p></foreignObject></svg>', 'it has <foreignobject>'],
  ['an SVG title outside an SVG', '<div><title>x</title></div>', '<title> is not allowed there'],
  ['a comment', '<!--[if IE]><script></script><![endif]-->', null],
  ['a comment with an early end', '<!--><img src="x" onerror="alert(1)"/>-->', null],
  ['a CDATA section', '<svg><![CDATA[</svg>]]></svg>', 'it has <![CDATA['.slice(0, 6)],
  ['a handler', '<p onclick="alert(1)">x</p>', '<p> has onclick'],
  ['a handler after a slash', '<img/onerror="alert(1)" src="x"/>', '<img> has onerror'],
  ['a script as an address', '<a href="javascript:alert(1)">x</a>', '<a href> leads to javascript:alert(1)'],
  ['a disguised script as an address', '<a href=" java&#x0A;script&colon;alert(1)">x</a>', '<a href> leads to'],
  ['a script in an SVG link', '<svg><a xlink:href="javascript:alert(1)"></a></svg>', '<a xlink:href> leads to'],
  ['an SVG from another site', '<svg><use href="https://evil.example/#a"></use></svg>', '<use href> leads to'],
  ['a form to another site', '<form action="https://evil.example/"></form>', '<form action> leads to'],
  ['a form to another site by two slashes', '<form action="//evil.example/"></form>', '<form action> leads to'],
  ['a button to another site', '<button formaction="https://evil.example/">x</button>', '<button> has formaction'],
  ['the release map', '<p id="release-map">{}</p>', 'the id release-map is not its own'],
  ['the data of the page', '<p id="page-data">{}</p>', 'the id page-data is not its own'],
  ['an id of the shell', '<p id="tabs"></p>', 'the id tabs is not its own'],
  ['a field of a form in the shell', '<input form="shell-login"/>', 'it refers to shell-login'],
  ['a button for the shell’s menu', '<button popovertarget="tabs">x</button>', 'it refers to tabs'],
  ['data-remote of another', '<div data-remote="orders"></div>', '<div> has the data-remote of another remote'],
  ['a name that hides a property of the document', '<img name="getElementById" alt=""/>', '<img> has a name'],
])('a remote may not render %s', (_what, part, fault) => {
  expect(faultOf(part)).toEqual(expect.stringContaining(fault ?? ''));
});

it.each([
  ['a changed frame', frame.html.replace('<main>', '<main class="x">').replace('HERE', '')],
  ['content before the frame', `<p></p>${around('')}`],
  ['content after the frame', `${around('')}<p></p>`],
  ['half of the frame', '<div id="shell"><main></nav></div>'],
  ['no frame', '<p>all mine</p>'],
])('a remote may not return a page with %s', (_what, page) => {
  expect(pageFault(page, frame, 'catalog')).toBe('it changed the part around the page');
});

it('a remote may not use an id that the document uses outside the page', () => {
  const source = readFileSync(
    require.resolve('@platform/pages/package.json').replace('package.json', 'src/compose/compose-document.ts'),
    'utf8',
  );
  const ids = Array.from(source.matchAll(/ id="([^"$]+)"/g), ([, id]) => id);
  expect(ids.sort()).toEqual([...DOCUMENT_IDS].sort());
});

it.each([
  [{ href: '/media/a.webp' }, true],
  [{ href: 'https://pictures.example/a.webp' }, true],
  [{ href: '//evil.example/a.webp' }, false],
  [{ href: 'data:text/html,x' }, false],
  [undefined, true],
])('the document preloads the picture %j: %s', (image, isPreloaded) => {
  expect(isOwnImage(image)).toBe(isPreloaded);
});
