/** The panel for overrides: a squad has a release of its own in one tab, and shoppers cannot get there. */
import { readFileSync } from 'node:fs';
import { openStore, promote, type ReleaseManifest, type Store } from '@platform/releases';
import { publishVariant } from '@platform/releases/testing/release-variant';
import type { Page } from '@playwright/test';
import { axeFaults } from './audit';
import { desktop } from './browser';
import { loadsFinished } from './navigation';
import type { Shop } from './shop';
import { expect, liveManifests, startOwnShop, test } from './test';

// In order and on a shop of their own: the last test changes what is live.
test.describe.configure({ mode: 'default' });

let shop: Shop;
let store: Store;
let live: ReleaseManifest;
let next: ReleaseManifest;
let key: string;

test.beforeAll(async () => {
  shop = await startOwnShop();
  store = openStore({ dataDir: shop.dataDir });
  const { catalog } = await liveManifests(store);
  const goLive = ({ version }: ReleaseManifest) =>
    promote(store, { name: 'catalog', version, by: 'a squad', skip: ['own-pages', 'browser'], why: 'a test' });
  live = await publishVariant(store, catalog as ReleaseManifest, 'sound', 'live');
  await goLive(live);
  next = await publishVariant(store, catalog as ReleaseManifest, 'sound', 'next');
  const grant = ['--role', 'squad', '--remotes', 'catalog', '--channels', 'production'];
  ({ key } = (await shop.release(['keys', 'make', '--name', 'catalog', ...grant])) as { key: string });
});
test.afterAll(() => shop?.stop());

const expectServedBy = (page: Page, { version }: ReleaseManifest) =>
  expect(page.locator('html')).toHaveAttribute('data-catalog', version);

const en = { dialog: 'Releases in this tab', launch: 'Releases', key: 'Release key', open: 'Open the panel' };
const zh = { dialog: '此标签页的版本', launch: '版本面板', key: '发布密钥', open: '打开面板' };
const panelOf = (page: Page, texts = en) => page.getByRole('dialog', { name: texts.dialog });

async function showKey(page: Page, texts = en): Promise<void> {
  await page.goto('/overrides');
  await page.getByLabel(texts.key).fill(key);
  await page.getByRole('button', { name: texts.open }).click();
  await expect(panelOf(page, texts)).toBeVisible();
}

interface Trace {
  page: string;
  releases: Array<{ name: string; version: string; origin: string }>;
  steps: Array<{ step: string; name?: string; version?: string; at: number; took?: number; reason?: string }>;
}

async function savedTrace(page: Page): Promise<Trace> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save as JSON' }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toBe('loading-trace.json');
  return JSON.parse(readFileSync(await saved.path(), 'utf8')) as Trace;
}

/** Buttons, fields and selects of the panel that are too small to press. */
const smallTargets = (page: Page) =>
  page
    .locator('#overrides')
    .evaluate(
      (host) =>
        [...(host.shadowRoot?.querySelectorAll('button, input, select') ?? [])]
          .map((one) => one.getBoundingClientRect())
          .filter(({ width, height }) => width < 44 || height < 44).length,
    );

test('a squad has its release in one tab, sees that it is on and how it was loaded, and leaves it', async ({
  openTab,
}) => {
  const { page, context } = await openTab({ url: shop.url, language: 'en', viewport: desktop });
  await showKey(page);
  const panel = panelOf(page);
  const catalog = panel.getByRole('region', { name: 'catalog' });
  const shell = panel.getByRole('region', { name: 'shell' });
  await expect(catalog).toContainText(live.version);
  await expect(catalog).toContainText(/\d+ kB uncompressed/);
  await expect(catalog.getByText('live', { exact: true })).toBeVisible();
  await expect(shell).toContainText(/kB/);
  await expect(shell.getByRole('combobox')).toHaveCount(0);

  await catalog.getByRole('combobox').selectOption(next.version);
  await catalog.getByRole('button', { name: 'Show in this tab' }).click();
  await expectServedBy(page, next);
  await expect(page.getByRole('status').filter({ hasText: `catalog@${next.version}` })).toBeVisible();
  // After a load too, and in this tab only.
  await page.goto('/goods');
  await expectServedBy(page, next);
  const other = await context.newPage();
  await other.goto('/home');
  await expectServedBy(other, live);
  await other.close();

  await loadsFinished(page);
  await page.keyboard.press('Alt+Shift+KeyO');
  await expect(catalog.getByText('this tab only', { exact: true })).toBeVisible();
  const { releases, steps } = await savedTrace(page);
  expect(releases).toContainEqual(
    expect.objectContaining({ name: 'catalog', version: next.version, origin: 'preview' }),
  );
  const ofCatalog = steps.filter(({ name }) => name === 'catalog');
  // Other pages' chunks may be fetched ahead after it.
  const toShow = ofCatalog.slice(0, ofCatalog.findIndex(({ step }) => step === 'shown') + 1);
  expect(steps[0]).toMatchObject({ step: 'map', at: 0 });
  expect(toShow).toContainEqual(expect.objectContaining({ step: 'entry', version: next.version }));
  expect(toShow).toContainEqual(expect.objectContaining({ step: 'chunk', version: next.version }));
  expect(toShow.at(-1)).toMatchObject({ step: 'shown', version: next.version });

  await panel.getByRole('button', { name: 'Back to the live release' }).click();
  await expectServedBy(page, live);
  await expect(page.getByText(`catalog@${next.version}`)).toHaveCount(0);
  await page.getByRole('button', { name: en.launch, exact: true }).click();
  await panel.getByRole('button', { name: 'Turn the panel off' }).click();
  await expectServedBy(page, live);
  await expect(page.locator('#overrides')).toHaveCount(0);
});

