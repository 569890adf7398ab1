/** A page on which nothing is to be seen is reported as a failed visit of the release that is to blame. */
import type { ReleaseManifest } from '@platform/releases';
import type { Change } from '@platform/releases/testing/release-variant';
import { loadsFinished } from './navigation';
import { expect, test } from './test';

for (const [change, name, blamed] of [
  ['renders nothing', 'catalog', ['catalog']],
  ['hides its pages', 'catalog', ['catalog']],
  ['covers its pages', 'catalog', ['catalog']],
  // What hides the frame may be the shell or the page.
  ['hides the shop in English', 'shell', ['catalog', 'shell']],
] as const satisfies ReadonlyArray<[Change, string, string[]]>) {
  test(`a release of ${name} that ${change} is reported for ${blamed.join(' and ')}`, async ({
    faultProxy,
    variant,
    manifests,
    openTab,
  }) => {
    const { manifest } = await variant(name, change);
    faultProxy.goLive(manifest);
    const { page } = await openTab({ url: faultProxy.url, language: 'en' });
    await page.clock.install();
    await page.goto('/home');
    const empty = () =>
      faultProxy.reports.filter(({ kind }) => kind === 'empty').map((one) => `${one.name} ${one.version}`);
    const versionOf = (one: string) => (one === name ? manifest : (manifests[one] as ReleaseManifest)).version;
    // The watch over a document starts three seconds after its load, and looks several times after another five.
    const afterASecond = async () => {
      await loadsFinished(page);
      await page.clock.fastForward(1_000);
      return empty().sort();
    };
    await expect
      .poll(afterASecond, { message: 'releases reported as empty', intervals: [50] })
      .toEqual(blamed.map((one) => `${one} ${versionOf(one)}`));
  });
}
