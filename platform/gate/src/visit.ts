import { setTimeout as sleep } from 'node:timers/promises';
import type { RouteContract } from '@platform/releases';
import type { BrowserContext, Page, Request } from 'playwright-core';
import { headersOf } from './browsers';
import type { Fault } from './faults';
import { FAULT_HEADER, type GateDocument, type GateSite, READ_ONLY_HEADER } from './gate-site';
import type { ProbeReport } from './probe-report';
import { type ReleaseSource, succeeds } from './release-source';
import type { Round } from './rounds';
import type { Answers } from './run-flow';

/** Milliseconds with answers as they are. A page is ready when it shows neither a skeleton nor a busy element. */
const READY_MS = 5_000;
/** With slow answers, or a third of a processor, a page may take longer by this factor. */
const SLOW_FACTOR = 3;
/** Upper limit of the sum of unexpected layout shifts of a visit. */
const LAYOUT_SHIFT = 0.05;
/** Milliseconds for late errors after the page is ready. */
const SETTLE_MS = 250;
/** Milliseconds until a document or a window must load. */
const LOAD_MS = 30_000;
/** Milliseconds for a whole visit: a page whose script never ends must not block the gate. */
const VISIT_MS = 60_000;
/** The most controls of a page that the gate taps to see what they open. */
const MAX_OPENERS = 8;
/** Milliseconds for a control to accept a tap, and for a dialog to open or close. */
const OPEN_MS = 1_000;
/** The most buttons of a page that the gate clicks although they announce nothing. */
const MAX_BUTTONS = 12;
/** Milliseconds for a button that opens something without a request. A dialog that opens later is examined after the next click. */
const CLICK_MS = 300;
/** Milliseconds for all those buttons of a page together. */
const BUTTONS_MS = 10_000;
/** Milliseconds for a page that is ready but still invisible, for example because it fades in. */
const EMPTY_MS = 1_000;

export interface Visit {
  where: string;
  address: string;
  round: Round;
  audit: boolean;
  clicks: boolean;
  runSteps?: (page: Page, answers: Answers, examine: () => Promise<void>) => Promise<void>;
}

export interface VisitTimes {
  /** Milliseconds until a page must be ready. */
  readyMs?: number;
  /** Milliseconds until a visit must end. */
  visitMs?: number;
}

/** Faults that need no repetition: a busy machine does not cause them. */
const CERTAIN: ReadonlyArray<Fault['check']> = ['browser', 'sign-in', 'head', 'isolation'];

/** Any value for ':id' will do, because "not found" is a page too. */
export const addressOf = ({ path }: Pick<RouteContract, 'path'>) => path.replace(/:[^/]+\??/g, '1').replace(/\*$/, '');

const messageOf = (error: unknown) => (error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));

