/**
 * Compares every page with its picture in e2e/pictures. After an intended change, `npm run pictures` updates them; each changed
 * picture needs a review.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';
import sharp from 'sharp';
import { contentShown } from './audit';
import { desktop, phone } from './browser';
import { guardedRoutes, openRoutes } from './routes';
import { root, type Shop } from './shop';
import { call, demoToken, recordPages } from './steps';
import { expect, startOwnShop, test } from './test';

// One shop for the file: in the shared one, orders and stock change meanwhile.
test.describe.configure({ mode: 'default' });

let shop: Shop;
let token: string;
test.beforeAll(async ({ browser }) => {
  const isAlike = await rendersAlike(browser);
  test.skip(!isAlike, `the pictures have other fonts or shapes than Chromium ${browser.version()} renders here`);
  shop = await startOwnShop();
  token = await demoToken(shop);
  // Whether a notice is still new depends on the pages opened before.
  await call(shop, '/api/front/order/notices/read', token, { last_id: Number.MAX_SAFE_INTEGER });
});
test.afterAll(async () => {
  await shop?.stop();
  if (test.info().config.updateSnapshots === 'changed') await withFewColours(path.join(root, 'e2e/pictures'));
});

for (const { language, viewport, turn } of [
  { language: 'zh-CN', viewport: phone, turn: 0 },
  { language: 'en', viewport: phone, turn: 1 },
  { language: 'zh-CN', viewport: desktop, turn: 1 },
  { language: 'en', viewport: desktop, turn: 0 },
] as const) {
  test(`pages in ${language} at ${viewport.width} pixels look as in their pictures`, async ({ openTab }) => {
    const tabs = [
      { paths: openRoutes, ...(language === 'en' ? {} : { token }) },
      { paths: [...guardedRoutes, ...(await recordPages(shop, token))], token },
    ];
    for (const { paths, ...visitor } of tabs) {
      const { page } = await openTab({
        url: shop.url,
        language,
        viewport,
        expectedErrors: /status of 404/,
        ...visitor,
      });
      await page.clock.setFixedTime(new Date());
      for (const [index, route] of paths.entries()) {
        if (index % 2 !== turn) continue;
        const theme = index % 4 < 2 === (viewport === phone) ? 'light' : 'dark';
        await page.emulateMedia({ colorScheme: theme });
        await page.goto(route);
        await contentShown(page);
        await replaceVaryingTexts(page);
        const name = route
          .replace(/(?<=detail|receipt)\/.+/, '')
          .slice(1)
          .replaceAll('/', '-');
        await expect.soft(page).toHaveScreenshot(`${name}-${viewport.width}-${language}-${theme}.png`);
      }
    }
  });
}

/** Replaces times and the random words of each shop by ones of the same length. It uses no timers, which continue. */
async function replaceVaryingTexts(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const timer of document.querySelectorAll<HTMLElement>('[role=timer]')) timer.style.display = 'none';
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
      const same = text.data
        .replace(/\d{4}([-.])\d\d[-.]\d\d/g, '2026$101$101')
        .replace(/\d{4}年\d+月\d+日/g, '2026年11月11日')
        .replace(/\b\d{1,2} [A-Z][a-z]{2,3} \d{4}\b/g, '11 Nov 2026')
        .replace(/\b\d{1,2}:\d\d\s[ap]m/g, '12:00\u00a0pm')
        .replace(/\b\d\d(:\d\d)+(?!\s[ap]m)/g, (time) => '12:00:00'.slice(0, time.length))
        .replace(/\b[A-Z\d]{20}\b/g, 'ABCDEFGHJKLM23456789')
        .replace(/\b(?=\d*[A-Z]+\d|\d+[A-Z])[A-Z\d]{8}\b/g, 'ABCD2345')
        .replace(/^[A-Z\d]{8}$/, (word) =>
          /^(邀请码|Invite code)/.test(text?.parentElement?.textContent ?? '') ? 'ABCD2345' : word,
        );
      if (same !== text.data) text.data = same;
    }
  });
}

/** Independent of the shop: text of both languages in all weights, digits, a gradient, a shadow and round corners. */
const sample = `<!doctype html><body style="margin:8px;font:15px/1.5 system-ui,sans-serif">
  ${[400, 500, 650, 750].map((weight) => `<p style="margin:4px;font-weight:${weight}">立即购买 游戏充值，秒到 Buy now $1,234.50 ¥98</p>`).join('')}
  <code>K7QX-2M4P</code>
  <p style="width:180px;padding:12px;border-radius:16px;color:#fff;background:linear-gradient(128deg,#4a35e8,#9333d8);box-shadow:0 6px 18px #5a3df047">原神 Genshin</p>
</body>`;

/** Whether this browser with these fonts renders the sample as in its picture. A run that updates pictures takes it again. */
async function rendersAlike(browser: Browser): Promise<boolean> {
  const tab = await browser.newPage({ viewport: { width: 390, height: 260 } });
  await tab.setContent(sample);
  const isAlike = await expect(tab)
    .toHaveScreenshot('sample.png')
    .then(() => true)
    .catch(() => false);
  await tab.close();
  return isAlike;
}

/** Compresses updated pictures to a third of their bytes. */
async function withFewColours(folder: string): Promise<void> {
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.png') && file !== 'sample.png')) {
    const file = path.join(folder, name);
    const picture = sharp(readFileSync(file));
    const { isPalette } = await picture.metadata();
    if (!isPalette) writeFileSync(file, await picture.png({ palette: true, dither: 0, effort: 10 }).toBuffer());
  }
}
