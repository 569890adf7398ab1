/** What tests and pictures of the staff console do first. */

import { totpCode, totpStep } from '@shop/backoffice/staff/totp';
import type { Page } from 'playwright-core';
import type { Shop } from './shop';
import { call } from './steps';

export interface Credentials {
  name: string;
  password: string;
  secret: Buffer;
}

const cookies = new Map<string, string>();

/** As the manager who was added last. */
export async function callAsStaff<T>(shop: Shop, path: string, body: object): Promise<{ data: T; cookie: string }> {
  const response = await fetch(`${shop.url}/staff/api/${path}`, {
    method: 'POST',
    headers: { 'x-staff': 'act', 'content-type': 'application/json', cookie: cookies.get(shop.url) ?? '' },
    body: JSON.stringify(body),
  });
  const { code, message, data } = (await response.json()) as { code: number; message: string; data: T };
  if (code !== 200) throw new Error(`${path}: ${code} ${message}`);
  return { data, cookie: /^staff=[^;]+/.exec(response.headers.get('set-cookie') ?? '')?.[0] ?? '' };
}

/** What an authenticator app keeps of the address in its QR code. */
export function secretOf(address: string): Buffer {
  const letters = [...(new URL(address).searchParams.get('secret') ?? '')];
  const bits = letters.map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'));
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** A manager: the first one by the address that the start printed, others by an invitation of the one before. */
export async function addStaff(shop: Shop, name: string): Promise<Credentials> {
  const token = cookies.has(shop.url)
    ? (await callAsStaff<{ token: string }>(shop, 'people', { name, role: 'manager' })).data.token
    : new URL(shop.setupAddress()).hash.slice(1);
  const choice = { token, name, password: 'kelp-orbit-94-wagon' };
  const secret = secretOf((await callAsStaff<{ address: string }>(shop, 'setup/authenticator', choice)).data.address);
  const code = totpCode(secret, totpStep(Date.now()));
  cookies.set(shop.url, (await callAsStaff(shop, 'setup', { ...choice, code })).cookie);
  return { name, secret, password: choice.password };
}

/** Buys a piece of goods that a person delivers; answers the order's number. */
export async function buyManual(shop: Shop, token: string, email: string): Promise<string> {
  const { list } = await call<{ list: Array<{ id: number; name: string }> }>(
    shop,
    '/api/front/goods/list?limit=100&keyword=YouTube%20Premium',
    token,
    undefined,
    'en',
  );
  const goods = list.find(({ name }) => name === 'YouTube Premium');
  const { specs } = await call<{ specs: Array<{ id: number }> }>(shop, `/api/front/goods/info?id=${goods?.id}`, token);
  const selection = { goods_id: goods?.id, spec_id: specs[0]?.id, quantity: 1, coupon: 'none' };
  const preview = await call<{ price_version: string }>(shop, '/api/front/order/preview', token, selection);
  const order = { ...selection, fields: { email }, price_version: preview.price_version };
  const { order_no } = await call<{ order_no: string }>(shop, '/api/front/order/create', token, order);
  await call(shop, '/api/front/payment/balance', token, { order_no });
  return order_no;
}

/** With the code of the step to come, which the server takes too: each code signs in once, and the present one set the person up. */
export async function signInAsStaff(page: Page, { name, password, secret }: Credentials): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Code').fill(totpCode(secret, totpStep(Date.now()) + 1));
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Signs the person in, in English, and opens a page of the console (`stock`). */
export async function openConsoleAt(page: Page, person: Credentials, place: string): Promise<void> {
  await page.addInitScript(() => localStorage.setItem('staff.language', 'en'));
  await page.goto('/staff');
  await signInAsStaff(page, person);
  await page.getByRole('navigation', { name: 'Console' }).waitFor();
  await page.evaluate((to) => location.assign(`#/${to}`), place);
}