export async function visit(
  context: BrowserContext,
  site: Pick<GateSite, 'origin' | 'pictureOrigins'>,
  { where, address, round, audit, clicks, runSteps }: Visit,
  source: ReleaseSource,
  { readyMs = READY_MS, visitMs = VISIT_MS }: VisitTimes,
): Promise<{ faults: Fault[]; hangs: boolean }> {
  const faults: Fault[] = [];
  const add: Add = (check, what, more = CERTAIN.includes(check) ? {} : { depends: 'on time' }) =>
    faults.push({ check, where, what, ...more });
  const page = await context.newPage();
  page.on('pageerror', (error) => {
    const place = source.placeIn(error.stack ?? '');
    add('browser', `error: ${error.message.split('\n')[0]}${place && ` at ${place}`}`);
  });
  page.on('console', (message) => {
    // The browser itself logs an API call that fails; the API's answers are no fault of the page.
    const { url } = message.location();
    if (message.type() !== 'error' || /\/(api|uploads|media)\//.test(url)) return;
    const place = source.placeIn(`${url}:${message.location().lineNumber + 1}:${message.location().columnNumber + 1}`);
    add('browser', `console: ${message.text().split('\n')[0]}${place && ` at ${place}`}`);
  });
  const windows = watchOtherOrigins(context, page, site, add);
  const calls = callsInFlight(page);
  if (runSteps) await source.loadAxe(page);
  const answers = runSteps ? answersTo(page) : new Map<string, unknown>();
  const processor = await processorShare(context, page);
  const examinePage = async () => {
    const document = await page.goto(site.origin + address, { waitUntil: 'commit', timeout: LOAD_MS });
    const fault = document?.headers()[FAULT_HEADER];
    if (fault) {
      const { what, isCertain }: NonNullable<GateDocument['fault']> = JSON.parse(decodeURIComponent(fault));
      add('browser', `the server does not render it: ${what}`, isCertain ? {} : { depends: 'on time' });
    }
    const limit = readyMs * (round.answers === 'slow' ? SLOW_FACTOR : 1);
    const ready = await isReadyInTime(page, limit, processor);
    if (!ready) add('ready', `not ready after ${limit / 1000} s`);
    if (runSteps) {
      const examine = () => checkAccessibility(page, source, add, 'after a step');
      await runSteps(page, answers, examine).catch((error: unknown) => add('flows', messageOf(error)));
    } else await source.scroll(page);
    await calls.done(limit);
    await page.waitForTimeout(SETTLE_MS);
    if (await page.locator('.shell-page-failure').count()) add('browser', 'an error card');
    const emptiness = ready && (await source.emptiness(page, EMPTY_MS));
    if (emptiness) add('browser', `the page ${emptiness}`, { depends: 'on time' });
    const report = await source.probe(page);
    checkChanges(report, source, add);
    if (!runSteps) checkHead(report, (await document?.text()) ?? '', add);
    if (audit) await checkAccessibility(page, source, add);
    if (round.visitor === 'signed in' && !(await page.evaluate(() => localStorage.getItem('token')))) {
      add('sign-in', 'the visitor was signed out on this page');
    }
    await windows.allKnown();
    if (clicks && ready) {
      for (const fault of await source.covered(page)) add('presses', fault);
      // A click may lead to another site, as a link does.
      windows.stop();
      await context.setExtraHTTPHeaders({ ...headersOf(round), [READ_ONLY_HEADER]: '1' });
      await checkOpeners(page, source, add);
      await checkButtons(page, source, add);
    }
  };
  let hangs = false;
  try {
    const late = sleep(visitMs, 'late' as const, { ref: false });
    hangs = (await Promise.race([examinePage(), late])) === 'late';
    if (hangs) add('ready', `the visit did not end within ${visitMs / 1000} s: the main thread may be blocked`);
  } catch (error) {
    add('browser', messageOf(error));
  } finally {
    windows.stop();
    await page.close();
  }
  // A copy, because a visit that timed out still adds faults in the background.
  return { faults: [...faults], hangs };
}

type Add = (check: Fault['check'], what: string, more?: Partial<Fault>) => void;

async function checkAccessibility(page: Page, source: ReleaseSource, add: Add, when?: 'after a step'): Promise<void> {
  const faults = await source.audit(page, when).catch((error: unknown) => {
    // A step may load another document, which the next audit examines.
    if (when && /context was destroyed/.test(messageOf(error))) return [];
    throw error;
  });
  for (const fault of faults) add('accessibility', fault);
}

async function checkOpeners(page: Page, source: ReleaseSource, add: Add): Promise<void> {
  const from = page.url();
  for (const opener of (await source.openers(page)).slice(0, MAX_OPENERS)) {
    // An earlier tap may have removed the control, and a covered control is a fault that `covered` reports.
    if (!(await succeeds(opener.click({ timeout: OPEN_MS })))) continue;
    await source.hasDialog(page, true, OPEN_MS);
    await checkAccessibility(page, source, add, 'after a step');
    await page.keyboard.press('Escape');
    const isClosed = await source.hasDialog(page, false, OPEN_MS);
    if (!isClosed || page.url() !== from) return;
  }
}

async function checkButtons(page: Page, source: ReleaseSource, add: Add): Promise<void> {
  const from = page.url();
  const end = performance.now() + BUTTONS_MS;
  let buttons = await source.buttons(page);
  for (let index = 0; index < Math.min(buttons.length, MAX_BUTTONS) && performance.now() < end; index += 1) {
    await buttons[index]?.click({ timeout: OPEN_MS }).catch(() => {});
    const isLast = index === Math.min(buttons.length, MAX_BUTTONS) - 1;
    const isOpen = await source.hasDialog(page, true, isLast ? OPEN_MS : CLICK_MS);
    if (isOpen) {
      await checkAccessibility(page, source, add, 'after a step');
      await page.keyboard.press('Escape');
    }
    const isClosed = !isOpen || (await source.hasDialog(page, false, OPEN_MS));
    if (isClosed && new URL(page.url()).pathname === new URL(from).pathname) continue;
    await page.goto(from, { waitUntil: 'commit', timeout: LOAD_MS });
    if (!(await isReady(page, READY_MS))) return;
    buttons = await source.buttons(page);
  }
}

/**
 * Search engines run scripts, so a script that writes such a tag into the head removes the page from their index as the server's
 * own head would.
 */
function checkHead({ head, title }: Pick<ProbeReport, 'head' | 'title'>, sent: string, add: Add): void {
  for (const [what, pattern] of [
    ['robots', /<meta[^>]+name="(?:robots|googlebot|bingbot)"[^>]*>/gi],
    ['canonical', /<link[^>]+rel="canonical"[^>]*>/gi],
    ['base', /<base [^>]*>/gi],
    ['refresh', /<meta[^>]+http-equiv="refresh"[^>]*>/gi],
  ] as const) {
    const before = [...sent.matchAll(pattern)].map(
      ([element]) => /(?:content|href)="([^"]*)"/.exec(element)?.[1] ?? '',
    );
    if (before.join(', ') !== head[what])
      add('head', `${what} is "${head[what]}" after the scripts, "${before.join(', ')}" in the document`);
  }
  if (title.trim() === '') add('head', 'the page has no title after the scripts');
}

