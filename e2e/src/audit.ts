import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import type axe from 'axe-core';
import sharp from 'sharp';
import { loadsFinished } from './navigation';

/** Pixels. Links inside a sentence are exempt, as in WCAG. */
const smallestTarget = 44;
/** Rules of axe that depend on colours. The others see the same document in both themes. */
const colourRules = ['color-contrast', 'link-in-text-block'];
const allThemes = ['light', 'dark'] as const;

export type Theme = (typeof allThemes)[number];

/** Faults of the page, one line each: in the first theme by every rule, in the others by the rules that depend on colours. */
export async function audit(page: Page, where: string, themes: readonly Theme[] = allThemes): Promise<string[]> {
  const faults: string[] = [];
  for (const [index, theme] of themes.entries()) {
    const moving = await showTheme(page, theme);
    faults.push(...moving.map((name) => `${where}: ${name} moves despite reduced motion`));
    if (index === 0) faults.push(...(await layoutFaults(page)).map((fault) => `${where}: ${fault}`));
    const rules = index === 0 ? undefined : colourRules;
    faults.push(...(await axeFaults(page, rules)).map((fault) => `${where} ${theme}: ${fault}`));
  }
  return faults;
}

/** Expects no fault of axe in the current window, and none of the layout there and at each of the sizes. */
export async function expectNoFaults(
  page: Page,
  sizes: ReadonlyArray<{ width: number; height: number }> = [],
): Promise<void> {
  const faults = [...(await axeFaults(page)), ...(await layoutFaults(page))];
  for (const size of sizes) {
    await page.setViewportSize(size);
    faults.push(...(await layoutFaults(page)));
  }
  expect(faults).toEqual([]);
}

/** The minified file is half as long as `axe.source`, and each page must receive and parse it. */
const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
/** A run takes about a second; one run never ended. */
const AUDIT_MS = 60_000;

/** Milliseconds for which a page may have a fault while it loads or resizes. Only lasting faults take that long. */
const SETTLING_MS = 10_000;

