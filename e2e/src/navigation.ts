/** Navigations within a document, and whether it is still the same one. */
import type { Page } from '@playwright/test';

/** Navigates as a link does, without a load. */
export async function navigate(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    const state = { idx: (history.state?.idx ?? 0) + 1, key: Math.random().toString(36).slice(2), usr: null };
    history.pushState(state, '', to);
    window.dispatchEvent(new PopStateEvent('popstate', { state }));
  }, path);
}

/** Marks the document, so that a load, which would lose the mark, can be told. */
export const markDocument = (page: Page) =>
  page.evaluate(() => void Object.assign(window, { stillTheSameDocument: true }));

export const isMarkedDocument = (page: Page) => page.evaluate(() => 'stillTheSameDocument' in window);
