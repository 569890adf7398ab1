import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeNow, fromConsole, type StaffCredentials } from '@shop/backoffice/testing';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import type { Page } from 'playwright-core';
import type { Shop } from './shop';
import { call, listOf, placeOrder } from './steps';

/** The manager added last, in a file: the next worker continues with this manager. */
const managerFile = ({ dataDir }: Shop) => path.join(dataDir, 'e2e-manager.json');

const lastManager = (shop: Shop): { cookie: string; address: string } | undefined =>
  existsSync(managerFile(shop)) ? JSON.parse(readFileSync(managerFile(shop), 'utf8')) : undefined;

/** The server also accepts it, and each code signs in once. */
const nextCode = (address: string) => codeNow(address, Date.now() + 30_000);

async function callConsole<T>(
  { staffUrl }: Shop,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  cookie = '',
): Promise<{ code: number; message: string; data: T; cookie: string }> {
  const response = await fetch(`${staffUrl}/staff/api/${path}`, {
    method,
    headers: { ...fromConsole, origin: staffUrl, cookie, ...(body && { 'content-type': 'application/json' }) },
    body: body && JSON.stringify(body),
  });
  const set = /^(?:__Host-)?staff=[^;]+/.exec(response.headers.get('set-cookie') ?? '')?.[0] ?? '';
  return { ...((await response.json()) as { code: number; message: string; data: T }), cookie: set };
}

export async function callAsStaff<T>(shop: Shop, path: string, body: object): Promise<{ data: T; cookie: string }> {
  const { cookie, address } = lastManager(shop) ?? { cookie: '' };
  const answer = await callConsole<T>(shop, 'POST', path, body, cookie);
  if (answer.code === StaffErrorCode.FreshCodeNeeded && address) {
    const proof = await callConsole(shop, 'POST', 'session/code', { code: nextCode(address) }, cookie);
    if (proof.code === 200) return callAsStaff(shop, path, body);
  }
  if (answer.code !== 200) throw new Error(`${path}: ${answer.code} ${answer.message}`);
  return answer;
}

export async function readAsStaff(shop: Shop, path: string): Promise<unknown> {
  const answer = await callConsole(shop, 'GET', path, undefined, lastManager(shop)?.cookie);
  return 'result' in answer ? answer.result : answer.data;
}

/** Adds a manager: the first one by the address that the start printed, others by an invitation of the previous one. */
export async function addStaff(shop: Shop, name: string): Promise<StaffCredentials> {
  const token = lastManager(shop)
    ? (await callAsStaff<{ token: string }>(shop, 'people', { name, role: 'manager' })).data.token
    : new URL(shop.setupAddress()).hash.slice(1);
  const choice = { token, name, password: 'kelp-orbit-94-wagon' };
  const { address } = (await callAsStaff<{ address: string }>(shop, 'setup/authenticator', choice)).data;
  const { cookie } = await callAsStaff(shop, 'setup', { ...choice, code: codeNow(address) });
  writeFileSync(managerFile(shop), JSON.stringify({ cookie, address }));
  return { name, address, password: choice.password };
}

export async function buyManual(shop: Shop, token: string, email: string): Promise<string> {
  const path = '/api/front/goods/list?limit=100&keyword=YouTube%20Premium';
  const found = await listOf<{ id: number; name: string }>(shop, path, token);
  const goods = found.find(({ name }) => name === 'YouTube Premium 代开');
  const order_no = await placeOrder(shop, token, goods?.id, { email });
  await call(shop, '/api/front/payment/balance', token, { order_no });
  return order_no;
}

/** Uses the next code, because the current one was used for the setup. */
export async function signInAsStaff(page: Page, { name, password, address }: StaffCredentials): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Code').fill(nextCode(address));
  await page.getByRole('button', { name: 'Sign in' }).click();
}
