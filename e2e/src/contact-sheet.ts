/**
 * `npm run contact-sheet`: every screen in both languages, themes and widths, as one picture for each of the eight combinations, and
 * `docs/screens.md`, which shows them. `-- --against http://localhost:8080` photographs a shop that runs already, `--only 390` or
 * `--only en-dark` a part of the combinations, `--only staff` the staff console, which needs a shop of its own.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { readOptions } from '../../scripts/setup/options.mjs';
import { desktop, launchBrowser, openTab, phone } from './browser';
import { guardedRoutes, openRoutes } from './routes';
import { root, startShop } from './shop';
import { drawStaff, staffLines } from './staff-pictures';
import { demoToken, orderAllowing, signInWithToken } from './steps';

/** Width of one screen on the sheet, in pixels; a sheet has this many beside each other. */
const sheets = {
  390: { viewport: phone, thumb: 234, perRow: 8 },
  1280: { viewport: desktop, thumb: 480, perRow: 4 },
} as const;
const gap = 12;
const images = path.join(root, 'docs', 'images', 'screens');

interface Combination {
  width: keyof typeof sheets;
  language: 'zh-CN' | 'en';
  theme: 'light' | 'dark';
}

async function main(): Promise<void> {
  const { values } = readOptions(
    `npm run contact-sheet [-- --against <url>] [--only <part>]

Photographs every screen, for docs/screens.md.
  --against <url>   a shop that runs already; without it one is started
  --only <part>     such as 390, en-dark or staff`,
    { options: { against: { type: 'string' }, only: { type: 'string', default: '' } } },
  );
  const { against, only } = values;
  const own = against ? undefined : await startShop();
  const shop = own ?? { url: against ?? '', stop: async () => {} };
  const browser = await launchBrowser();
  try {
    const token = await demoToken(shop);
    const routes = [...openRoutes, ...guardedRoutes, `/order/detail/${await orderAllowing('delete', shop, token)}`];
    const lines = [
      '# Every page',
      '',
      'Screenshots of a signed-in demo shopper. `npm run contact-sheet` takes them again.',
      '',
      `In rows, from left to right: ${routes.map((route) => `\`${route.replace(/(?<=detail\/).+/, ':id')}\``).join(', ')}.`,
      '',
    ];
    for (const width of [390, 1280] as const) {
      for (const language of ['zh-CN', 'en'] as const) {
        for (const theme of ['light', 'dark'] as const) {
          const name = `${width}-${language}-${theme}.webp`;
          lines.push(`## ${width} pixels, ${language}, ${theme}`, '', `![](images/screens/${name})`, '');
          if (!name.includes(only ?? '')) continue;
          await draw(browser, shop.url, token, routes, { width, language, theme }, path.join(images, name));
          console.log(`docs/images/screens/${name}`);
        }
      }
    }
    if (own && 'staff'.includes(only ?? '')) await drawStaff(browser, own);
    writeFileSync(path.join(root, 'docs', 'screens.md'), [...lines, ...staffLines].join('\n'));
  } finally {
    await browser.close();
    await shop.stop();
  }
}

async function draw(
  browser: Browser,
  url: string,
  token: string,
  routes: readonly string[],
  { width, language, theme }: Combination,
  target: string,
): Promise<void> {
  const { viewport, thumb, perRow } = sheets[width];
  const height = Math.round((viewport.height * thumb) / viewport.width);
  const { page, context } = await openTab(browser, url, { language, theme, viewport });
  await signInWithToken(page, { url }, token);
  const screens: Buffer[] = [];
  for (const route of routes) {
    await page.goto(route);
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
    await page.waitForLoadState('networkidle');
    screens.push(
      await sharp(await page.screenshot())
        .resize(thumb, height)
        .toBuffer(),
    );
  }
  await context.close();
  await sharp({
    create: {
      width: perRow * (thumb + gap) + gap,
      height: Math.ceil(routes.length / perRow) * (height + gap) + gap,
      channels: 3,
      background: '#888',
    },
  })
    .composite(
      screens.map((input, index) => ({
        input,
        left: gap + (index % perRow) * (thumb + gap),
        top: gap + Math.floor(index / perRow) * (height + gap),
      })),
    )
    .webp({ quality: 72 })
    .toFile(target);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
