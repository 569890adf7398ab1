import { launchBrowser, phone } from '../../../e2e/src/browser';
import { goHome, type Site, slowdown } from './visitor';

/** Times from the `pageshow` of a page from the back/forward cache to the end of its first frame, ms. */
export async function timesOfReturns({ url }: Site, rounds: number): Promise<number[]> {
  const browser = await launchBrowser({ backForwardCache: true, flags: ['--ignore-certificate-errors'] });
  try {
    const context = await browser.newContext({
      baseURL: url,
      viewport: phone,
      locale: 'zh-CN',
      ignoreHTTPSErrors: true,
    });
    await context.addInitScript(() => {
      addEventListener('pageshow', ({ persisted, timeStamp }) => {
        if (persisted)
          requestAnimationFrame(() =>
            setTimeout(() => Object.assign(window, { benchBack: performance.now() - timeStamp })),
          );
      });
    });
    const page = await context.newPage();
    const cdp = await context.newCDPSession(page);
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await goHome(page);
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await page.evaluate(() => void Object.assign(window, { benchBack: 0 }));
      await page.goto('data:text/html,elsewhere');
      // The timeout lets `evaluate` return first, because the navigation destroys its context.
      await page.evaluate(() => void setTimeout(() => history.back()));
      const time = await page.waitForFunction(() => (window as never as { benchBack?: number }).benchBack);
      times.push(Number(await time.jsonValue()));
    }
    await context.close();
    return times;
  } finally {
    await browser.close();
  }
}
