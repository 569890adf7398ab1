import { change, goHome, observedIn, open, type Rig, type Site, type Tab, tabs } from './visitor';

const signIn = '[role="dialog"] .shell-phone-country';

export interface Opening {
  what: string;
  /** Resolves to the longest frame, ms. */
  run(rig: Rig, site: Site): Promise<number>;
}

/** Longest frame of the tab so far, ms. Chromium reports none below 50 ms. */
async function longestFrame({ page }: Tab, since = 0): Promise<number> {
  const { frames } = await observedIn(page);
  return Math.max(50, ...frames.filter(({ start }) => start >= since).map(({ duration }) => duration));
}

async function atHome(rig: Rig, { url }: Site): Promise<Tab> {
  const tab = await open(rig, url);
  await goHome(tab.page);
  await tab.page.waitForTimeout(1_000);
  return tab;
}

const now = ({ page }: Tab) => page.evaluate(() => performance.now());

async function longestOf(tab: Tab, since: number): Promise<number> {
  const longest = await longestFrame(tab, since);
  await tab.context.close();
  return longest;
}

export const openings: readonly Opening[] = [
  {
    what: 'sign-in',
    run: async (rig, site) => {
      const tab = await atHome(rig, site);
      const since = await now(tab);
      await change(tab, tabs[1].link, signIn);
      return longestOf(tab, since);
    },
  },
  {
    what: 'country list',
    run: async (rig, site) => {
      const tab = await atHome(rig, site);
      await change(tab, tabs[1].link, signIn);
      await tab.page.waitForTimeout(1_000);
      const since = await now(tab);
      await change(tab, signIn, '[role="dialog"] input[type="search"]');
      return longestOf(tab, since);
    },
  },
  {
    what: 'coupon prompt',
    run: async (rig, { url }) => {
      const tab = await open(rig, url);
      const { page } = tab;
      await page.addInitScript((token) => localStorage.setItem('token', token), rig.user.token);
      await goHome(page);
      const openedAt = await page.evaluate(async () => {
        while (!document.querySelector('[role="dialog"]')) await new Promise(requestAnimationFrame);
        return performance.now();
      });
      await page.waitForTimeout(500);
      return longestOf(tab, openedAt - 200);
    },
  },
];
