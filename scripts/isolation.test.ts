/** A build of a remote refuses what reaches beyond its own pages, with the place in the source. */
import { Compiler } from '@platform/build/build-release';
import { launchBrowser } from '@platform/releases/browser-gate';
import { hidingStyle } from '@platform/releases/testing/release-variant';
import { product } from './build';
import { buildSource } from './release/drill/source-build';
import { findChromium } from './setup/chromium.mjs';

const compiler = new Compiler(product);
afterAll(() => compiler.close());

/** Compiles a remote with one page, `src/promo.ts`. */
const build = (script: string, css?: string) => buildSource(compiler, { script, css });

describe('the build of a remote', () => {
  it('passes one that keeps to itself', async () => {
    await build(`export const loader = () => localStorage.setItem('promo.seen', '1');`);
  }, 60_000);

  it('names file and line of a script that replaces a global', async () => {
    const script = `const host = window;\nexport const loader = () => {\n  host.fetch = async () => new Response();\n};`;
    await expect(build(script)).rejects.toThrow(/src\/promo\.ts:4:\d+ writes fetch/);
  }, 60_000);

  it('names file and line of a selector for the document', async () => {
    await expect(build('', '.promo {\n  color: red;\n}\n:root button {\n  display: none;\n}')).rejects.toThrow(
      /src\/promo\.css:4:1: :root is outside the pages of promo/,
    );
  }, 60_000);

  it('names file and line of a name that is valid in the whole document', async () => {
    await expect(build('', '.promo { animation: spin 1s }\n@keyframes spin { to { rotate: 1turn } }')).rejects.toThrow(
      /src\/promo\.css:2:1 @keyframes spin: the name must start with "promo-"/,
    );
  }, 60_000);

  it('makes a rule for all buttons apply in the pages of that remote only', async () => {
    const css = await build('', hidingStyle);
    const chromium = findChromium();
    if (!chromium) throw new Error('this test needs Chromium: install it or set CHROME_PATH');
    const browser = await launchBrowser(chromium);
    try {
      const page = await browser.newPage();
      const pages = ['promo', 'orders'].map((name) => `<div data-remote="${name}"><button>${name}</button></div>`);
      await page.setContent(`<style>${css}</style><button>shell</button>${pages.join('')}`);
      const visible = await page.evaluate(() =>
        [...document.querySelectorAll('button')]
          .filter((button) => getComputedStyle(button).visibility === 'visible')
          .map((button) => button.textContent),
      );
      expect(visible).toEqual(['shell', 'orders']);
    } finally {
      await browser.close();
    }
  }, 60_000);
});