/** If the page gets only a part of a processor, the limit grows in proportion. */
async function isReadyInTime(page: Page, limit: number, processor: () => Promise<number>): Promise<boolean> {
  if (await isReady(page, limit)) return true;
  const more = limit * Math.min(SLOW_FACTOR, 1 / (await processor())) - limit;
  return more > 0 && isReady(page, more);
}

function answersTo(page: Page): Answers {
  const answers = new Map<string, unknown>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith('/api/')) return;
    response.json().then(
      (answer) => answers.set(pathname, answer),
      () => {},
    );
  });
  return answers;
}

/**
 * The share of their duration in which the page's tasks had a processor, 0 to 1. On a busy machine a task that waits for a
 * processor does not block the main thread of real users.
 */
async function processorShare(context: BrowserContext, page: Page): Promise<() => Promise<number>> {
  const taskTime = async (timeDomain: 'threadTicks' | 'timeTicks') => {
    const session = await context.newCDPSession(page);
    await session.send('Performance.enable', { timeDomain });
    return async () => {
      const { metrics } = await session.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0;
    };
  };
  const [onProcessor, inAll] = await Promise.all([taskTime('threadTicks'), taskTime('timeTicks')]);
  return async () => {
    const [busy, all] = await Promise.all([onProcessor(), inAll()]);
    return all > 0 ? Math.min(1, busy / all) : 1;
  };
}