export async function lastingFaults(page: Page, look: () => Promise<string[]>): Promise<string[]> {
  const end = Date.now() + SETTLING_MS;
  for (;;) {
    const faults = await look();
    if (faults.length === 0 || Date.now() > end) return faults;
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
}

export const axeFaults = (page: Page, rules?: string[]): Promise<string[]> =>
  lastingFaults(page, () => axeFaultsNow(page, rules));

async function axeFaultsNow(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axeSource);
  const run = () =>
    page.evaluate(async (runOnly) => {
      const { axe: loaded } = window as unknown as { axe: typeof axe };
      const { violations } = await loaded.run(document, {
        preload: false,
        resultTypes: ['violations'],
        ...(runOnly ? { runOnly } : {}),
      });
      return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id} at ${node.target.join(' ')}`));
    }, rules);
  const isLate = once(AbortSignal.timeout(AUDIT_MS), 'abort').then(() => undefined);
  const faults = await Promise.race([run(), isLate]);
  if (faults) return faults;
  // A new copy, because the old one refuses a second run.
  await page.evaluate(axeSource);
  return run();
}

/** Switches to the theme and to reduced motion, waits until the colours are painted, and returns the animations that run anyway. */
async function showTheme(page: Page, theme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await expect(page.locator('html')).toHaveAttribute('data-theme', theme);
  return page.evaluate(async () => {
    // A transition may have begun before.
    const moving = document
      .getAnimations()
      .filter(
        (animation) =>
          !(animation instanceof CSSTransition) && Number(animation.effect?.getComputedTiming().activeDuration) > 1,
      );
    // The browser does not paint rows below the window, and reports their last painted colours.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':not(.shell-kept), ::before, ::after { content-visibility: visible !important; }');
    document.adoptedStyleSheets = [sheet];
    const nextPaint = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    // Contrast cannot be measured during a colour transition. The end of one may begin another in elements that inherit its colour.
    for (let round = 0; round < 10; round++) {
      await nextPaint();
      const running = document
        .getAnimations()
        .filter(
          (animation) =>
            animation.effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY &&
            animation.playState === 'running',
        );
      if (running.length === 0) break;
      for (const animation of running) animation.finish();
    }
    await nextPaint();
    return moving.map((animation) =>
      animation instanceof CSSAnimation ? animation.animationName : animation.constructor.name,
    );
  });
}

/** Waits until the page shows its content: no visible placeholder, no pending call, and every picture in the window loaded. */
export async function contentShown(page: Page, { withPictures = true } = {}): Promise<void> {
  // It checks at each frame in the page: assertions would poll less and less often.
  const rendered = () =>
    page.waitForFunction((alsoPictures) => {
      const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true });
      const hasArrived = (image: HTMLImageElement) => {
        const { top, bottom, left, right, width } = image.getBoundingClientRect();
        const inWindow = width > 0 && top < innerHeight && bottom > 0 && left < innerWidth && right > 0;
        return image.complete || !inWindow;
      };
      return (
        !Array.from(document.querySelectorAll('[aria-busy="true"]')).some(isShown) &&
        Array.from(document.querySelectorAll('h1, h2, h3')).some(isShown) &&
        (!alsoPictures || Array.from(document.images).every(hasArrived))
      );
    }, withPictures);
  await rendered();
  await loadsFinished(page);
  await rendered();
}

/** Overflow and small targets, one line each. They do not depend on the theme. */
export const layoutFaults = (page: Page): Promise<string[]> => lastingFaults(page, () => layoutFaultsNow(page));

async function layoutFaultsNow(page: Page): Promise<string[]> {
  return page.evaluate((smallest) => {
    const faults: string[] = [];
    const overflow = document.documentElement.scrollWidth - window.innerWidth;
    if (overflow > 0) {
      const widest = Array.from(document.body.querySelectorAll('*'))
        .filter((element) => element.getBoundingClientRect().right > window.innerWidth)
        .slice(0, 3)
        .map((element) => `${element.tagName.toLowerCase()}.${element.className}`);
      faults.push(`${overflow} px wider than the window: ${widest.join(', ')}`);
    }

    const controls = 'a[href], button, input, select, textarea, [role=button], [role=tab], [role=radio], [role=option]';
    for (const element of document.querySelectorAll<HTMLElement>(controls)) {
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.matches('a[href]') && getComputedStyle(element).display === 'inline') continue;
      if (element.closest('[inert], [aria-hidden=true]')) continue;
      // The label of a native control is its target.
      const target = element.matches('input') ? (element.closest('label') ?? element) : element;
      const box = target.getBoundingClientRect();
      // It is visually hidden, for screen readers.
      if (box.width <= 1 || box.height <= 1) continue;
      const isText = element.matches('input:not([type=checkbox], [type=radio], [type=file]), select, textarea');
      if (isText && window.innerWidth < 960 && Number.parseFloat(getComputedStyle(element).fontSize) < 16)
        faults.push(`iOS zooms into ${element.tagName.toLowerCase()}.${element.className}: its text is below 16 px`);
      // Half a pixel of tolerance for subpixel layout.
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

/**
 * Words broken over two lines, and text cut off by a box without an ellipsis or by the window, one line each. With `upright`,
 * also text cut off above and below, and by a fixed bar.
 */
export async function cutTexts(page: Page, { upright = false } = {}): Promise<string[]> {
  return page.evaluate((alsoUpright) => {
    const faults: string[] = [];
    const box = document.createRange();
    /** The element that cuts off the text: one that hides its overflow, or the window; undefined if the text can be scrolled to. */
    const clippingElement = (element: Element, { left, right, top, bottom }: DOMRect): string | undefined => {
      // The box of a character is higher than the character, and may be higher than its line.
      const slack = alsoUpright ? Number.parseFloat(getComputedStyle(element).fontSize) / 2 : Number.POSITIVE_INFINITY;
      for (let ancestor: Element | null = element; ancestor; ancestor = ancestor.parentElement) {
        const { overflowX, position, textOverflow, webkitLineClamp } = getComputedStyle(ancestor);
        if (/auto|scroll/.test(overflowX) || textOverflow === 'ellipsis' || webkitLineClamp !== 'none') return;
        const edges = ancestor.getBoundingClientRect();
        const runsOut = top < edges.top - slack || bottom > edges.bottom + slack;
        if (/hidden|clip/.test(overflowX) && (left < edges.left - 1 || right > edges.right + 1 || runsOut))
          return ancestor.className;
        if (position === 'fixed' && runsOut) return ancestor.className;
        if (position === 'fixed') break;
      }
      if (left < -1 || right > window.innerWidth + 1) return 'the window';
    };
    const isForScreenReaders = (element: Element | null): boolean =>
      element !== null && (element.getBoundingClientRect().width <= 1 || isForScreenReaders(element.parentElement));
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode() as Text | null; text; text = texts.nextNode() as Text | null) {
      const element = text.parentElement;
      if (!text.data.trim() || isForScreenReaders(element)) continue;
      if (!element?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      if (element.closest('[inert], [aria-hidden=true], option, style, script')) continue;
      box.selectNodeContents(text);
      const by = clippingElement(element, box.getBoundingClientRect());
      if (by) faults.push(`“${text.data.slice(0, 30)}” is cut off by ${by}`);
      // Order numbers and email addresses are longer, and may be broken.
      const mails = text.data.match(/[\w.]+@[\w.]+/g) ?? [];
      for (const { 0: word, index } of text.data.matchAll(/[\w*]+/g)) {
        if (word.length > 14 || mails.some((mail) => mail.includes(word))) continue;
        box.setStart(text, index);
        box.setEnd(text, index + word.length);
        if (new Set([...box.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
          faults.push(`the word “${word}” is broken in “${text.data.slice(0, 30)}”`);
      }
    }
    return faults;
  }, upright);
}

/** With forced colours: invisible controls in the window, and choices that look the same whether selected or not. */
export async function forcedColourFaults(page: Page): Promise<string[]> {
  const controlsInWindow = () =>
    page.evaluate(() => {
      const selector = 'a[href], button, input, select, textarea, summary, [role=radio], [role=tab], [role=switch]';
      return Array.from(document.querySelectorAll<HTMLElement>(selector)).flatMap((control) => {
        if (!control.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
        const { left, top, width, height } = control.getBoundingClientRect();
        const inWindow = left >= 0 && top >= 0 && left + width <= innerWidth && top + height <= innerHeight;
        const middle = document.elementFromPoint(left + width / 2, top + height / 2);
        if (!inWindow || width <= 1 || !middle || !control.contains(middle)) return [];
        const name = `${control.className} “${control.getAttribute('aria-label') ?? control.textContent?.slice(0, 24)}”`;
        return [{ name, left, top, width, height }];
      });
    });
  const before = new Set((await controlsInWindow()).map((control) => JSON.stringify(control)));
  const { data, info } = await sharp(await page.screenshot({ scale: 'css' }))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  // Controls that appeared, disappeared or moved meanwhile are elsewhere in the picture.
  const controls = (await controlsInWindow()).filter((control) => before.has(JSON.stringify(control)));
  const faults: string[] = [];
  for (const { name, left, top, width, height } of controls) {
    let [darkest, lightest] = [255, 0];
    for (let y = Math.floor(top); y < Math.floor(top + height); y++) {
      for (let x = Math.floor(left); x < Math.floor(left + width); x++) {
        const shade = data[(y * info.width + x) * info.channels] ?? 0;
        darkest = Math.min(darkest, shade);
        lightest = Math.max(lightest, shade);
      }
    }
    if (lightest - darkest < 64) faults.push(`nothing is seen of ${name}`);
  }
  const alike = await page.evaluate(() => {
    const chosen = '[aria-selected=true], [aria-checked=true], [aria-pressed=true], :checked';
    const look = (option: Element) => {
      const box = option.matches('input') ? (option.closest('label') ?? option) : option;
      const parts = [box, ...box.querySelectorAll('*')].flatMap((part) =>
        [undefined, '::before', '::after'].map((pseudo) => {
          const { border, outline, backgroundColor, fontWeight, textDecoration } = getComputedStyle(part, pseudo);
          return [border, outline, backgroundColor, fontWeight, textDecoration].join();
        }),
      );
      return parts.slice(0, 9).join('; ');
    };
    const groups = '[role=tablist], [role=radiogroup], [role=listbox], fieldset, [role=group]';
    return Array.from(document.querySelectorAll(groups)).flatMap((group) => {
      const options = Array.from(
        group.querySelectorAll('[role=tab], [role=radio], [role=option], [aria-pressed], input[type=radio]'),
      ).filter((option) => option.closest(groups) === group && option.checkVisibility({ visibilityProperty: true }));
      const [selected] = options.filter((option) => option.matches(chosen));
      const unselected = options.find((option) => !option.matches(`${chosen}, :disabled`));
      if (!selected || !unselected || look(selected) !== look(unselected)) return [];
      return [`what is chosen looks as the rest in ${group.className} “${group.textContent?.slice(0, 24)}”`];
    });
  });
  return [...faults, ...alike];
}

/** Records the layout shifts of each document from its start, as the CLS metric does. */
export async function recordLayoutShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const state = window as unknown as { shifts: Array<{ value: number; what: string }> };
    state.shifts = [];
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Array<
        PerformanceEntry & { value: number; hadRecentInput: boolean; sources: Array<{ node: Node | null }> }
      >) {
        if (entry.hadRecentInput) continue;
        const what = entry.sources
          .map(({ node }) => (node instanceof Element ? `${node.tagName}.${node.className}` : node?.nodeName))
          .join(', ');
        state.shifts.push({ value: entry.value, what });
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** Sum of the shifts since the document's start, and the elements that moved. */
export async function layoutShifts(page: Page): Promise<{ sum: number; what: string[] }> {
  return page.evaluate(async () => {
    // An observer is notified after the frame in which the shift was painted.
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    await new Promise((resolve) => setTimeout(resolve, 0));
    const { shifts: all } = window as unknown as { shifts: Array<{ value: number; what: string }> };
    return { sum: all.reduce((sum, { value }) => sum + value, 0), what: all.map(({ what }) => what) };
  });
}

/** Elements that moved, if the shift is more than a shopper notices. */
export async function noticeableShifts(page: Page): Promise<string[]> {
  const { sum, what } = await layoutShifts(page);
  return sum > 0.01 ? what : [];
}
