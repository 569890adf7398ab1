/** Journeys around money and releases in other engines than Chromium, because shoppers' phones have Safari. */
import { writeFileSync } from 'node:fs';
import { openStore, promote, type ReleaseManifest, rollback } from '@platform/releases';
import { publishVariant } from '@platform/releases/testing/release-variant';
import { test as base, expect } from '@playwright/test';
import { findProgram, howToInstall } from '../../scripts/setup/programs.mjs';
import { phone } from '../src/browser';
import type { Shop } from '../src/shop';
import { words } from '../src/steps';
import { liveManifests, startOwnShop } from '../src/test';
import { launchFirefox } from './firefox';
import { Tab } from './tab';
import { launchWebKit } from './webkit';

/** How to launch each browser, and the programs that it needs: the browser itself or its driver. */
const engines = {
  firefox: { launch: launchFirefox, programs: ['firefox'] },
  webkit: { launch: launchWebKit, programs: ['webkitDriver', 'xvfb'] },
} as const;
type EngineName = keyof typeof engines;

/** Returns the path of Firefox, or of WebKitGTK's driver. Throws with instructions if something is missing. */
function findEngine(name: EngineName): string {
  const paths = engines[name].programs.map((program) => {
    const path = findProgram(program);
    if (!path) throw new Error(`${name}: ${program} was not found. ${howToInstall(program)}`);
    return path;
  });
  return paths[0] as string;
}

const test = base.extend<{ tab: Tab }, { engine: EngineName; shop: Shop }>({
  engine: ['firefox', { option: true, scope: 'worker' }],
  shop: [
    async ({ engine }, use) => {
      // A missing browser fails at once.
      findEngine(engine);
      const shop = await startOwnShop();
      await use(shop);
      await shop.stop();
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  tab: async ({ engine, shop }, use, testInfo) => {
    const browser = await engines[engine].launch(findEngine(engine));
    await browser.resize(phone);
    await use(new Tab(browser, shop.url));
    if (testInfo.status !== testInfo.expectedStatus) {
      const picture = testInfo.outputPath('failed.png');
      writeFileSync(picture, await browser.screenshot());
      await testInfo.attach('picture', { path: picture });
    }
    const errors = browser.errors();
    await browser.close();
    expect(errors, 'script and console errors').toEqual([]);
  },
});

const text = words['zh-CN'];

async function signIn(tab: Tab, shop: Shop, number: string): Promise<void> {
  await tab.fill('textbox', text.phone, number);
  await tab.click('button', text.sendCode);
  await tab.reads('验证码已发送');
  // The field has the focus, and the last digit submits the form.
  await tab.type(await shop.codeFor(number));
}

test('a new shopper finds a product, buys at once, signs in, pays and sees the code', async ({ shop, tab }) => {
  await tab.open('/');
  await tab.arrives('/home');
  await tab.click('link', text.searchLink);
  await tab.fill('combobox', /搜索/, 'ys');
  await tab.click('option', text.genshin);
  await tab.arrives(/^\/goods\/\d+/);
  await tab.sees('heading', text.genshin);
  await tab.click('radio', text.faceValue);
  await tab.click('button', text.buy);
  await signIn(tab, shop, '13900000071');
  await tab.arrives(/^\/order\/detail\//);
  await tab.seesNo('dialog');
  await tab.click('button', '付款 ¥5.76');
  await tab.arrives(/^\/cashier\//);
  await tab.click('button', /^确认支付/);
  await tab.arrives(/^\/order\/detail\//);
  await tab.sees('heading', '已完成');
  await tab.sees('button', '复制卡密');
});

test('a rollback of one remote reaches an open tab at its next navigation, with the session kept', async ({
  shop,
  tab,
}) => {
  const store = openStore({ dataDir: shop.dataDir });
  const built = (await liveManifests(store)).orders as ReleaseManifest;
  const [before, after] = [
    await publishVariant(store, built, 'sound'),
    await publishVariant(store, built, 'sound', 'after'),
  ];
  // Skips the parts of the gate that would refuse the variant, and that need Chromium.
  const goLive = ({ version }: ReleaseManifest) =>
    promote(store, { name: 'orders', version, by: 'a squad', skip: ['browser'], why: 'a test' });
  const served = () => tab.call(() => document.documentElement.dataset.orders);
  const leaveAndReturn = async () => {
    await tab.click('link', text.me);
    await tab.arrives('/user');
    await tab.click('link', '全部订单');
    await tab.arrives(/^\/order/);
  };

  await goLive(before);
  await goLive(after);
  await tab.open('/order');
  await signIn(tab, shop, '13900000072');
  await tab.arrives('/order');
  await tab.sees('heading', text.orders);
  await expect.poll(served).toBe(after.version);
  const token = await tab.call(() => localStorage.getItem('token'));

  await rollback(store, { name: 'orders', by: 'ops' });
  await leaveAndReturn();
  await tab.sees('heading', text.orders);
  await expect.poll(served).toBe(before.version);
  expect(token).toBeTruthy();
  expect(await tab.call(() => localStorage.getItem('token'))).toBe(token);
});
