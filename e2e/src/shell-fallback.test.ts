/** A release of the shell that does not start: the visitor gets the previous one, and the failure is reported. */

import type { Change, ReleaseVariant } from '@platform/releases/testing/release-variant';
import type { Page } from '@playwright/test';
import type { Fault, FaultProxy } from './fault-proxy';
import { isFullRun } from './full-run';
import { test as base, expect } from './test';

/** After which a shell that has not started is given up (platform/pages/src/boot/shell-fallback.ts). */
const patienceMs = 20_000;

interface ShellFixtures {
  /** A sound release of the shell, live at the fault proxy. */
  previous: ReleaseVariant;
  /** A changed release of the shell, served by the fault proxy and not live. */
  shellVariant(change: Change, label?: string): Promise<ReleaseVariant>;
  /** Opens home in a new tab at the fault proxy. */
  openHome(expectedErrors?: RegExp, before?: (page: Page) => Promise<void>): Promise<{ page: Page; errors: string[] }>;
}

const test = base.extend<ShellFixtures>({
  shellVariant: async ({ variant }, use) => use((change, label) => variant('shell', change, label)),
  previous: async ({ faultProxy, shellVariant }, use) => {
    const previous = await shellVariant('sound', 'previous');
    faultProxy.goLive(previous.manifest);
    await use(previous);
  },
  openHome: async ({ faultProxy, openTab }, use) =>
    use(async (expectedErrors = /./, before = undefined) => {
      const { page, errors } = await openTab({ url: faultProxy.url, expectedErrors });
      await before?.(page);
      await page.goto('/home', { waitUntil: 'commit' });
      return { page, errors };
    }),
});

/** The shop is rendered by that shell. */
async function expectServedBy(page: Page, { manifest }: ReleaseVariant): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
  await expect(page.locator('.shell-page [data-remote=catalog]').first()).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('data-served-by', new RegExp(`/r/shell/${manifest.version}/`));
  await expect(page.locator('.boot-failed:visible')).toHaveCount(0);
}

async function expectReport(
  proxy: FaultProxy,
  { manifest }: ReleaseVariant,
  kind: string,
  recovered: boolean,
): Promise<void> {
  const reports = () =>
    proxy.reports.filter((one) => one.name === 'shell' && one.version === manifest.version && one.kind === kind);
  await expect.poll(() => reports().map((one) => one.recovered ?? false)).toEqual([recovered]);
}

/** What differs to the document; in a full run the others too. */
const faults: Fault[] = ['404', 'hang', 'tampered', ...(isFullRun ? (['500', 'cut off', 'wrong type'] as const) : [])];
for (const fault of faults) {
  test(`a shell whose files are broken (${fault}) gives way to the previous one`, async ({
    faultProxy,
    previous,
    shellVariant,
    openHome,
  }) => {
    const live = await shellVariant('sound', 'live');
    faultProxy.goLive(live.manifest);
    const filesOfLive = `/r/shell/${live.manifest.version}/`;
    faultProxy.breakPath(filesOfLive, fault);
    const { page, errors } = await openHome(/./, async (tab) => {
      if (fault === 'hang') await tab.clock.install();
    });
    if (fault === 'hang') {
      await expect.poll(() => faultProxy.requests.some((url) => url.startsWith(filesOfLive))).toBe(true);
      await page.clock.fastForward(patienceMs);
    }
    await expectServedBy(page, previous);
    await expectReport(faultProxy, live, 'load', true);
    // The failure counts against a visit.
    expect(faultProxy.reports.filter(({ name, kind }) => name === 'shell' && kind === 'visit')).toHaveLength(1);
    expect(errors.filter((error) => /Trusted|Content Security/i.test(error))).toEqual([]);
    expect(await page.evaluate(() => 'tampered' in document.documentElement.dataset)).toBe(false);
  });
}

for (const [change, kind] of [
  ['entry throws', 'load'],
  ['start throws', 'render'],
  ['render throws', 'render'],
] as const) {
  test(`a shell whose ${change} gives way to the previous one, in this tab until it is rolled back`, async ({
    faultProxy,
    previous,
    shellVariant,
    openHome,
  }) => {
    const bad = await shellVariant(change);
    faultProxy.goLive(bad.manifest);
    const { page } = await openHome();
    await expectServedBy(page, previous);
    await expectReport(faultProxy, bad, kind, true);
    await page.reload();
    await expectServedBy(page, previous);
    faultProxy.goLive(previous.manifest);
    await page.reload();
    await expectServedBy(page, previous);
    // Loaded as the live shell: one that stands in reports no visit of its own.
    await expectReport(faultProxy, previous, 'visit', false);
  });
}

test('when no shell starts, the document says so and offers another try', async ({
  faultProxy,
  previous,
  shellVariant,
  openHome,
}) => {
  faultProxy.goLive((await shellVariant('entry throws')).manifest);
  faultProxy.breakPath('/r/shell/', '500');
  const { page } = await openHome();
  await expect(page.getByRole('alert').getByText('商店没能打开')).toBeVisible();
  faultProxy.breakPath('/r/shell/', null);
  await page.getByRole('link', { name: '重试' }).click();
  await expectServedBy(page, previous);
});
