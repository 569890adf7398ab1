/**
 * `npm run bench:edits`: how long an edit of a remote takes from its save to its frame in the open shop, and whether the page keeps what was typed.
 */
import { performance } from 'node:perf_hooks';
import { launchBrowser } from '../../e2e/src/browser';
import { EditedRemotes } from '../../e2e/src/edited-remotes';
import { startShop } from '../../e2e/src/shop';
import { readOptions } from '../../scripts/setup/options.mjs';
import { quantile } from './measure/statistics';
import { writeBetween } from './report/report';

const help = `npm run bench:edits -- [--edits 100] [--no-docs]

Results: the table in docs/performance.md. Goal on two cores: all edits keep the form, p95 at most 200 ms.`;
const GOAL_MS = 200;

/** In the page, before the edit: resolves in the first frame that shows it. */
const frameOf = (edit: string) =>
  new Promise<void>((resolve) => {
    new MutationObserver((_, observer) => {
      if (!document.querySelector(edit)) return;
      observer.disconnect();
      requestAnimationFrame(() => resolve());
    }).observe(document, { subtree: true, attributes: true, childList: true });
  });

async function main(): Promise<void> {
  const { values } = readOptions(help, {
    options: { edits: { type: 'string', default: '100' }, 'no-docs': { type: 'boolean', default: false } },
  });
  const shop = await startShop();
  const edited = new EditedRemotes('mfe-content');
  const browser = await launchBrowser();
  try {
    const { origin } = await edited.dev('content', shop.url);
    const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
    const isHot = () => Object.keys((globalThis as { __PLATFORM_DEV__?: { hot: object } }).__PLATFORM_DEV__?.hot ?? {});
    do await page.goto(`${origin}/business`);
    while ((await page.evaluate(isHot)).length < 2);
    await page.locator('main textarea').fill('half of what I wanted to');
    const took: number[] = [];
    let kept = 0;
    for (let number = 1; number <= Number(values.edits); number += 1) {
      const seen = page.evaluate(frameOf, `[data-edit="${number}"]`);
      const from = performance.now();
      edited.edit('mfe-content/src/business/business-page.tsx', (source) =>
        source.replace('<div className="content-business', `<div data-edit="${number}" className="content-business`),
      );
      await seen;
      took.push(performance.now() - from);
      const typed = await page.evaluate(() => document.querySelector<HTMLTextAreaElement>('main textarea')?.value);
      if (typed === 'half of what I wanted to') kept += 1;
    }
    const [median, p95] = [quantile(took, 0.5), quantile(took, 0.95)].map(Math.round) as [number, number];
    const row = `| ${took.length} | ${kept} | ${median} ms | ${p95} ms | ${GOAL_MS} ms${p95 > GOAL_MS ? ' **missed**' : ''} |`;
    const table = `| edits | kept the form | median | p95 | goal |\n| --- | --- | --- | --- | --- |\n${row}`;
    console.log(table);
    if (!values['no-docs']) writeBetween('docs/performance.md', 'edits', table);
  } finally {
    await browser.close();
    edited.close();
    await shop.stop();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
