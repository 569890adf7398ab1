import { liveVersion, openStore, type ReleaseManifest, type Store } from '@platform/releases';
import { type Change, makeVariant, type ReleaseVariant } from '@platform/releases/testing/release-variant';
import { test as base, expect, type Page } from '@playwright/test';
import { openTab, type Tab, type TabOptions } from './browser';
import { type FaultProxy, openFaultProxy } from './fault-proxy';
import { runningShop, type Shop, startShop } from './shop';
import { demoToken, signInWithToken } from './steps';

export { expect };

interface OpenTabOptions extends TabOptions {
  url?: string;
  token?: string;
  /** The browser asks to save data, so the shell prefetches no linked page. */
  saveData?: boolean;
  /** Script and console errors that the test provokes. Any other fails the test. */
  expectedErrors?: RegExp;
}

interface TestFixtures {
  /** Opens a tab of a new visitor. At the end of the test the tab is closed, and the test fails if it logged an unexpected error. */
  openTab(options?: OpenTabOptions): Promise<Tab>;
  page: Page;
  /** In front of the shop of all tests, with its live releases. Name it before `openTab`, so that it outlives the tabs. */
  faultProxy: FaultProxy;
  /** A changed release that the fault proxy serves and that is not live. */
  variant(name: string, change: Change, label?: string): Promise<ReleaseVariant>;
}

interface WorkerFixtures {
  /** Shared by all tests: no test may change its releases or settings, or count the demo account's data. */
  shop: Shop;
  demoToken: string;
  store: Store;
  manifests: Record<string, ReleaseManifest>;
}

export type Fixtures = TestFixtures & WorkerFixtures;

/** Starts a shop that a test file may change. The caller stops it. */
export const startOwnShop = (): Promise<Shop> => startShop({ template: process.env.E2E_TEMPLATE_DIR });

/** Waits until documents arrive rendered. The first ones of a page contain skeletons if rendering takes long. */
export async function documentsRendered({ url }: Shop, paths: readonly string[], cookie: string): Promise<void> {
  const headers = { accept: 'text/html', cookie };
  const isRendered = async (path: string) =>
    (await (await fetch(url + path, { headers })).text()).includes('data-rendered');
  for (const path of paths) await expect.poll(() => isRendered(path), path).toBe(true);
}

export async function liveManifests(store: Store): Promise<Record<string, ReleaseManifest>> {
  const map = await store.readMap();
  const manifests: Record<string, ReleaseManifest> = {};
  for (const name of Object.keys(map.microFrontends)) {
    const manifest = await store.readManifest(name, liveVersion(map, name) ?? '');
    if (!manifest) throw new Error(`the live release of ${name} is not in the store`);
    manifests[name] = manifest;
  }
  return manifests;
}

function setSaveData(): void {
  const { connection } = navigator as unknown as { connection: object };
  Object.defineProperty(Object.getPrototypeOf(connection), 'saveData', { get: () => true });
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads a fixture's dependencies from the pattern
  shop: [async ({}, use) => use(runningShop(process.env.E2E_DATA_DIR ?? '')), { scope: 'worker' }],
  demoToken: [async ({ shop }, use) => use(await demoToken(shop)), { scope: 'worker' }],
  store: [async ({ shop }, use) => use(openStore({ dataDir: shop.dataDir })), { scope: 'worker' }],
  manifests: [async ({ store }, use) => use(await liveManifests(store)), { scope: 'worker' }],

  faultProxy: async ({ shop, manifests }, use) => {
    const proxy = await openFaultProxy(shop.url, Object.values(manifests));
    await use(proxy);
    await proxy.close();
  },

  variant: async ({ faultProxy, store, manifests }, use) =>
    use(async (name, change, label) => {
      const variant = await makeVariant(store, manifests[name] as ReleaseManifest, change, label);
      faultProxy.serve(variant);
      return variant;
    }),

  openTab: async ({ browser, shop }, use) => {
    const opened: Array<{ tab: Tab; expected: RegExp | undefined }> = [];
    await use(async ({ url = shop.url, token, saveData, expectedErrors, ...options } = {}) => {
      // An animation takes a core if the browser renders without a GPU.
      const tab = await openTab(browser, url, { reducedMotion: 'reduce', ...options });
      opened.push({ tab, expected: expectedErrors });
      if (token) await signInWithToken(tab.page, { url }, token);
      if (saveData) await tab.context.addInitScript(setSaveData);
      return tab;
    });
    const unexpected = opened.flatMap(({ tab, expected }) => tab.errors.filter((error) => !expected?.test(error)));
    for (const { tab } of opened) {
      for (const page of tab.context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
      await tab.context.close();
    }
    expect(unexpected, 'script and console errors of the tabs').toEqual([]);
  },

  page: async ({ openTab }, use) => use((await openTab({ language: 'zh-CN' })).page),
});
