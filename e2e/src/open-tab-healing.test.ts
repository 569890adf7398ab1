/** A tab that runs a bad release: what goes wrong is reported for that release, and after a rollback the tab mends itself. */

import { type ReleaseManifest, rollbackInMap } from '@platform/releases';
import type { ReleaseVariant } from '@platform/releases/testing/release-variant';
import type { Page } from '@playwright/test';
import { type FaultProxy, passAMinute } from './fault-proxy';
import { holdRequests, isMarkedDocument, loadsFinished, markDocument, waitForNewDocument } from './navigation';
import { placeOrder, tokenOfNewShopper, topUp } from './steps';
import { expect, test } from './test';

const rollBack = (proxy: FaultProxy, { name, version }: ReleaseManifest, good: ReleaseManifest) => {
  expect(proxy.map().microFrontends[name]?.[0]?.metadata.version).toBe(version);
  proxy.setMap(rollbackInMap(proxy.map(), good, null, { by: 'a test' }));
};

/** Whether the document can call the server and its links and buttons can be seen. */
const isSound = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const isReached = await Promise.race([
      fetch('/livez').then((response) => response.ok),
      new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 2_000)),
    ]);
    const buttons = [...document.querySelectorAll('a, button')];
    return isReached && buttons.every((button) => getComputedStyle(button).visibility === 'visible');
  });

const expectServedBy = (page: Page, { manifest: { name, version } }: ReleaseVariant) =>
  expect(page.locator('html')).toHaveAttribute(`data-${name}`, version);

/** With an installed clock: what watches over the tab is loaded three seconds after the document. */
const startDeferred = async (page: Page) => {
  await loadsFinished(page);
  await page.clock.fastForward(5_000);
  await loadsFinished(page);
};

test('after the rollback of a release that hid all buttons and cut the network off, an idle tab is sound within a minute', async ({
  faultProxy,
  manifests,
  variant,
  openTab,
}) => {
  const good = manifests.catalog as ReleaseManifest;
  const bad = await variant('catalog', 'spoils the tab');
  const { page } = await openTab({ url: faultProxy.url, expectedErrors: /spoilt/ });
  faultProxy.goLive(bad.manifest);
  await page.clock.install();
  await page.goto('/home');
  await expectServedBy(page, bad);
  expect(await isSound(page)).toBe(false);
  await markDocument(page);
  await startDeferred(page);

  rollBack(faultProxy, bad.manifest, good);
  await passAMinute(page, faultProxy);
  await waitForNewDocument(page);
  await expect(page.getByRole('link').first()).toBeVisible();
  expect(await isSound(page)).toBe(true);
});

test('a rolled-back release keeps its page while that holds what the shopper typed, and goes when it was sent', async ({
  faultProxy,
  manifests,
  variant,
  openTab,
}) => {
  const good = manifests.content as ReleaseManifest;
  const bad = await variant('content', 'sound', 'bad');
  const { page } = await openTab({ url: faultProxy.url, language: 'en' });
  faultProxy.goLive(bad.manifest);
  await page.clock.install();
  await page.goto('/business');
  await expectServedBy(page, bad);
  await markDocument(page);
  const form = page.getByRole('main').locator('form');
  const fields = form.getByRole('textbox');
  await fields.nth(0).fill('Stardust Ltd');
  await fields.nth(1).fill('Ann');
  await fields.nth(2).fill('13800000000');
  await form.getByRole('combobox').selectOption({ index: 1 });
  await form.locator('textarea').fill('We would like to sell our game cards in your shop.');

  rollBack(faultProxy, bad.manifest, good);
  await passAMinute(page, faultProxy);
  await passAMinute(page, faultProxy);
  expect(await isMarkedDocument(page)).toBe(true);
  await expect(fields.nth(0)).toHaveValue('Stardust Ltd');

  await form.getByRole('button').last().click();
  await expect(form).toHaveCount(0);
  expect(await isMarkedDocument(page)).toBe(true);
  await passAMinute(page, faultProxy);
  await waitForNewDocument(page);
});

test('a rollback does not break a payment in flight', async ({ faultProxy, manifests, variant, openTab, shop }) => {
  const good = manifests.orders as ReleaseManifest;
  const bad = await variant('orders', 'sound', 'bad');
  const token = await tokenOfNewShopper(shop, '13922220002');
  // The order is in yuan, and an English page offers the wallet when there are dollars.
  for (const language of ['zh-CN', 'en'] as const) await topUp(shop, token, language);
  const orderNo = await placeOrder(shop, token);
  const { page } = await openTab({ url: faultProxy.url, token, language: 'en' });
  faultProxy.goLive(bad.manifest);
  await page.clock.install();
  await page.goto(`/order/detail/${orderNo}`);
  await expectServedBy(page, bad);
  await markDocument(page);
  await startDeferred(page);
  const payment = '/api/front/payment/balance';
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  const answer = await holdRequests(page, `**${payment}`);
  const payments = () => calls.filter((path) => path === payment).length;
  await page.getByRole('button', { name: /^Pay / }).last().click();
  await expect.poll(payments).toBe(1);

  rollBack(faultProxy, bad.manifest, good);
  // The call's own limit is thirty seconds of the page.
  await page.clock.fastForward(20_000);
  await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
  const mapRead = () => calls.filter((path) => path.startsWith('/releases/')).length;
  const before = mapRead();
  await page.clock.fastForward(8_000);
  await expect.poll(mapRead).toBeGreaterThan(before);
  expect(await isMarkedDocument(page)).toBe(true);
  answer();
  await expect(page.getByText('Finished').first()).toBeVisible();
  expect(await isMarkedDocument(page)).toBe(true);
  await passAMinute(page, faultProxy);
  await waitForNewDocument(page);
  await expect(page.getByText('Finished').first()).toBeVisible();
  expect(payments()).toBe(1);
});

test('what goes wrong after a page is shown is reported for its release: a handler, a promise, a freeze', async ({
  faultProxy,
  variant,
  openTab,
}) => {
  const bad = await variant('content', 'faulty handlers');
  const { name, version } = bad.manifest;
  const { page } = await openTab({ url: faultProxy.url, expectedErrors: /a handler throws|nobody handles this/ });
  faultProxy.goLive(bad.manifest);
  await page.goto('/business');
  await expectServedBy(page, bad);
  const reported = (kind: string) =>
    faultProxy.reports.filter((one) => one.name === name && one.version === version && one.kind === kind);
  // At once: before the watch over the health has started by itself.
  await page.keyboard.press('F7');
  await page.keyboard.press('F7');
  await page.keyboard.press('F8');
  await expect.poll(() => reported('rejection')).toHaveLength(1);
  const [error, ...others] = reported('error');
  expect(others).toEqual([]);
  expect(error).toMatchObject({ page: './business', at: expect.stringMatching(/^remoteEntry\.js:\d+:\d+$/) });
  expect(reported('visit')).toMatchObject([{ visit: error?.visit }]);
  expect(reported('freeze')).toEqual([]);

  await page.keyboard.press('F9');
  await expect.poll(() => reported('freeze')).toHaveLength(1);
  expect(reported('freeze')).toMatchObject([{ visit: error?.visit }]);
  for (const body of faultProxy.reportBodies) expect(JSON.parse(body)).toMatchObject({ context: { device: 'phone' } });
});