/** The page's API calls in flight. Late errors can follow their answers. */
function callsInFlight(page: Page) {
  const inFlight = new Set<Request>();
  let onEmpty = () => {};
  const end = (request: Request) => {
    if (inFlight.delete(request) && inFlight.size === 0) onEmpty();
  };
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) inFlight.add(request);
  });
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return {
    async done(timeout: number): Promise<void> {
      if (inFlight.size === 0) return;
      const empty = new Promise<void>((resolve) => {
        onEmpty = resolve;
      });
      await Promise.race([empty, page.waitForTimeout(timeout).catch(() => {})]);
    },
  };
}

function isReady(page: Page, timeout: number): Promise<boolean> {
  const isRendered = () => {
    const root = document.querySelector('#root');
    return (
      root?.childElementCount &&
      !document.querySelector('#root > .boot, .shell-page-skeleton, [data-remote]:not([hidden]) [aria-busy="true"]')
    );
  };
  return succeeds(page.waitForFunction(isRendered, undefined, { timeout }));
}

const visited = new WeakSet<Page>();

/**
 * The Content-Security-Policy blocks requests of a page to other origins, but neither navigations nor windows. The first request
 * of a window comes before Playwright knows the window, so this listens to the whole context and skips pages of other visits.
 */
function watchOtherOrigins(
  context: BrowserContext,
  page: Page,
  site: Pick<GateSite, 'origin' | 'pictureOrigins'>,
  add: Add,
): { allKnown(): Promise<void>; stop(): void } {
  visited.add(page);
  let windows = 0;
  page.on('popup', () => (windows += 1));
  const onRequest = (request: Request) => {
    const requestingPage = pageOf(request);
    if (requestingPage && requestingPage !== page && visited.has(requestingPage)) return;
    const url = request.url();
    const isForeign = /^(https?|wss?):/.test(url) && new URL(url).origin !== site.origin;
    const isPicture = ['image', 'media'].includes(request.resourceType());
    if (!isForeign || (isPicture && site.pictureOrigins.includes(new URL(url).origin))) return;
    add('browser', `asks another origin (${request.resourceType()}): ${new URL(url).origin}`);
  };
  context.on('request', onRequest);
  return {
    // The browser knows a window as soon as the page has opened it; Playwright reports it only after the window's first request.
    async allKnown() {
      const session = await context.newCDPSession(page);
      const { targetInfo } = await session.send('Target.getTargetInfo');
      const { targetInfos } = await session.send('Target.getTargets');
      const opened = targetInfos.filter(({ openerId }) => openerId === targetInfo.targetId).length;
      while (windows < opened) await page.waitForEvent('popup', { timeout: LOAD_MS });
    },
    stop() {
      context.off('request', onRequest);
    },
  };
}

/** undefined for the first request of a window that Playwright does not know yet. */
function pageOf(request: Request): Page | undefined {
  try {
    return request.frame().page();
  } catch {
    return undefined;
  }
}

function checkChanges(report: ProbeReport, source: ReleaseSource, add: Add): void {
  const { score, moved } = report.layoutShift;
  if (score > LAYOUT_SHIFT) add('layout-shift', `content moved by ${score.toFixed(2)}: ${moved.join(', ')}`);
  for (const { directive, blocked, place } of report.violations) {
    add('browser', `policy: ${directive} ${blocked}${place ? ` at ${source.place(place)}` : ''}`);
  }
  for (const copy of report.copies) add('browser', `a second copy of ${copy}`);
  for (const hint of report.hints) add('browser', `names another origin: ${hint}`);
  for (const name of report.globals) add('isolation', `it sets the global ${name}`);
  for (const name of report.patched) add('isolation', `it changes ${name}`);
  for (const { key, place } of report.stored) {
    const at = place ? ` at ${source.place(place)}` : '';
    add('isolation', `it writes the storage key "${key}", which does not start with "${source.name}."${at}`);
  }
  for (const { url, selector, matches } of report.styles) {
    const file = url && ` in ${source.fileOf(url)}`;
    add('isolation', `its style rule "${selector}" reaches ${matches} outside its pages${file}`);
  }
}
