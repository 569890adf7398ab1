/**
 * The releases in the console, at /ops. Each act has its test in backoffice/console/src/releases/releases-page.test.tsx, and in
 * backoffice/api/src/ops/back-office.test.ts; here are the two together, and how the page looks.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { history, liveVersion, openStore, promote, type Store } from '@platform/releases';
import { publishSample } from '@platform/releases/testing';
import type { Page } from '@playwright/test';
import { codeNow, type StaffCredentials } from '@shop/backoffice/testing';
import { axeFaults } from './audit';
import { desktop, phone } from './browser';
import { root } from './shop';
import { expect, type OpenTab, test } from './test';

// In order and on a server of their own: the first one changes what is live.
test.describe.configure({ mode: 'default' });

/** The page asks who is signed in. */
const nobodyYet = /status of 400/;
const by = { by: 'ann' };
let dataDir: string;
let store: Store;
let url: string;
let staffUrl: string;
/** A code signs in once, so each test has a member of staff of its own. */
let staff: StaffCredentials[];
let one: string;
let two: string;
let server: ChildProcess | undefined;

test.beforeAll(async () => {
  dataDir = mkdtempSync(path.join(os.tmpdir(), 'shop-ops-'));
  store = openStore({ place: path.join(dataDir, 'releases') });
  one = await publishSample(store, { text: 'one' });
  await promote(store, { ...by, name: 'catalog' });
  two = await publishSample(store, { text: 'two' });
  await promote(store, { ...by, name: 'catalog', why: 'new covers' });
  await publishSample(store, { name: 'orders' });
  await promote(store, { ...by, name: 'orders' });
  await publishSample(store, { name: 'orders', text: 'two' });
  await promote(store, { ...by, name: 'orders', traffic: 25 });
  cpSync(process.env.E2E_TEMPLATE_DIR ?? '', dataDir, { recursive: true });
  server = spawn(process.execPath, ['--import', 'tsx', 'e2e/src/ops-server.ts', dataDir], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'exit').then(([code]) => Promise.reject(new Error(`the server ended with ${code}`)));
  const [printed] = await Promise.race([once(server.stdout as Readable, 'data'), ended]);
  ({ url, staffUrl, staff } = JSON.parse(String(printed)));
});
test.afterAll(async () => {
  if (server?.exitCode === null) {
    const ended = once(server, 'exit');
    server.kill();
    await ended;
  }
  rmSync(dataDir, { recursive: true, force: true });
});

const live = async () => liveVersion(await store.readMap('production'), 'catalog');

async function report(version: string, visits: number, failures: number): Promise<void> {
  const post = (call: string, body: object) =>
    fetch(`${url}/api/health/${call}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const { token: visitToken } = (await (await post('token', {})).json()) as { token: string };
  const kinds = [
    ...Array.from({ length: visits }, (_, at) => ({ kind: 'visit', at })),
    ...Array.from({ length: failures }, (_, at) => ({ kind: 'render', at })),
  ];
  const events = kinds.map(({ kind, at }) => {
    const visit = `${version.slice(-2)}${String(at).padStart(2, '0')}`.padStart(16, '0');
    return { name: 'catalog', version, page: './home', visit, kind };
  });
  expect((await post('report', { token: visitToken, events })).status).toBe(204);
}

async function enter(openTab: OpenTab, viewport = phone): Promise<Page> {
  const { page } = await openTab({ url: staffUrl, viewport, language: 'en', expectedErrors: nobodyYet });
  await page.addInitScript(() => localStorage.setItem('staff.language', 'en'));
  await page.goto('/ops');
  const { name = '', password = '', address = '' } = staff.shift() ?? {};
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Code').fill(codeNow(address));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(catalog(page)).toBeVisible();
  return page;
}
const catalog = (page: Page) => page.getByRole('article', { name: 'catalog' });
const expectStatus = (page: Page, text: string | RegExp) =>
  expect(page.getByRole('status').filter({ hasText: text })).toBeVisible();

test('shows what is live and its health, rolls back by one press, undoes it, and follows changes made elsewhere without a load', async ({
  openTab,
}) => {
  await report(two, 5, 1);
  const page = await enter(openTab);
  const card = catalog(page);
  await expect(card.getByText(/^since .*, by ann$/)).toBeVisible();
  await expect(card.getByText('20.0 % of 5 visits failed').first()).toBeVisible();
  await expect(page.getByText('new covers')).toBeVisible();

  await page.getByRole('button', { name: `Roll back to ${one}` }).click();
  await expectStatus(page, `catalog is back to ${one}`);
  expect(await live()).toBe(one);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expectStatus(page, `catalog@${two} is live for everyone`);
  expect(await live()).toBe(two);
  expect((await history(store)).slice(0, 2)).toMatchObject([
    { action: 'promote', by: 'Ann (ops)', why: 'undo at /ops' },
    { action: 'rollback', by: 'Ann (ops)', why: 'pressed at /ops' },
  ]);

  await page.evaluate(() => document.body.setAttribute('data-same-page', ''));
  const three = await publishSample(store, { text: 'three' });
  await promote(store, { ...by, name: 'catalog', why: 'from a terminal' });
  await expect(page.getByText('from a terminal').first()).toBeVisible();
  await expect(card.getByRole('region', { name: `live: catalog@${three}` })).toBeVisible();
  await expect(page.locator('[data-same-page]')).toHaveCount(1);
});

for (const [viewport, colorScheme] of [
  [phone, 'light'],
  [desktop, 'dark'],
] as const) {
  test(`has no accessibility fault and fits the window, ${colorScheme} at ${viewport.width} pixels`, async ({
    openTab,
  }) => {
    const found: string[] = [];
    const look = async (page: Page, where: string) => {
      await page.emulateMedia({ colorScheme });
      found.push(...(await axeFaults(page)).map((fault) => `${where}: ${fault}`));
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      if (wider > 0) found.push(`${where}: ${wider} px wider than the window`);
    };
    const { page: guest } = await openTab({ url: staffUrl, viewport, expectedErrors: nobodyYet });
    await guest.goto('/ops');
    await expect(guest.getByRole('heading', { name: 'Sign in to the staff console' })).toBeVisible();
    await look(guest, 'signed out');
    const page = await enter(openTab, viewport);
    await catalog(page).getByText('Another release, or a canary').click();
    await catalog(page)
      .getByRole('button', { name: /^Roll back/ })
      .click();
    await expectStatus(page, 'is back to');
    await look(page, 'with a notice');
    expect(found).toEqual([]);
  });
}
