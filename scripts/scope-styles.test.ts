import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Compiler } from '@platform/build/build-release';
import { launchBrowser } from '@platform/gate';
import { hidingStyle } from '@platform/releases/testing/release-variant';
import { product } from './build';
import { isRoot } from './release/shop-gate';
import { findProgram } from './setup/programs.mjs';

const compiler = new Compiler(product);
afterAll(() => compiler.close());

const contract = {
  name: 'promo',
  contract: 1,
  routes: [{ path: '/promo', page: './promo', module: './src/promo.ts', title: { 'zh-CN': '促销', en: 'Promotion' } }],
};

async function build(css: string): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'promo-'));
  mkdirSync(path.join(folder, 'src'));
  writeFileSync(path.join(folder, 'remote.json'), JSON.stringify(contract));
  writeFileSync(path.join(folder, 'src/promo.css'), css);
  writeFileSync(path.join(folder, 'src/promo.ts'), `import './promo.css';\nexport const Component = () => null;\n`);
  const dist = path.join(folder, 'dist');
  await compiler.compile(contract.name, folder, '1.0.0-test', dist);
  const styles = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'));
  return styles.map((file) => readFileSync(path.join(dist, file), 'utf8')).join('\n');
}

it('the build reports file and line of a selector for the document', async () => {
  await expect(build('.promo {\n  color: red;\n}\n:root button {\n  display: none;\n}')).rejects.toThrow(
    /src\/promo\.css:4:1: :root is outside the pages of promo/,
  );
});

it('the build reports file and line of a name that is valid in the whole document', async () => {
  await expect(build('.promo { animation: spin 1s }\n@keyframes spin { to { rotate: 1turn } }')).rejects.toThrow(
    /src\/promo\.css:2:12: @keyframes spin: the name must start with "promo-"/,
  );
});

it('the build limits a rule for all buttons to the pages of that remote', async () => {
  const css = await build(hidingStyle);
  const chromium = findProgram('chromium');
  if (!chromium) throw new Error('this test needs Chromium: install it or set CHROME_PATH');
  const browser = await launchBrowser(chromium, !isRoot());
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
});
