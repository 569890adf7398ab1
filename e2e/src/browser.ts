import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

export const phone = { width: 390, height: 844 };
export const desktop = { width: 1280, height: 800 };

interface LaunchOptions {
  /** On, as in a shopper's browser; the driver switches it off. */
  backForwardCache?: boolean;
  /** Further switches of the browser. */
  more?: string[];
}

export async function launchBrowser(options: LaunchOptions = {}): Promise<Browser> {
  const executablePath = process.env.CHROME_PATH || '/usr/bin/chromium';
  return chromium.launch({
    executablePath,
    ...(options.backForwardCache ? { ignoreDefaultArgs: ['--disable-back-forward-cache'] } : {}),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      ...(options.more ?? []),
    ],
  });
}

export interface Tab {
  page: Page;
  context: BrowserContext;
  /** Script errors, console errors and policy violations so far; a journey ends by expecting none. */
  faults: string[];
}

export interface TabOptions {
  viewport?: { width: number; height: number };
  language?: 'zh-CN' | 'en';
  theme?: 'light' | 'dark';
  /** Off as a rule: most journeys look at what the network answers. */
  serviceWorker?: boolean;
}

/** A fresh visitor with a language (by the device's storage, as the shop keeps it). */
export async function openTab(browser: Browser, url: string, options: TabOptions = {}): Promise<Tab> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: options.viewport ?? phone,
    colorScheme: options.theme ?? 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
    serviceWorkers: options.serviceWorker ? 'allow' : 'block',
  });
  const { language } = options;
  if (language) {
    await context.addInitScript((chosen) => {
      if (!localStorage.getItem('language')) localStorage.setItem('language', chosen);
    }, language);
  }
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`script error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()} ${message.location().url}`);
  });
  return { page, context, faults };
}
