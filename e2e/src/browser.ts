import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';

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

const underWay = new WeakMap<Page, Set<string>>();

/**
 * Waits until nothing has been asked for in half a second. When that never comes, the error names what was not answered; but a picture that has
 * left the page while a journey held it back counts for nothing: its request has no end that a driver could tell of.
 */
export async function networkIdle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle').catch(async (error: Error) => {
    const isPicture = (request: string) => request.includes('/media/');
    const open = [...(underWay.get(page) ?? [])];
    const drawing = await page.evaluate(() => Array.from(document.images).filter((image) => !image.complete).length);
    if (open.length > 0 && open.every(isPicture) && drawing === 0) return;
    throw new Error(
      `${page.url()}: ${error.message}\nnot answered: ${open.join(', ') || 'nothing'}; pictures not complete: ${drawing}`,
    );
  });
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
  const requests = new Map<Request, string>();
  const waiting = new Set<string>();
  underWay.set(page, waiting);
  page.on('request', (request) => {
    const name = `${request.method()} ${request.url()} since ${new Date().toISOString()}`;
    requests.set(request, name);
    waiting.add(name);
  });
  const isAnswered = (request: Request) => {
    waiting.delete(requests.get(request) ?? '');
    requests.delete(request);
  };
  page.on('requestfinished', isAnswered);
  page.on('requestfailed', isAnswered);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`script error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()} ${message.location().url}`);
  });
  return { page, context, faults };
}
