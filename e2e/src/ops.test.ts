/** Ops at /ops, on a phone and at a desk: what is live and how it fares, canaries, and one press to go back. */
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { history, liveVersion, openStore, promote, type Store } from '@shop/release';
import { publishSample } from '@shop/release/testing';
import { releasePlugins } from '@shop/server/releases';
import fastify, { type FastifyInstance } from 'fastify';
import type { Browser, Page } from 'playwright-core';
import { desktop, launchBrowser, openTab, phone } from './browser';

// The pages need the store only: neither API nor database runs here, as on the worst night.
jest.setTimeout(120_000);
const token = 'a-token-for-tests';
const by = { by: 'ann' };
let browser: Browser;
let app: FastifyInstance;
let store: Store;
let url: string;
let one: string;
let two: string;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());
beforeEach(async () => {
  store = openStore({ place: await mkdtemp(path.join(os.tmpdir(), 'shop-ops-')) });
  one = await publishSample(store, { text: 'one' });
  await promote(store, { ...by, name: 'catalog' });
  two = await publishSample(store, { text: 'two' });
  await promote(store, { ...by, name: 'catalog', why: 'new covers' });
  await publishSample(store, { name: 'orders' });
  await promote(store, { ...by, name: 'orders' });
  app = fastify();
  for (const plugin of releasePlugins({ store, opsToken: token, watchEvery: 0 }).plugins) await app.register(plugin);
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterEach(() => app.close());

const live = async () => liveVersion(await store.readMap('production'), 'catalog');
const share = async (version: string) =>
  (await store.readMap('production')).microFrontends.catalog?.find(({ metadata }) => metadata.version === version)
    ?.deployment.traffic;

async function report(version: string, visits: number, failures: number): Promise<void> {
  const vitals = [
    ['LCP', 1800],
    ['INP', 320],
    ['CLS', 0.31],
  ].map(([metric, value]) => ({ name: 'catalog', version, kind: 'vital', metric, value }));
  const events = [
    ...Array.from({ length: visits }, () => ({ name: 'catalog', version, kind: 'visit', page: './home' })),
    ...Array.from({ length: failures }, () => ({ name: 'catalog', version, kind: 'render', page: './home' })),
    ...vitals,
  ];
  const answer = await fetch(`${url}/api/health/report`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ events }),
  });
  expect(answer.status).toBe(204);
}

async function enter(options: Parameters<typeof openTab>[2] = {}) {
  const tab = await openTab(browser, url, { viewport: phone, ...options });
  await tab.page.goto('/ops');
  await tab.page.getByRole('textbox', { name: 'Your name, for the history' }).fill('Ann');
  await tab.page.getByLabel('Token').fill(token);
  await tab.page.getByRole('button', { name: 'Sign in' }).click();
  await catalog(tab.page).waitFor();
  return tab;
}
const catalog = (page: Page) => page.getByRole('article', { name: 'catalog' });
const said = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).waitFor();

it('shows what is live, since when, by whom and how it fares, and follows the terminal without a reload', async () => {
  await report(two, 14, 2);
  const { page, faults } = await enter();
  const card = catalog(page);
  await card.getByText(/^since .*, by ann$/).waitFor();
  await card.getByText('14.3 % of 14 visits failed').waitFor();
  await card
    .getByRole('img', { name: /share of failures a minute/ })
    .first()
    .waitFor();
  for (const vital of ['LCP 1.8 s, good', 'INP 320 ms, fair', 'CLS 0.31, poor'])
    await card.getByRole('img', { name: vital }).waitFor();
  await page.getByRole('cell', { name: 'new covers' }).waitFor();

  await page.evaluate(() => document.body.setAttribute('data-same-page', ''));
  const three = await publishSample(store, { text: 'three' });
  await promote(store, { ...by, name: 'catalog', why: 'from a terminal' });
  await page.getByRole('cell', { name: 'from a terminal' }).waitFor();
  await card.getByRole('region', { name: `live: catalog@${three}` }).waitFor();
  expect(await page.locator('[data-same-page]').count()).toBe(1);
  expect(faults).toEqual([]);
});

it('rolls back with one press, undoes it, and rolls back by keyboard alone', async () => {
  const { page, faults } = await enter();
  await page.getByRole('button', { name: `Roll back to ${one}` }).click();
  await said(page, `catalog is back at ${one}`);
  expect(await live()).toBe(one);
  await page.getByRole('button', { name: 'Undo' }).click();
  await said(page, `catalog@${two} is live for everybody`);
  expect(await live()).toBe(two);
  expect((await history(store)).slice(0, 2)).toMatchObject([
    { action: 'promote', by: 'Ann (ops)', why: 'undo at /ops' },
    { action: 'rollback', by: 'Ann (ops)', why: 'pressed at /ops' },
  ]);

  await page.getByRole('button', { name: 'Sign out' }).focus();
  const back = page.getByRole('button', { name: `Roll back to ${one}` });
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press('Tab');
    if (await back.evaluate((button) => button === document.activeElement)) break;
  }
  await page.keyboard.press('Enter');
  await said(page, `catalog is back at ${one}`);
  expect(await live()).toBe(one);
  expect(faults).toEqual([]);
});

