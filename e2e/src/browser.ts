import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';
import { findProgram } from '../../scripts/setup/programs.mjs';

export const phone = { width: 390, height: 844 };
export const desktop = { width: 1280, height: 800 };

export const browserFlags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export interface LaunchOptions {
  /** The full Chromium of shoppers instead of its headless shell, unless `CHROME_PATH` names a browser. */
  full?: boolean;
  /** On, as in a shopper's browser; Playwright turns it off, and the headless shell has none. */
  backForwardCache?: boolean;
  flags?: string[];
}

/** Returns the installed Chromium or its headless shell. Throws if there is none. */
export function chromiumPath({ full = false } = {}): string {
  const program = (full && !process.env.CHROME_PATH && findProgram('fullChromium')) || findProgram('chromium');
  if (!program) throw new Error('No Chromium was found: install it, or set CHROME_PATH to it.');
  return program;
}

export async function launchBrowser({ full, backForwardCache, flags = [] }: LaunchOptions = {}): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath({ full: full || backForwardCache }),
    ...(backForwardCache ? { ignoreDefaultArgs: ['--disable-back-forward-cache'] } : {}),
    args: [...browserFlags, ...flags],
  });
}

export interface Tab {
  page: Page;
  context: BrowserContext;
  errors: string[];
}

export interface TabOptions {
  viewport?: { width: number; height: number };
  language?: 'zh-CN' | 'en';
  /** The browser's language, from which the shop guesses its own. */
  locale?: string;
  theme?: 'light' | 'dark';
  reducedMotion?: 'reduce' | 'no-preference';
  /** Blocked by default: most tests observe or change the responses of the network. */
  serviceWorker?: boolean;
}

const inFlight = new WeakMap<Page, Set<Request>>();

/** Pending calls and release files of a tab made by `openTab`. Health reports do not count: they change nothing on screen. */
export const requestsInFlight = (page: Page): ReadonlySet<Request> => inFlight.get(page) ?? new Set();

function trackRequests(page: Page): void {
  const requests = new Set<Request>();
  inFlight.set(page, requests);
  page.on('request', (request) => {
    if (/\/(api\/(?!health\/)|r\/|releases\/)/.test(request.url())) requests.add(request);
  });
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
}

/** Opens a tab of a new visitor: storage, cookies and cache are empty except for the language. */
export async function openTab(browser: Browser, url: string, options: TabOptions = {}): Promise<Tab> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: options.viewport ?? phone,
    colorScheme: options.theme ?? 'light',
    reducedMotion: options.reducedMotion ?? 'no-preference',
    locale: options.locale,
    permissions: ['clipboard-read', 'clipboard-write'],
    serviceWorkers: options.serviceWorker ? 'allow' : 'block',
  });
  const { language } = options;
  if (language) {
    // The script in the head copies the language to a cookie for the next document.
    await context.addCookies([{ name: 'language', value: language, url }]);
    await context.addInitScript((chosen) => {
      if (!localStorage.getItem('language')) localStorage.setItem('language', chosen);
    }, language);
  }
  context.on('page', trackRequests);
  const page = await context.newPage();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(`script error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(`console: ${message.text()} ${message.location().url}`);
  });
  return { page, context, errors };
}