test('the panel is worked by keys, in both languages and themes, on a phone', async ({ openTab }) => {
  const { page } = await openTab({ url: shop.url, language: 'zh-CN', theme: 'dark' });
  await showKey(page, zh);
  const panel = panelOf(page, zh);
  await expect(panel.getByRole('region', { name: 'catalog' })).toContainText(live.version);
  expect(await axeFaults(page)).toEqual([]);
  expect(await smallTargets(page)).toBe(0);
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
  await page.getByLabel('地址').fill('https://evil.example');
  await page.keyboard.press('Enter');
  await expect(panel.getByRole('alert')).toContainText('请填写本机或局域网地址');
  await page.keyboard.press('Escape');
  await expect(panel).toBeHidden();
  await expect(page.getByRole('button', { name: zh.launch })).toBeVisible();
});

test('a shopper has no panel, whatever address, stored value or form of another site they are given', async ({
  openTab,
}) => {
  const { page, context } = await openTab({ url: shop.url, expectedErrors: /404|403/ });
  const asked: string[] = [];
  context.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/overrides/')) asked.push(request.url());
  });
  const expectNone = async () => {
    await expectServedBy(page, live);
    await page.keyboard.press('Alt+Shift+KeyO');
    await expect(page.locator('#overrides')).toHaveCount(0);
    await expect(page.getByRole('dialog')).toHaveCount(0);
  };
  await page.goto('/home#overrides');
  await expectNone();
  await page.evaluate(() => {
    for (const storage of [localStorage, sessionStorage]) storage.setItem('overrides', 'on');
  });
  await context.addCookies([{ name: 'overrides', value: 'on', url: shop.url }]);
  await page.goto('/home?overrides=on');
  await expectNone();
  // A version that was live once has a known address; this one was never.
  await page.goto('/home?release=catalog@9.9.9-aaaaaaaa');
  await expectNone();
  expect(asked).toEqual([]);

  await test.step('another site sends the form with a key that is good', async () => {
    const elsewhere = await context.newPage();
    await elsewhere.goto('about:blank');
    await elsewhere.setContent(
      `<form method="post" action="${shop.url}/overrides"><input name="key" value="${key}"><button>win</button></form>`,
    );
    const answer = elsewhere.waitForResponse(`${shop.url}/overrides`);
    await elsewhere.getByRole('button').click();
    expect((await answer).status()).toBe(403);
    await elsewhere.close();
    await page.goto('/home');
    await expectNone();
  });
  expect(await page.evaluate(async () => (await fetch('/overrides/panel.js')).status)).toBe(404);
  expect(await page.evaluate(async () => (await fetch('/overrides/state')).status)).toBe(404);
});

// Last: what is live fails from now on.
test('the trace says which release failed, why, and which one stood in', async ({ openTab }) => {
  const bad = await publishVariant(store, live, 'entry throws');
  await promote(store, {
    name: 'catalog',
    version: bad.version,
    by: 'a squad',
    skip: ['own-pages', 'browser'],
    why: 'a test',
  });
  const { page } = await openTab({ url: shop.url, language: 'en', expectedErrors: /./ });
  await showKey(page);
  await page.keyboard.press('Escape');
  await expectServedBy(page, live);
  await loadsFinished(page);
  await page.getByRole('button', { name: en.launch, exact: true }).click();
  await expect(panelOf(page).getByText('fallback', { exact: true }).first()).toBeVisible();
  const { steps } = await savedTrace(page);
  const failed = steps.find(({ step }) => step === 'failed');
  expect(failed).toMatchObject({ name: 'catalog', version: bad.version, reason: expect.stringMatching(/\w+/) });
  expect(steps).toContainEqual(
    expect.objectContaining({ step: 'fallback', version: live.version, reason: failed?.reason }),
  );
});
