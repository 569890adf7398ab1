import path from 'node:path';
import { browserScript } from '@platform/build/browser-script';
import { launchBrowser } from '@platform/gate';
import type { Emptiness } from '@platform/releases/contract';
import type { Browser, Page } from 'playwright-core';
import { findProgram } from '../setup/programs.mjs';
import { isRoot } from './shop-gate';

let browser: Browser;
let page: Page;
beforeAll(async () => {
  const chromium = findProgram('chromium');
  if (!chromium) throw new Error('these tests need Chromium: install it or set CHROME_PATH');
  browser = await launchBrowser(chromium, !isRoot());
  page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  await page.route('http://pictures.invalid/*', () => {});
});
afterAll(() => browser.close());

const script = browserScript(path.join(__dirname, 'testing/emptiness-in-page.ts'));
const picture = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="50" height="50"/>'.replaceAll(
  '"',
  '&quot;',
);

interface Given {
  content: string;
  style?: string;
  after?: string;
  kept?: string;
}

const emptiness = () =>
  page.evaluate(() => {
    const found = (globalThis as unknown as { pageEmptiness(): Emptiness | null }).pageEmptiness();
    return found && `${found.why}${found.cause.closest('[data-remote]') ? ', of the remote' : ''}`;
  });

async function look({ content, style = '', after = '', kept = '' }: Given): Promise<string | null> {
  await page.setContent(
    `<!doctype html><style>body{margin:0}.fill{position:fixed;inset:0}.white{background:#fff}${style}</style>
     <div id="root"><div class="shell"><header style="height:50px;background:#fff">The shop</header><main>${kept}
       <div class="shell-kept"><div class="shell-page"><div data-remote="catalog">${content}</div></div></div>
     </main></div></div>${after}`,
    { waitUntil: 'domcontentloaded' },
  );
  await page.evaluate(script);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return emptiness();
}

const text = '<p>A product</p>';

it.each<[string, Given, string]>([
  ['without anything', { content: '' }, 'shows neither text nor a picture, of the remote'],
  ['of empty boxes', { content: '<div style="height:90px;background:#eee"></div>' }, 'shows neither'],
  ['whose picture failed to load', { content: '<img src="data:," width="50" height="50">' }, 'shows neither'],
  ['that is not displayed', { content: text, style: '[data-remote]{display:none}' }, 'is hidden by div, of the remote'],
  ['out of sight', { content: `<div class="a b">${text}</div>`, style: '.a{visibility:hidden}' }, 'hidden by div.a.b'],
  ['whose document is hidden', { content: text, style: '#root{visibility:hidden}' }, 'is hidden by div#root'],
  [
    'without height',
    { content: text, style: '[data-remote]{height:0;overflow:hidden}' },
    'is cut off (div), of the remote',
  ],
  ['without size', { content: text, style: 'p{font-size:0}' }, 'has no size (p), of the remote'],
  ['beside the window', { content: text, style: '.shell-page{position:absolute;left:-9999px}' }, 'is aside (p)'],
  [
    'under a layer inside it',
    { content: `${text}<div class="fill white"></div>` },
    'is covered by div.fill.white, of the remote',
  ],
  [
    'whose text has a layer beside it',
    { content: `A product<div class="fill white"></div>` },
    'is covered by div.fill.white, of the remote',
  ],
  [
    'under a box that a style adds before it',
    { content: text, style: '[data-remote]::before{content:"";position:fixed;inset:0;background:#fff}' },
    'is covered by div, of the remote',
  ],
  [
    'under a layer that covers the header of the shop too',
    { content: `<div style="margin-top:-50px">${text}</div>${text}<div class="fill white"></div>` },
    'is covered by div.fill.white',
  ],
])('a page %s is empty', async (_, given, why) => {
  expect(await look(given)).toContain(why);
});

it.each<[string, Given]>([
  ['with text', { content: text }],
  ['with pictures only', { content: `<img src="${picture}">` }],
  ['whose pictures are loading', { content: '<img src="http://pictures.invalid/a.png" width="50" height="50">' }],
  ['with a background', { content: '<div class="a"></div>', style: `.a{height:50px;background:url("${picture}")}` }],
  ['that begins below the window', { content: `<div style="height:3000px"></div>${text}` }],
  ['with many hidden elements before its text', { content: `${'<p hidden>menu</p>'.repeat(400)}${text}` }],
  ['behind a scrim', { content: text, after: '<div class="fill" style="background:#0008"><p>Sure?</p></div>' }],
  [
    'behind the panel of a sheet',
    { content: text, after: '<div class="fill"><div class="fill white"></div><p>Sign in</p></div>' },
  ],
  [
    'behind a scrim, inert',
    { content: `<div inert>${text}</div>`, after: '<div class="fill" style="background:#0008"></div>' },
  ],
  ['behind a modal dialog', { content: text, after: '<dialog open class="fill">Sign in</dialog>' }],
  ['without pointer events', { content: text, style: '[data-remote]{pointer-events:none}' }],
  ['under a transparent layer that receives clicks', { content: text, after: '<div class="fill"></div>' }],
  [
    'under a watermark',
    { content: text, after: '<div class="fill white" style="pointer-events:none;opacity:.05"></div>' },
  ],
  [
    'with a card inside a link',
    { content: `<a href="#">${text}</a>`, style: 'a{position:relative}a::after{content:"";position:absolute;inset:0}' },
  ],
  [
    'with kept-alive pages',
    {
      content: text,
      kept: '<div class="shell-kept" data-away style="display:none"><div class="shell-page"></div></div>',
    },
  ],
])('a page %s is not empty', async (_, given) => {
  expect(await look(given)).toBeNull();
});

it('a document without a page is empty', async () => {
  await page.setContent('<div id="root"></div>', { waitUntil: 'domcontentloaded' });
  await page.evaluate(script);
  expect(await emptiness()).toBe('is not there');
});

it('a page that is scrolled to an empty part is not empty', async () => {
  await look({ content: `${text}<div style="height:3000px"></div>` });
  await page.evaluate(() => window.scrollTo(0, 1_500));
  expect(await emptiness()).toBeNull();
});
