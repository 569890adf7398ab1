/** A release of the shell itself that does not start: the visitor gets the shell before it, and it is reported. */
import { liveVersion, openStore, previewInMap, type ReleaseManifest, type Store } from '@shop/release';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openTab } from './browser';
import { type Shop, startShop } from './shop';
import { type Fault, openStage, type Stage } from './stage';
import { type Change, publishVariant } from './variant';

const remotes = ['catalog', 'account', 'orders', 'content'];
let shop: Shop;
let store: Store;
let browser: Browser;
let before: ReleaseManifest;
let live: Record<'sound' | 'entry throws' | 'render throws', ReleaseManifest>;
let others: ReleaseManifest[];

beforeAll(async () => {
  [shop, browser] = await Promise.all([startShop(), launchBrowser()]);
  store = openStore({ dataDir: shop.dataDir });
  const map = await store.readMap('production');
  const manifestOf = async (name: string) => {
    const manifest = await store.readManifest(name, liveVersion(map, name) ?? '');
    if (!manifest) throw new Error(`${name} is not live`);
    return manifest;
  };
  const shell = await manifestOf('shell');
  others = await Promise.all(remotes.map(manifestOf));
  const variant = (change: Change, label?: string) => publishVariant(store, shell, change, label);
  before = await variant('sound', 'before');
  live = {
    sound: await variant('sound', 'live'),
    'entry throws': await variant('entry throws'),
    'render throws': await variant('render throws'),
  };
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await shop?.stop();
});

interface Visit {
  stage: Stage;
  page: Page;
  errors: string[];
}

async function visit(stage: Stage, test: (visit: Visit) => Promise<void>): Promise<void> {
  const { page, context } = await openTab(browser, stage.url);
  const errors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.setDefaultTimeout(60_000);
  try {
    await test({ stage, page, errors });
  } finally {
    await context.close();
    await stage.close();
  }
}

const withBefore = async (shell: ReleaseManifest) => {
  const stage = await openStage(shop.url, [before, ...others]);
  stage.goLive(shell);
  return stage;
};

/** The shop is drawn, whole, and by that shell. */
async function drawnBy(page: Page, shell: ReleaseManifest): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await page.locator('.shell-page[data-remote=catalog]').first().waitFor();
  const by = await page.evaluate(() => document.documentElement.dataset.drawnBy);
  expect(by).toContain(`/r/shell/${shell.version}/`);
  expect(await page.locator('.boot-failed').isVisible()).toBe(false);
}

async function reported({ stage }: Visit, shell: ReleaseManifest, kind: string, recovered: boolean): Promise<void> {
  const found = () =>
    stage.reports.filter((one) => one.name === 'shell' && one.version === shell.version && one.kind === kind);
  for (let count = 0; count < 100 && found().length === 0; count += 1)
    await new Promise((resolve) => setTimeout(resolve, 100));
  expect(found().map((one) => one.recovered ?? false)).toEqual([recovered]);
}

const faults: Fault[] = ['404', '500', 'hang', 'cut off', 'wrong type', 'tampered'];
it.each(faults)('a shell whose files meet "%s" gives way to the one before it', async (fault) => {
  const stage = await withBefore(live.sound);
  stage.breakPath(`/r/shell/${live.sound.version}/`, fault);
  await visit(stage, async (here) => {
    await here.page.goto('/home', { waitUntil: 'commit' });
    await drawnBy(here.page, before);
    await reported(here, live.sound, 'load', true);
    // Each failure is a share of a visit.
    expect(here.stage.reports.filter((one) => one.name === 'shell' && one.kind === 'visit')).toHaveLength(1);
    expect(here.errors.filter((text) => /Trusted|Content Security/i.test(text))).toEqual([]);
    expect(await here.page.evaluate(() => 'tampered' in document.documentElement.dataset)).toBe(false);
  });
});

it.each([
  ['entry throws', 'load'],
  ['render throws', 'render'],
] as const)('a shell whose %s gives way to the one before it, in this tab for good', async (change, kind) => {
  await visit(await withBefore(live[change]), async (here) => {
    await here.page.goto('/home', { waitUntil: 'commit' });
    await drawnBy(here.page, before);
    await reported(here, live[change], kind, true);
    await here.page.reload();
    await drawnBy(here.page, before);
    // Once it is rolled back, the next page is an ordinary one.
    here.stage.goLive(before);
    await here.page.reload();
    await drawnBy(here.page, before);
    expect(await here.page.evaluate(() => document.documentElement.dataset.rescued)).toBeUndefined();
  });
});

it('a sound shell is left alone, and its visit is counted', async () => {
  await visit(await withBefore(live.sound), async (here) => {
    await here.page.goto('/home');
    await drawnBy(here.page, live.sound);
    await reported(here, live.sound, 'visit', false);
    expect(here.stage.requests.filter((url) => url.startsWith(`/r/shell/${before.version}/`))).toEqual([]);
  });
});

it('when no shell starts the page says so in words, with a way to try again', async () => {
  const stage = await withBefore(live['entry throws']);
  stage.breakPath('/r/shell/', '500');
  await visit(stage, async ({ page }) => {
    await page.goto('/home', { waitUntil: 'commit' });
    await page.getByRole('alert').getByText('商店没能打开').waitFor();
    stage.breakPath('/r/shell/', null);
    await page.getByRole('link', { name: '重试' }).click();
    await drawnBy(page, before);
  });
});

it('who previews a shell sees it fail', async () => {
  const stage = await withBefore(live.sound);
  stage.setMap(previewInMap(stage.map(), live['entry throws'], before));
  await visit(stage, async ({ page }) => {
    await page.goto('/home', { waitUntil: 'commit' });
    await page.getByRole('alert').getByText('商店没能打开').waitFor();
  });
});
