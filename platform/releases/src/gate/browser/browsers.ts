/** Two browsers, so that the visits spread over two processor cores, each with one context for each kind of round. */
import type { Browser, BrowserContext } from 'playwright-core';
import { DELAY_HEADER } from './gate-site';
import type { Round } from './rounds';

const BROWSERS = 2;
/** Visits at the same time in one browser: while one waits for answers, the other works. */
const TABS = 2;
/** Milliseconds that each answer of the API takes with slow answers. */
const SLOW_MS = 800;
const HEIGHTS = { 390: 844, 1280: 800 } as const;

export interface Rounds {
  /** Runs the tasks, each with a context of its round. `alone`: one after another. */
  run<Task extends { round: Round }>(
    tasks: readonly Task[],
    work: (context: BrowserContext, task: Task) => Promise<void>,
    options?: { alone?: boolean },
  ): Promise<void>;
  close(): Promise<void>;
}

export interface RoundsOptions {
  /** Runs in each page first. */
  script: string;
  /** For the rounds that are signed in. */
  token: () => string | null;
}

/** Close each of them. */
export async function launchBrowsers(executablePath: string): Promise<Browser[]> {
  return Promise.all(Array.from({ length: BROWSERS }, () => launchBrowser(executablePath)));
}

export function launchBrowser(executablePath: string): Promise<Browser> {
  const { chromium } = require('playwright-core') as typeof import('playwright-core');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'] });
}

export function openRounds(browsers: readonly Browser[], { script, token }: RoundsOptions): Rounds {
  const contexts = new Map<string, Promise<BrowserContext>>();

  async function open(browser: Browser, { visitor, language, width, answers }: Round): Promise<BrowserContext> {
    const context = await browser.newContext({
      viewport: { width, height: HEIGHTS[width] },
      serviceWorkers: 'block',
      extraHTTPHeaders: answers === 'slow' ? { [DELAY_HEADER]: String(SLOW_MS) } : {},
    });
    const storage = { language, ...(visitor === 'signed in' && { token: token() ?? '' }) };
    await context.addInitScript((items) => {
      for (const [key, value] of Object.entries(items))
        if (!localStorage.getItem(key)) localStorage.setItem(key, value);
    }, storage);
    await context.addInitScript({ content: script });
    return context;
  }

  const contextOf = (index: number, round: Round) => {
    const key = `${index} ${JSON.stringify(round)}`;
    const known = contexts.get(key) ?? open(browsers[index] as Browser, round);
    contexts.set(key, known);
    return known;
  };

  return {
    async run(tasks, work, { alone = false } = {}) {
      const waiting = [...tasks];
      const worker = async (index: number) => {
        for (let task = waiting.shift(); task; task = waiting.shift()) {
          await work(await contextOf(index, task.round), task);
        }
      };
      const workers = alone ? [0] : browsers.flatMap((_, index) => Array.from({ length: TABS }, () => index));
      await Promise.all(workers.map(worker));
    },
    async close() {
      await Promise.all([...contexts.values()].map(async (context) => (await context).close()));
    },
  };
}
