import type { Browser, BrowserContext } from 'playwright-core';
import { DELAY_HEADER, type GateSite, RENDERED_HEADER } from './gate-site';
import type { Round } from './rounds';

/** Concurrent visits in one browser: while one waits for answers, the other works. */
const TABS = 2;
/** Milliseconds of delay of each API answer in rounds with slow answers. */
const SLOW_MS = 800;
const HEIGHTS = { 390: 844, 1280: 800 } as const;

export type Rounds = ReturnType<typeof openRounds>;

interface RoundsOptions {
  site: Pick<GateSite, 'origin' | 'pictureOrigins'>;
  script: string;
  /** For signed-in rounds. */
  token?: string;
}

export function launchBrowser(executablePath: string, sandbox = true): Promise<Browser> {
  const { chromium } = require('playwright-core') as typeof import('playwright-core');
  const args = ['--disable-dev-shm-usage', '--disable-gpu'];
  return chromium.launch({ executablePath, chromiumSandbox: sandbox, args });
}

/** A proxy that never answers stops requests to every other origin. This includes navigations, which no Content-Security-Policy covers. */
export const onlyTo = (site: RoundsOptions['site']) => ({
  proxy: {
    server: 'http://127.0.0.1:1',
    bypass: [site.origin, ...site.pictureOrigins].map((origin) => origin.replace(/^https?:\/\//, '')).join(','),
  },
});

export const headersOf = ({ answers, document }: Round): Record<string, string> => ({
  ...(answers === 'slow' && { [DELAY_HEADER]: String(SLOW_MS) }),
  ...(document === 'rendered' && { [RENDERED_HEADER]: '1' }),
});

export function openRounds(browsers: readonly Browser[], { site, script, token = '' }: RoundsOptions) {
  const contexts = new Map<string, Promise<BrowserContext>>();

  async function open(browser: Browser, round: Round): Promise<BrowserContext> {
    const { visitor, language, width, theme } = round;
    const context = await browser.newContext({
      viewport: { width, height: HEIGHTS[width] },
      serviceWorkers: 'block',
      extraHTTPHeaders: headersOf(round),
      ...onlyTo(site),
    });
    // The server reads the cookie for the document; the page reads the storage.
    await context.addCookies([
      { name: 'language', value: language, url: site.origin },
      { name: 'theme', value: theme, url: site.origin },
    ]);
    const storage = { language, theme, ...(visitor === 'signed in' && { token }) };
    await context.addInitScript((items) => {
      // A page of the browser itself, such as the error page of an unreachable address, has no storage.
      if (!location.protocol.startsWith('http')) return;
      for (const [key, value] of Object.entries(items))
        if (!localStorage.getItem(key)) localStorage.setItem(key, value);
    }, storage);
    await context.addInitScript({ content: script });
    return context;
  }

  const contextOf = (index: number, round: Round) => {
    const key = `${index} ${JSON.stringify(round)}`;
    const context = contexts.get(key) ?? open(browsers[index] as Browser, round);
    contexts.set(key, context);
    return context;
  };

  return {
    async run<Visit extends { round: Round; clicks: boolean }>(
      visits: readonly Visit[],
      work: (context: BrowserContext, visit: Visit) => Promise<void>,
      { alone = false } = {},
    ): Promise<void> {
      const waiting = [...visits];
      const worker = async (index: number) => {
        for (let visit = waiting.shift(); visit; visit = waiting.shift()) {
          if (!visit.clicks) {
            await work(await contextOf(index, visit.round), visit);
            continue;
          }
          // Clicks may sign out or change settings, which other visits must not notice.
          const context = await open(browsers[index] as Browser, visit.round);
          await work(context, visit).finally(() => context.close());
        }
      };
      const workers = alone ? [0] : browsers.flatMap((_, index) => Array.from({ length: TABS }, () => index));
      await Promise.all(workers.map(worker));
    },
    async close(): Promise<void> {
      await Promise.all([...contexts.values()].map(async (context) => (await context).close()));
    },
  };
}
