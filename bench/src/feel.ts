/** `npm run bench:feel`: how fast the loaded shop responds to page changes, taps, and scrolls over a list of a thousand rows. */
import os from 'node:os';
import { launchBrowser } from '../../e2e/src/browser';
import { startShop } from '../../e2e/src/shop';
import { readOptions } from '../../scripts/setup/options.mjs';
import { changes } from './feel/changes';
import { filters, taps } from './feel/taps';
import { type Figure, slowdown } from './feel/visitor';
import { signIn } from './measure/sign-in';
import { report, writeHelp, writeOption } from './report';

const help = `npm run bench:feel -- [--write]

  ${writeHelp}

CHROME_PATH names the browser.`;

function row({ what, value, goal, unit, of }: Figure): string {
  const text = (amount: number) => (unit === 'ms' ? `${amount.toFixed(0)} ms` : `${amount.toFixed(2)} × floor`);
  return `| ${what} | ${text(value)} | ${text(goal)}${value > goal ? ' **missed**' : ''} | ${of} |`;
}

async function main(): Promise<void> {
  const { values } = readOptions(help, { options: writeOption });
  const shop = await startShop();
  const browser = await launchBrowser({ full: true, flags: ['--ignore-certificate-errors'] });
  try {
    const { token } = await signIn(shop);
    const figures: Figure[] = [];
    for (const part of [changes, filters, taps]) figures.push(...(await part({ shop, browser, token })));
    const text = `Processor slowed ${slowdown} times, ${os.cpus().length} cores, Chromium ${browser.version()}.

| | measured | goal | details |
| --- | --- | --- | --- |
${figures.map(row).join('\n')}`;
    report('bench:feel', text, values.write);
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
