/** Whether this browser with these fonts renders like the one that made the pictures of e2e/pictures. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from '@playwright/test';
import sharp from 'sharp';
import { root } from './shop';

export const pictures = path.join(root, 'e2e', 'pictures');
const sample = path.join(pictures, 'sample.png');
const sampleBrowser = path.join(pictures, 'rendered-by.json');
/** Of 255: the change that rounding in the rasteriser may cause. */
const tolerance = 32;
const maxPixels = 20;

/** Independent of the shop: text of both languages in all weights, digits, a gradient, a shadow and round corners. */
const page = `<!doctype html><body style="margin:8px;font:15px/1.5 system-ui,sans-serif">
  ${[400, 500, 650, 750].map((weight) => `<p style="margin:4px;font-weight:${weight}">立即购买 游戏充值，秒到 Buy now $1,234.50 ¥98</p>`).join('')}
  <code>K7QX-2M4P</code>
  <p style="width:180px;padding:12px;border-radius:16px;color:#fff;background:linear-gradient(128deg,#4a35e8,#9333d8);box-shadow:0 6px 18px #5a3df047">原神 Genshin</p>
</body>`;

async function takeSample(browser: Browser): Promise<Buffer> {
  const context = await browser.newContext({ viewport: { width: 390, height: 260 } });
  const tab = await context.newPage();
  await tab.setContent(page);
  const screenshot = await tab.screenshot();
  await context.close();
  return screenshot;
}

export async function recordSample(browser: Browser): Promise<void> {
  writeFileSync(sample, await takeSample(browser));
  writeFileSync(sampleBrowser, `{ "chromium": "${browser.version()}" }\n`);
}

/** The reason why pictures cannot be compared here, or an empty string. */
export async function renderingDifference(browser: Browser): Promise<string> {
  if (!existsSync(sample)) return 'there are no pictures yet';
  const [before, now] = await Promise.all(
    [readFileSync(sample), await takeSample(browser)].map((picture) => sharp(picture).removeAlpha().raw().toBuffer()),
  );
  if (before && now && before.length === now.length) {
    const differing = now.filter((value, index) => Math.abs(value - (before[index] ?? 0)) > tolerance).length / 3;
    if (differing <= maxPixels) return '';
  }
  const { chromium } = JSON.parse(readFileSync(sampleBrowser, 'utf8')) as { chromium: string };
  return `the pictures were made by Chromium ${chromium} and its fonts; Chromium ${browser.version()} with the fonts here renders text or shapes differently`;
}

/** Compresses updated pictures to a third of their bytes. */
export async function withFewColours(folder: string): Promise<void> {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.png') && file !== 'sample.png')) {
    const file = path.join(folder, name);
    const picture = sharp(readFileSync(file));
    const { isPalette } = await picture.metadata();
    if (!isPalette) writeFileSync(file, await picture.png({ palette: true, dither: 0, effort: 10 }).toBuffer());
  }
}
