/**
 * Text at twice its size, as people set it in their browser or on their phone: every page as wide as a phone; half of the pages in each
 * language at a push, all in both nightly.
 */
import { contentShown, cutTexts, lastingFaults, layoutFaults } from './audit';
import { isFullRun } from './full-run';
import { guardedRoutes, openRoutes } from './routes';
import { orderAllowing } from './steps';
import { expect, test } from './test';

function doubleText(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('html { font-size: 200% }');
  document.adoptedStyleSheets = [sheet];
}

for (const language of ['zh-CN', 'en'] as const)
  test(`with text at 200 %, pages cut no text and break no word, in ${language}`, async ({
    shop,
    demoToken,
    openTab,
  }) => {
    // Browsers report the status of that document.
    const { page } = await openTab({ language, token: demoToken, expectedErrors: /status of 404 .*\/404$/ });
    await page.addInitScript(doubleText);
    const found: string[] = [];
    const detail = `/order/detail/${await orderAllowing('delete', shop, demoToken)}`;
    const all = [...openRoutes, ...guardedRoutes, detail];
    for (const path of all.filter((_, index) => isFullRun || index % 2 === Number(language === 'en'))) {
      await page.goto(path);
      await contentShown(page);
      const faults = await lastingFaults(page, async () => [
        ...(await layoutFaults(page)),
        ...(await cutTexts(page, { upright: true })),
      ]);
      found.push(...faults.map((fault) => `${path}: ${fault}`));
    }
    expect(found).toEqual([]);
  });
