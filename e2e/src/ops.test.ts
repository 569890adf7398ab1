/** The releases in the console, at /ops, on a phone and on a desktop: what is live and its health, canaries, rollback. */
import { randomBytes } from 'node:crypto';
import { cp, mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { history, liveVersion, openStore, promote, type Store } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import type { Page } from '@playwright/test';
import { backOfficeWithReleases } from '@shop/backoffice/releases';
import { buildApp } from '@shop/server/app';
import { openContext } from '@shop/server/start';
import { axeFaults } from './audit';
import { desktop, phone } from './browser';
import { test as base, expect, type OpenTab, type OpenTabOptions } from './test';

const token = 'a-token-for-tests';
/** The page asks who is signed in. */
const nobodyYet = /status of 400/;
const by = { by: 'ann' };
let store: Store;
let url: string;
let one: string;
let two: string;

/** One for all tests of a worker, on a copy of the seeded shop's: making and opening one takes seconds. Sample releases have no server build. */
let opened: ReturnType<typeof openContext> | undefined;
async function openCopy() {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'shop-ops-'));
  const template = process.env.E2E_TEMPLATE_DIR;
  if (template) await cp(template, dataDir, { recursive: true });
  return openContext({ dataDir, env: { SHOP_RENDER: 'off' }, seed: false });
}
async function openDatabase() {
  opened ??= openCopy();
  const context = await opened;
  await context.db.asOwner((sql) =>
    sql.script('truncate release_periods, release_minutes, release_votes, release_vitals'),
  );
  return context;
}

interface OpsFixtures {
  /** A server on a store of its own. */
  opsServer: undefined;
  /** Opens /ops in a new tab and signs in. */
  enter(options?: OpenTabOptions): Promise<Page>;
}

const test = base.extend<OpsFixtures>({
  opsServer: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern
    async ({}, use) => {
      store = openStore({ place: await mkdtemp(path.join(os.tmpdir(), 'shop-ops-')) });
      one = await publishSample(store, { text: 'one' });
      await promote(store, { ...by, name: 'catalog' });
      two = await publishSample(store, { text: 'two' });
      await promote(store, { ...by, name: 'catalog', why: 'new covers' });
      await publishSample(store, { name: 'orders' });
      await promote(store, { ...by, name: 'orders' });
      const context = await openDatabase();
      // The releases of this test have no pages that a browser could open.
      const browserGate = async () => ({ check: 'browser', run: async () => [] });
      const { plugins } = backOfficeWithReleases({ store, opsToken: token, watchEvery: 0, browserGate });
      const app = await buildApp({ ...context, plugins });
      url = await app.listen({ port: 0, host: '127.0.0.1' });
      await use(undefined);
      await app.close();
    },
    { auto: true },
  ],
  enter: async ({ openTab }, use) => use((options) => enter(openTab, options)),
});

// Playwright may end a worker's tests in several parts.
test.afterAll(async () => {
  const context = await opened;
  opened = undefined;
  await context?.db.close();
});

const live = async () => liveVersion(await store.readMap('production'), 'catalog');
const share = async (version: string) =>
  (await store.readMap('production')).microFrontends.catalog?.find(({ metadata }) => metadata.version === version)
    ?.deployment.traffic;

