/** Whether this browser with these fonts renders like the one that made the pictures of e2e/pictures. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Browser, expect } from '@playwright/test';
import sharp from 'sharp';

/** Independent of the shop: text of both languages in all weights, digits, a gradient, a shadow and round corners. */
const page = `<!doctype html><body style="margin:8px;font:15px/1.5 system-ui,sans-serif">
  ${[400, 500, 650, 750].map((weight) => `<p style="margin:4px;font-weight:${weight}">立即购买 游戏充值，秒到 Buy now $1,234.50 ¥98</p>`).join('')}
  <code>K7QX-2M4P</code>
  <p style="width:180px;padding:12px;border-radius:16px;color:#fff;background:linear-gradient(128deg,#4a35e8,#9333d8);box-shadow:0 6px 18px #5a3df047">原神 Genshin</p>
</body>`;

/** Whether the sample looks as in its picture. A run that updates pictures takes it again. */
export async function rendersAlike(browser: Browser): Promise<boolean> {
  const tab = await browser.newPage({ viewport: { width: 390, height: 260 } });
  await tab.setContent(page);
  const isAlike = await expect(tab)
    .toHaveScreenshot('sample.png')
    .then(() => true)
    .catch(() => false);
  await tab.close();
  return isAlike;
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
