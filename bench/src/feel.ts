/**
 * `npm run bench:feel`: how the shop responds once it is loaded: page changes, taps and scrolls over a list of a thousand rows.
 * Prints the table of docs/performance.md, "Pages".
 */
import os from 'node:os';
import { launchBrowser } from '../../e2e/src/browser';
import { startShop } from '../../e2e/src/shop';
import { changes } from './feel/changes';
import { filters, taps } from './feel/taps';
import { type Figure, slowdown } from './feel/visitor';
import { signIn } from './measure/sign-in';

function row({ what, value, goal, unit, of }: Figure): string {
  const text = (amount: number) => (unit === 'ms' ? `${amount.toFixed(0)} ms` : `${amount.toFixed(2)} × floor`);
  return `| ${what} | ${text(value)} | ${text(goal)}${value > goal ? ' **missed**' : ''} | ${of} |`;
}

async function main(): Promise<void> {
  const shop = await startShop();
  const browser = await launchBrowser({ full: true, flags: ['--ignore-certificate-errors'] });
  try {
    const { token } = await signIn(shop);
    const figures: Figure[] = [];
    for (const part of [changes, filters, taps]) figures.push(...(await part({ shop, browser, token })));
    console.log(`\`npm run bench:feel\`; processor slowed ${slowdown} times unless a row says otherwise, ${os.cpus().length} cores, Chromium ${browser.version()}.
Floor: p95 of the same gesture on a page with one button and one paragraph, in the same run. ${new Date().toISOString().slice(0, 10)}.

| | measured | goal | of |
| --- | --- | --- | --- |
${figures.map(row).join('\n')}`);
  } finally {
    await browser.close().catch(() => {});
    await shop.stop();
  }
}

main()
  .catch((error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  })
  .finally(() => process.exit());
