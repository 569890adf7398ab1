/** Squads release and ops roll back while tabs are open: the remote `content`, which no other journey of a push opens meanwhile. */
import { history, liveVersion, promote, type ReleaseManifest, rollback, type Store } from '@platform/releases';
import { publishVariant } from '@platform/releases/testing/release-variant';
import type { Page } from '@playwright/test';
import { expectNoFaults } from './audit';
import { desktop } from './browser';
import { isMarkedDocument, markDocument, openWithWorker } from './navigation';
import { addStaff, signInAsStaff } from './staff-steps';
import { words } from './steps';
import { expect, test } from './test';

const text = words['zh-CN'];

const goLive = (store: Store, { version }: ReleaseManifest) =>
  promote(store, { name: 'content', version, by: 'a squad', skip: ['browser'], why: 'a test' });

const expectServedBy = (page: Page, { version }: ReleaseManifest) =>
  expect(page.locator('html')).toHaveAttribute('data-content', version);

test('a published release can be previewed in one tab, then promoted and rolled back while tabs are open', async ({
  shop,
  store,
  manifests,
  demoToken,
  openTab,
}) => {
  const built = manifests.content as ReleaseManifest;
  const before = await publishVariant(store, built, 'sound', 'before');
  const after = await publishVariant(store, built, 'sound', 'after');
  await goLive(store, before);

  await test.step('a preview is marked, survives a load, shows in that tab alone and can be left', async () => {
    const { page } = await openTab();
    const { page: otherTab } = await openTab();
    await page.goto(`/business?release=content@${after.version}`);
    await expectServedBy(page, after);
    await expect(page.getByText(`content@${after.version}`)).toBeVisible();
    await page.goto('/business');
    await expectServedBy(page, after);
    await otherTab.goto('/business');
    await expectServedBy(otherTab, before);
    await page.getByRole('link', { name: /退出预览/ }).click();
    await expectServedBy(page, before);
    await expect(page.getByText(`content@${after.version}`)).toHaveCount(0);
  });

  await test.step('one that fails is shown to fail, and can be left', async () => {
    const bad = await publishVariant(store, built, 'render throws');
    const { page } = await openTab({ expectedErrors: /the page throws/ });
    await page.goto(`/business?release=content@${bad.version}`);
    const card = page.getByRole('alert').filter({ hasText: text.pageFailed });
    await expect(card).toBeVisible();
    await page.getByRole('link', { name: /退出预览/ }).click();
    await expectServedBy(page, before);
    await expect(card).toHaveCount(0);
  });

  // With the service worker, which must not delay a live release.
  const { page, context } = await openTab({ viewport: desktop, token: demoToken, serviceWorker: true });
  const { page: fresh } = await openTab();
  await openWithWorker(page, '/business');
  await expectServedBy(page, before);
  const leaveAndReturn = async () => {
    const links = page.getByRole('contentinfo');
    await links.getByRole('link', { name: '隐私政策' }).click();
    await expect(page).toHaveURL('/article/privacy');
    await links.getByRole('link', { name: '商务合作' }).click();
  };

  await goLive(store, after);
  const returning = await context.newPage();
  await test.step('new tabs have a promoted release at once, open tabs at their next navigation', async () => {
    await fresh.goto('/business');
    await expectServedBy(fresh, after);
    await returning.goto('/business');
    await expectServedBy(returning, after);
    expect(await returning.evaluate(() => navigator.serviceWorker.controller?.scriptURL)).toBe(`${shop.url}/sw.js`);
    await leaveAndReturn();
    await expectServedBy(page, after);
    expect(await page.evaluate(() => localStorage.getItem('token'))).toBeTruthy();
  });

  await rollback(store, { name: 'content', by: 'ops' });
  await test.step('a rollback takes it back in the same way, with the session kept', async () => {
    await returning.goto('/business');
    await expectServedBy(returning, before);
    await fresh.goto('/business');
    await expectServedBy(fresh, before);
    await leaveAndReturn();
    await expectServedBy(page, before);
    await expect(page).toHaveURL('/business');
    // The tab ran a withdrawn release, so it may reload the document, which ends an evaluation.
    await page.waitForFunction(() => localStorage.getItem('token'));
  });
});

test('ops roll back in the console by one click', async ({ shop, store, manifests, openTab }) => {
  const built = manifests.content as ReleaseManifest;
  const before = await publishVariant(store, built, 'sound', 'ops before');
  const after = await publishVariant(store, built, 'sound', 'ops after');
  await goLive(store, before);
  await goLive(store, after);
  const live = async () => liveVersion(await store.readMap(), 'content');
  const { page } = await openTab({ url: shop.staffUrl, theme: 'dark', expectedErrors: /status of 400/ });
  await page.addInitScript(() => localStorage.setItem('staff.language', 'en'));
  await page.goto('/ops');
  await expect(page.getByRole('heading', { name: 'Sign in to the staff console' })).toBeVisible();
  await expectNoFaults(page);
  await signInAsStaff(page, await addStaff(shop, 'Olga'));
  const card = page.getByRole('article', { name: 'content' });
  await expect(card.getByRole('region', { name: `live: content@${after.version}` })).toBeVisible();
  await card.getByText('Another release, or a canary').click();
  await page.getByRole('button', { name: `Roll back to ${before.version}` }).click();
  const status = page.getByRole('status');
  await expect(status.filter({ hasText: `Rolled back content · ${after.version} → ${before.version}` })).toBeVisible();
  expect(await live()).toBe(before.version);
  await expectNoFaults(page);
  expect((await history(store))[0]).toMatchObject({ action: 'rollback', by: 'Olga (ops)' });
  await markDocument(page);
  const next = await publishVariant(store, built, 'sound', 'ops next');
  await goLive(store, next);
  await expect(card.getByRole('region', { name: `live: content@${next.version}` })).toBeVisible();
  expect(await isMarkedDocument(page)).toBe(true);
});
