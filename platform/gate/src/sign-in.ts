import type { Browser } from 'playwright-core';
import { onlyTo } from './browsers';
import type { GateSite } from './gate-site';

export interface SignedIn {
  token: string;
  name: string;
}

export interface Account {
  /** Text for messages; contains no secret. */
  label: string;
  page: string;
  /** Rejects with the answer of the site. */
  signIn(origin: string): Promise<SignedIn>;
}

/** Throws when the page does not show the name within `timeout` ms. */
export async function proveSignedIn(
  browser: Browser,
  site: Pick<GateSite, 'origin' | 'pictureOrigins'>,
  path: string,
  { token, name }: SignedIn,
  timeout: number,
): Promise<void> {
  const context = await browser.newContext({ serviceWorkers: 'block', ...onlyTo(site) });
  try {
    await context.addInitScript((value) => localStorage.setItem('token', value), token);
    const page = await context.newPage();
    await page.goto(site.origin + path, { waitUntil: 'commit' });
    await page
      .getByText(name)
      .first()
      .waitFor({ timeout })
      .catch(() => {
        throw new Error(`${path} does not show the name "${name}"`);
      });
  } finally {
    await context.close();
  }
}
