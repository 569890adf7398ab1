/** What every page must keep in every state: nothing that axe finds, nothing wider than the window, targets of 44 pixels. */
import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** WCAG's exception: a link inside a sentence may be as small as its text. Everything else takes a finger. */
const smallestTarget = 44;

/** Every fault on the page as it stands, one line each, in the theme that is shown. */
export async function audit(page: Page, where: string): Promise<string[]> {
  // The browser leaves rows below the window undrawn, and answers for their colours as they were when last drawn.
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':not(.shell-kept), ::before, ::after { content-visibility: visible !important; }');
    document.adoptedStyleSheets = [sheet];
  });
  await settle(page);
  const { violations } = await new AxeBuilder({ page }).analyze();
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${where}: ${id} at ${node.target.join(' ')}`),
  );
  return [...found, ...(await layoutFaults(page)).map((fault) => `${where}: ${fault}`)];
}

/** A colour on its way from one theme to the other has no contrast to speak of: everything that ends is brought to its end, and drawn. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await drawn();
    for (const animation of document.getAnimations())
      if (animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY) animation.finish();
    await drawn();
  });
}

/** Overflow and small targets: they do not depend on the theme. */
export async function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate((smallest) => {
    const faults: string[] = [];
    const overflow = document.documentElement.scrollWidth - window.innerWidth;
    if (overflow > 0) faults.push(`${overflow} px wider than the window`);

    const controls = 'a[href], button, input, select, textarea, [role=button], [role=tab], [role=radio], [role=option]';
    for (const element of document.querySelectorAll<HTMLElement>(controls)) {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.matches('a[href]') && getComputedStyle(element).display === 'inline') continue;
      if (element.closest('[inert], [aria-hidden=true]')) continue;
      // A native control inside its label is pressed by the label.
      const pressed = element.matches('input') ? (element.closest('label') ?? element) : element;
      const box = pressed.getBoundingClientRect();
      // One that is clipped away is there for a screen reader only, until it has the focus.
      if (box.width <= 1 || box.height <= 1) continue;
      // Half a pixel: subpixel layout, not a small target.
      if (box.width < smallest - 0.5 || box.height < smallest - 0.5) {
        const name = element.getAttribute('aria-label') ?? element.textContent?.trim().slice(0, 24) ?? '';
        faults.push(
          `target ${element.tagName.toLowerCase()}.${element.className} “${name}” is ${Math.round(box.width)} × ${Math.round(box.height)}`,
        );
      }
    }
    return faults;
  }, smallestTarget);
}

/** Counts layout shifts from the page's start on, as the browser's own metric does. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const kept = window as unknown as { shifts: Array<{ value: number; what: string }> };
    kept.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Array<
        PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Array<{ node: Node | null }> }
      >) {
        if (entry.hadRecentInput) continue;
        const what = entry.sources
          .map(({ node }) => (node instanceof Element ? `${node.tagName}.${node.className}` : node?.nodeName))
          .join(', ');
        kept.shifts.push({ value: entry.value, what });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Sum of all shifts since the document's start, and what moved. */
export async function shifts(page: Page): Promise<{ sum: number; what: string[] }> {
  return page.evaluate(() => {
    const { shifts: all } = window as unknown as { shifts: Array<{ value: number; what: string }> };
    return { sum: all.reduce((sum, { value }) => sum + value, 0), what: all.map(({ what }) => what) };
  });
}
