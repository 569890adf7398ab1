import { expect, type Page, type Response } from '@playwright/test';
import { noticeableShifts, recordLayoutShifts } from './audit';

export const demo = { phone: '13800000000', password: 'demo1234' };

export async function signIn(page: Page, { phone, password } = demo): Promise<string> {
  const data = { phone, password, login_type: 'password', verify: '' };
  const response = await page.context().request.post('/api/front/app/login', { data });
  const { token_type, access_token } = (await response.json()).data;
  return `${token_type} ${access_token}`;
}

/** Resolves to the document that this browser receives for an address, once its renderer has started. */
export async function personalDocument(page: Page, path: string): Promise<string> {
  let html = '';
  await expect(async () => {
    html = await (await page.context().request.get(path, { headers: { accept: 'text/html' } })).text();
    expect(html).toContain(' data-user="');
  }).toPass();
  return html;
}

export type Arrival = { arrived?: Element | null; title?: string };

const noteArrival = (page: Page) =>
  page.addInitScript(() => {
    document.addEventListener('readystatechange', () => {
      const page = window as Arrival;
      page.arrived ??= document.querySelector('#root > *');
      page.title ??= document.title;
    });
  });

/** Resolves when React has hydrated the document, to whether its server-rendered elements are still there. */
export async function hydrated(page: Page): Promise<boolean> {
  await page.waitForFunction(() =>
    Object.keys(document.getElementById('root') ?? {}).some((key) => key.startsWith('__reactContainer')),
  );
  return page.evaluate(
    () =>
      new Promise((resolve) => requestIdleCallback(() => resolve((window as Arrival).arrived?.isConnected === true))),
  );
}

function addressOf(address: string): string {
  const { pathname, searchParams } = new URL(address, 'http://shop');
  searchParams.sort();
  return `${pathname}?${searchParams}`;
}

const callsAnsweredIn = (html: string): string[] =>
  Object.keys(JSON.parse(/id="page-data">([^<]*)</.exec(html)?.[1] ?? '{}')).map(addressOf);

/** Pictures that were loaded twice, by the document's preload and again by the page. */
const wastefulPictures = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const loaded = performance
      .getEntriesByType('resource')
      .flatMap(({ name }) => (/\/media\/.+\.webp$/.test(name) ? [name] : []));
    return loaded.filter((name, at) => loaded.indexOf(name) !== at);
  });

/** A sound document has these facts, besides those that `about` reads from it. */
export const soundDocument = { kept: true, renamed: '', shifts: [], wasteful: [], again: [] };

/** Opens the pages one after the other. Resolves to how each arrived: compare it with `soundDocument`. */
export async function openEach<Fact>(
  page: Page,
  paths: readonly string[],
  about: (html: string, response: Response | null, path: string) => Fact | Promise<Fact>,
): Promise<Record<string, Fact & Record<keyof typeof soundDocument, unknown>>> {
  await noteArrival(page);
  await recordLayoutShifts(page);
  const calls: string[] = [];
  page.on('request', (request) => {
    // HEAD only asks for the server's time.
    if (request.url().includes('/api/front/') && request.method() !== 'HEAD') calls.push(addressOf(request.url()));
  });
  const seen: Record<string, Fact & Record<keyof typeof soundDocument, unknown>> = {};
  for (const path of paths) {
    calls.length = 0;
    const response = await page.goto(path);
    const html = (await response?.text()) ?? '';
    const answered = callsAnsweredIn(html);
    const kept = await hydrated(page);
    const [before, title] = await page.evaluate(() => [(window as Arrival).title, document.title]);
    seen[path] = {
      ...(await about(html, response, path)),
      kept,
      renamed: before === title ? '' : `${before} → ${title}`,
      shifts: await noticeableShifts(page),
      wasteful: await wastefulPictures(page),
      again: calls.filter((call, at) => answered.includes(call) || calls.indexOf(call) !== at),
    };
  }
  return seen;
}