async function report(version: string, visits: number, failures: number): Promise<void> {
  const vitals = [
    ['LCP', 1800],
    ['INP', 320],
    ['CLS', 0.31],
  ].map(([metric, value]) => ({ kind: 'vital', metric, value, at: 0 }));
  const kinds = [
    ...Array.from({ length: visits }, (_, at) => ({ kind: 'visit', at })),
    ...Array.from({ length: failures }, (_, at) => ({ kind: 'render', at })),
    ...vitals,
  ];
  const visit = randomBytes(7).toString('hex');
  const events = kinds.map(({ at, ...event }) => ({
    ...{ name: 'catalog', version, page: './home', visit: `${visit}${String(at).padStart(2, '0')}` },
    ...event,
  }));
  const post = (call: string, body: object) =>
    fetch(`${url}/api/health/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const { token: visitToken } = (await (await post('token', {})).json()) as { token: string };
  const answer = await post('report', { token: visitToken, events });
  expect(answer.status).toBe(204);
}

async function enter(openTab: OpenTab, options: OpenTabOptions = {}): Promise<Page> {
  const { page } = await openTab({ url, viewport: phone, expectedErrors: nobodyYet, ...options });
  await page.goto('/ops');
  await signIn(page);
  return page;
}
/** With the token, as it is done when nothing else lets anybody in. */
async function signIn(page: Page): Promise<void> {
  const form = page.getByRole('group').filter({ hasText: 'With the emergency token' });
  await form.getByText('With the emergency token').click();
  await form.getByLabel('Your name, for the history').fill('Ann');
  await form.getByLabel('Token').fill(token);
  await form.getByRole('button', { name: 'Sign in' }).click();
  await expect(catalog(page)).toBeVisible();
}
const catalog = (page: Page) => page.getByRole('article', { name: 'catalog' });
const expectStatus = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible();

test('shows what is live, since when, by whom and its health, and follows changes made elsewhere without a load', async ({
  enter,
}) => {
  await report(two, 5, 1);
  const page = await enter();
  const card = catalog(page);
  await expect(card.getByText(/^since .*, by ann$/)).toBeVisible();
  await expect(card.getByText('20.0 % of 5 visits failed').first()).toBeVisible();
  await expect(card.getByRole('img', { name: /share of failures a minute/ }).first()).toBeVisible();
  // As near as the steps in which they are counted.
  for (const vital of ['LCP 1.8 s, good', /^INP 3[12]\d ms, fair$/, /^CLS 0\.3[0-2], poor$/])
    await expect(card.getByRole('img', { name: vital })).toBeVisible();
  await expect(page.getByText('new covers')).toBeVisible();

  await page.evaluate(() => document.body.setAttribute('data-same-page', ''));
  const three = await publishSample(store, { text: 'three' });
  await promote(store, { ...by, name: 'catalog', why: 'from a terminal' });
  await expect(page.getByText('from a terminal')).toBeVisible();
  await expect(card.getByRole('region', { name: `live: catalog@${three}` })).toBeVisible();
  await expect(page.locator('[data-same-page]')).toHaveCount(1);
});

test('rolls back by one press, undoes it, and rolls back by keyboard', async ({ enter }) => {
  const page = await enter();
  await page.getByRole('button', { name: `Roll back to ${one}` }).click();
  await expectStatus(page, `catalog is back at ${one}`);
  expect(await live()).toBe(one);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectStatus(page, `catalog@${two} is live for everybody`);
  expect(await live()).toBe(two);
  expect((await history(store)).slice(0, 2)).toMatchObject([
    { action: 'promote', by: 'Ann (ops, break-glass)', why: 'undo at /ops' },
    { action: 'rollback', by: 'Ann (ops, break-glass)', why: 'pressed at /ops' },
  ]);

  await page.getByRole('link', { name: 'Releases' }).focus();
  const back = page.getByRole('button', { name: `Roll back to ${one}` });
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press('Tab');
    if (await back.evaluate((button) => button === document.activeElement)) break;
  }
  await page.keyboard.press('Enter');
  await expectStatus(page, `catalog is back at ${one}`);
  expect(await live()).toBe(one);
});

test('starts a canary, raises it, undoes that, abandons it, and finishes another', async ({ enter }) => {
  const three = await publishSample(store, { text: 'three' });
  const page = await enter({ viewport: desktop });
  const card = catalog(page);
  const start = async () => {
    await card.getByText('Another release, or a canary').click();
    await card.getByRole('combobox', { name: 'Published releases of catalog' }).selectOption(three);
    await card.getByRole('combobox', { name: 'Share of the visitors for catalog' }).selectOption('10');
    await card.getByRole('button', { name: 'Promote', exact: true }).click();
    await expectStatus(page, `catalog@${three} has 10 % of the visitors`);
  };
  await start();
  expect(await share(three)).toBe(10);

  await card.getByRole('button', { name: 'Give the canary of catalog 50 % of the visitors' }).click();
  await expectStatus(page, `catalog@${three} has 50 % of the visitors`);
  expect(await share(three)).toBe(50);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectStatus(page, `catalog@${three} has 10 % of the visitors`);
  expect(await share(three)).toBe(10);

  await card.getByRole('button', { name: 'Abandon it' }).click();
  await expectStatus(page, `the canary catalog@${three} is gone`);
  expect([await live(), await share(three)]).toEqual([two, undefined]);

  // The section is still open: the first press closes it.
  await card.getByText('Another release, or a canary').click();
  await start();
  await card.getByRole('button', { name: 'Finish for everybody' }).click();
  await expectStatus(page, `catalog@${three} is live for everybody`);
  expect(await live()).toBe(three);
});

test('restores the map of a revision, and undoes that', async ({ enter }) => {
  const page = await enter({ viewport: desktop });
  await page.getByRole('button', { name: 'Put the whole map back to revision 1' }).click();
  await expectStatus(page, 'everything is as it was at revision 1');
  expect(Object.keys((await store.readMap('production')).microFrontends)).toEqual(['catalog']);
  expect(await live()).toBe(one);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectStatus(page, 'everything is as it was at revision 3');
  expect(await live()).toBe(two);
});

test('says when an action is refused and when the server does not answer', async ({ enter }) => {
  const page = await enter({ expectedErrors: /40[09]|ERR_FAILED/ });
  await promote(store, { ...by, name: 'catalog', version: one });
  const error = { kind: 'frozen', message: 'frozen by ben' };
  await page.route('**/releases/rollback', (route) => route.fulfill({ status: 409, json: { error } }));
  await catalog(page)
    .getByRole('button', { name: /^Roll back/ })
    .click();
  await expectStatus(page, 'frozen by ben');
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await page.route('**/releases/state', (route) => route.abort());
  await expect(page.getByRole('alert').filter({ hasText: 'The server does not answer' })).toBeVisible();
});

for (const viewport of [phone, desktop]) {
  test(`has no accessibility fault and fits the window, light and dark at ${viewport.width} pixels`, async ({
    enter,
    openTab,
  }) => {
    await report(two, 14, 3);
    await report(one, 17, 0);
    await publishSample(store, { name: 'orders', text: 'two' });
    await promote(store, { ...by, name: 'orders', traffic: 25 });
    const found: string[] = [];
    const look = async (page: Page, where: string) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        found.push(...(await axeFaults(page)).map((fault) => `${where}, ${colorScheme}: ${fault}`));
      }
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (wider > 0) found.push(`${where}: ${wider} px wider than the window`);
    };
    const { page: guest } = await openTab({ url, viewport, expectedErrors: nobodyYet });
    await guest.goto('/ops');
    await guest.getByText('With the emergency token').click();
    await look(guest, 'signed out');
    const page = await enter({ viewport });
    await catalog(page).getByText('Another release, or a canary').click();
    await look(page, 'signed in');
    await catalog(page)
      .getByRole('button', { name: /^Roll back/ })
      .click();
    await expectStatus(page, 'is back at');
    await look(page, 'with a notice');
    expect(found).toEqual([]);
  });
}
