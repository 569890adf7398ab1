/** The timings of docs/product.md#timings that only style sheets know. */
import { expect, test } from './test';

test('progress bar, tabs and overlays have the durations and the layer of docs/product.md', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto('/home');
  await expect(page.locator('.catalog-module').first()).toBeVisible();
  const styles = await page.evaluate(() => {
    const styleOf = (className: string, pseudo?: string) => {
      const element = document.body.appendChild(document.createElement('div'));
      element.className = className;
      return getComputedStyle(element, pseudo);
    };
    const progress = styleOf('shell-progress shell-progress--on');
    return {
      progress: [progress.animationDuration, progress.animationDelay, progress.animationTimingFunction],
      tabs: styleOf('ui-tabs__tab', '::after').transitionDuration,
      overlays: getComputedStyle(document.documentElement).getPropertyValue('--z-overlay'),
    };
  });
  // 500 ms to the first stop, then twenty steps of 200 ms.
  expect(styles.progress).toEqual(['0.5s, 4s', '0s, 0.5s', 'ease-out, steps(20)']);
  expect(styles.tabs.split(', ')).toContain('0.3s');
  expect(styles.overlays).toBe('2000');
});
