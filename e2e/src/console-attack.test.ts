/**
 * A script of a remote attacks the staff console in a browser in which a manager is signed in. The console is on another port of
 * the same host, so the browser sends its cookie with all these requests. The pages have no Content Security Policy here: the
 * console must not depend on that of the shop.
 */
import type { Page } from '@playwright/test';
import type { Shop } from './shop';
import { addStaff, callAsStaff, readAsStaff, signInAsStaff } from './staff-steps';
import { expect, test } from './test';

const storedRows = async (shop: Shop) => ({
  people: await readAsStaff(shop, 'people'),
  keys: await readAsStaff(shop, 'releases/keys'),
  config: await readAsStaff(shop, 'config'),
});

async function attackByFetch([shopUrl, staffUrl]: string[]): Promise<string[]> {
  const calls = [
    ['POST', 'people', { name: 'Eve', role: 'manager' }],
    ['POST', 'people/reset', { name: 'Ben' }],
    ['POST', 'releases/keys', { name: 'Eve', role: 'ops', days: 366 }],
    ['POST', 'session/code', { code: '000000' }],
    ['GET', 'people', undefined],
    ['GET', 'releases/keys', undefined],
  ] as const;
  const read: string[] = [];
  for (const origin of [shopUrl, staffUrl])
    for (const [method, call, body] of calls)
      for (const mode of ['cors', 'no-cors'] as const) {
        const headers = mode === 'cors' ? { 'x-staff': 'act', 'content-type': 'application/json' } : undefined;
        const options = { method, mode, headers, credentials: 'include', body: body && JSON.stringify(body) } as const;
        const answer = await fetch(`${origin}/staff/api/${call}`, options).catch(() => null);
        read.push(`${origin} ${call}: ${answer ? `${answer.status} ${await answer.text()}` : 'blocked'}`);
      }
  return read;
}

const attacks: Record<string, (page: Page, origins: string[]) => Promise<string[]>> = {
  'in the page': (page, origins) => page.evaluate(attackByFetch, origins),
  'in a service worker': async (page, origins) => {
    await expect.poll(() => page.context().serviceWorkers().length).toBeGreaterThan(0);
    const [worker] = page.context().serviceWorkers();
    return worker ? worker.evaluate(attackByFetch, origins) : [];
  },
  'in a frame': (page, origins) =>
    page.evaluate(async ([, staffUrl]) => {
      const read: string[] = [];
      for (const path of ['/staff', '/staff/api/people', '/staff/setup']) {
        const frame = document.createElement('iframe');
        frame.src = staffUrl + path;
        const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
        document.body.append(frame);
        await loaded;
        const text = () => frame.contentDocument?.documentElement.outerHTML ?? 'blocked';
        read.push(`${path}: ${text()}`);
        frame.contentWindow?.postMessage({ call: 'people', name: 'Eve' }, '*');
      }
      return read;
    }, origins),
  'in a window': async (page, origins) => {
    const read: string[] = [];
    for (const path of ['/staff', '/staff/api/people', '/staff/api/releases/keys']) {
      const opening = page.waitForEvent('popup');
      await page.evaluate(
        ([address]) => void Object.assign(window, { target: window.open(address) }),
        [origins[1] + path],
      );
      const popup = await opening;
      await popup.waitForLoadState();
      read.push(
        await page.evaluate(() => {
          const { target } = window as unknown as { target: Window | null };
          try {
            return target?.document.documentElement.outerHTML ?? 'blocked';
          } catch (error) {
            return `blocked: ${(error as Error).name}`;
          }
        }),
      );
      if (path !== '/staff') read.push(await popup.locator('body').innerText());
      await popup.close();
    }
    return read;
  },
  'by a form': async (page, origins) => {
    const read: string[] = [];
    for (const [call, body] of [
      ['people', '{"name":"Eve","role":"manager","x":"'],
      ['people/reset', '{"name":"Ben","x":"'],
      ['releases/keys', '{"name":"Eve","role":"ops","x":"'],
    ]) {
      const opening = page.waitForEvent('popup');
      await page.evaluate(
        ([action = '', name = '']) => {
          const form = document.createElement('form');
          Object.assign(form, { action, method: 'post', enctype: 'text/plain', target: '_blank' });
          const input = document.createElement('input');
          Object.assign(input, { type: 'hidden', name, value: '"}' });
          form.append(input);
          document.body.append(form);
          form.submit();
        },
        [`${origins[1]}/staff/api/${call}`, body],
      );
      const popup = await opening;
      await popup.waitForLoadState();
      read.push(await popup.locator('body').innerText());
      await popup.close();
    }
    return read;
  },
};

test('a script on the shop’s origin cannot add staff, read an invitation or make a release key while a manager is signed in', async ({
  browser,
  shop,
}) => {
  const manager = await addStaff(shop, 'Mia');
  await callAsStaff(shop, 'people', { name: 'Ben', role: 'seller' });
  const context = await browser.newContext({ baseURL: shop.url, bypassCSP: true, serviceWorkers: 'allow' });
  const console = await context.newPage();
  await console.addInitScript(() => localStorage.setItem('staff.language', 'en'));
  await console.goto(`${shop.staffUrl}/staff`);
  await signInAsStaff(console, manager);
  await expect(console.getByRole('navigation', { name: 'Console' })).toBeVisible();
  const before = await storedRows(shop);
  expect(JSON.stringify(before)).toContain('Ben');

  for (const [where, attack] of Object.entries(attacks))
    await test.step(where, async () => {
      const page = await context.newPage();
      await page.goto('/home');
      const read = await attack(page, [shop.url, shop.staffUrl]);
      expect(read.length).toBeGreaterThan(0);
      expect(read.filter((text) => /token|"name"|Ben|"code":200|"result"/.test(text))).toEqual([]);
      expect(await storedRows(shop)).toEqual(before);
      await page.close();
    });

  await console.reload();
  await console.getByRole('link', { name: 'People' }).click();
  await console.getByLabel('Name').fill('Cid');
  await console.getByRole('button', { name: 'Add a staff member' }).click();
  await expect(console.getByRole('dialog', { name: /^One-time link for Cid/ })).toBeVisible();
  await context.close();
});