it('starts a canary, raises it, undoes that, abandons it, and finishes another', async () => {
  const three = await publishSample(store, { text: 'three' });
  const { page, faults } = await enter({ viewport: desktop });
  const card = catalog(page);
  const start = async () => {
    await card.getByText('Another release, or a canary').click();
    await card.getByRole('combobox', { name: 'Published releases of catalog' }).selectOption(three);
    await card.getByRole('combobox', { name: 'Share of the visitors for catalog' }).selectOption('10');
    await card.getByRole('button', { name: 'Give it to them' }).click();
    await said(page, `catalog@${three} has 10 % of the visitors`);
  };
  await start();
  expect(await share(three)).toBe(10);

  await card.getByRole('button', { name: 'Give the canary of catalog 50 % of the visitors' }).click();
  await said(page, `catalog@${three} has 50 % of the visitors`);
  expect(await share(three)).toBe(50);
  await page.getByRole('button', { name: 'Undo' }).click();
  await said(page, `catalog@${three} has 10 % of the visitors`);
  expect(await share(three)).toBe(10);

  await card.getByRole('button', { name: 'Abandon it' }).click();
  await said(page, `the canary catalog@${three} is gone`);
  expect([await live(), await share(three)]).toEqual([two, undefined]);

  // The part is still open, as it was left.
  await card.getByText('Another release, or a canary').click();
  await start();
  await card.getByRole('button', { name: 'Finish for everybody' }).click();
  await said(page, `catalog@${three} is live for everybody`);
  expect(await live()).toBe(three);
  expect(faults).toEqual([]);
});

it('puts the whole map back to a revision, and undoes that', async () => {
  const { page } = await enter({ viewport: desktop });
  await page.getByRole('button', { name: 'Put the whole map back to revision 1' }).click();
  await said(page, 'everything is as it was at revision 1');
  expect(Object.keys((await store.readMap('production')).microFrontends)).toEqual(['catalog']);
  expect(await live()).toBe(one);
  await page.getByRole('button', { name: 'Undo' }).click();
  await said(page, 'everything is as it was at revision 3');
  expect(await live()).toBe(two);
});

it('says it when the server does not answer, and when an action is refused', async () => {
  const { page } = await enter();
  await promote(store, { ...by, name: 'catalog', version: one });
  await page.route('**/ops/act', (route) => route.fulfill({ status: 409, json: { message: 'frozen by ben' } }));
  await catalog(page)
    .getByRole('button', { name: /^Roll back/ })
    .click();
  await said(page, 'frozen by ben');
  expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
  await page.route('**/ops/state.json', (route) => route.abort());
  await page.getByRole('alert').filter({ hasText: 'The server does not answer' }).waitFor();
});

it.each([
  ['light', phone],
  ['dark', phone],
  ['light', desktop],
  ['dark', desktop],
] as const)('has nothing that axe finds, and nothing wider than the window, in %s at %o', async (theme, viewport) => {
  await report(two, 14, 3);
  await report(one, 17, 0);
  await publishSample(store, { name: 'orders', text: 'two' });
  await promote(store, { ...by, name: 'orders', traffic: 25 });
  const found: string[] = [];
  const look = async (page: Page, where: string) => {
    const { violations } = await new AxeBuilder({ page }).analyze();
    for (const { id, nodes } of violations) found.push(`${where}: ${id} ${nodes[0]?.target.join(' ')}`);
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (wider > 0) found.push(`${where}: ${wider} px wider than the window`);
  };
  const guest = await openTab(browser, url, { viewport, theme });
  await guest.page.goto('/ops?wrong');
  await look(guest.page, 'signed out');
  const { page, faults } = await enter({ viewport, theme });
  await catalog(page).getByText('Another release, or a canary').click();
  await look(page, 'signed in');
  await catalog(page)
    .getByRole('button', { name: /^Roll back/ })
    .click();
  await said(page, 'is back at');
  await look(page, 'with a notice');
  if (process.env.SHOTS)
    await page.screenshot({ path: path.join(process.env.SHOTS, `ops-${theme}-${viewport.width}.png`), fullPage: true });
  expect(found).toEqual([]);
  expect(faults).toEqual([]);
});
