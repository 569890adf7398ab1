/** The gate's shopper: signed in as the app does it, and proven by the name on the page. */
import type { Browser } from 'playwright-core';

export interface Account {
  phone: string;
  password: string;
}

export interface Shopper {
  /** As the app stores it and sends it: with the scheme. */
  token: string;
  /** What the page of the shopper shows: the nickname, or the masked phone of a shopper without one. */
  name: string;
}

interface Envelope<Data> {
  code: number;
  message: string;
  data: Data | null;
}

/** The page that shows the shopper's name. */
const OWN_PAGE = '/user';

async function call<Data>(url: URL, init: RequestInit): Promise<Data> {
  const response = await fetch(url, init);
  const { code, message, data } = (await response.json()) as Envelope<Data>;
  if (code !== 200 || !data) throw new Error(`${url.pathname} answered ${code} ${message}`);
  return data;
}

/** Throws with what the shop answered. */
export async function signIn(origin: string, account: Account): Promise<Shopper> {
  const answer = await call<{ token_type?: string; access_token?: string }>(new URL('/api/front/app/login', origin), {
    method: 'POST',
    headers: { 'content-type': 'application/json', locale: 'en' },
    body: JSON.stringify({ ...account, login_type: 'password', verify: '' }),
  });
  if (!answer.access_token) throw new Error('the sign-in answered no token');
  const token = `${answer.token_type || 'Bearer'} ${answer.access_token}`;
  const user = await call<{ nickname?: string; phone?: string }>(new URL('/api/front/user/info', origin), {
    headers: { authorization: token, locale: 'en' },
  });
  const masked = (user.phone ?? account.phone).replace(/^(\d{3})\d{4}(?=\d{4}$)/, '$1****');
  return { token, name: user.nickname || masked };
}

/** Throws when the shopper's own page does not show the name within `timeout` ms. */
export async function proveSignedIn(
  browser: Browser,
  origin: string,
  { token, name }: Shopper,
  timeout: number,
): Promise<void> {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  try {
    await context.addInitScript((value) => localStorage.setItem('token', value), token);
    const page = await context.newPage();
    await page.goto(origin + OWN_PAGE, { waitUntil: 'commit' });
    await page
      .getByText(name)
      .first()
      .waitFor({ timeout })
      .catch(() => {
        throw new Error(`${OWN_PAGE} does not show the shopper's name, "${name}"`);
      });
  } finally {
    await context.close();
  }
}
