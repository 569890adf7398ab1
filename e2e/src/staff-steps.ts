import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { totpCode, totpStep } from '@shop/backoffice/people/totp';
import { StaffErrorCode } from '@shop/shared/domain/staff-errors';
import type { Page } from 'playwright-core';
import type { Shop } from './shop';
import { call, placeOrder } from './steps';

export interface Credentials {
  name: string;
  password: string;
  secret: Buffer;
}

/** The manager added last, in a file: the next worker continues with this manager. */
const managerFile = ({ dataDir }: Shop) => path.join(dataDir, 'e2e-manager.json');

function lastManager(shop: Shop): { cookie: string; secret: Buffer } | undefined {
  if (!existsSync(managerFile(shop))) return undefined;
  const { cookie, secret } = JSON.parse(readFileSync(managerFile(shop), 'utf8'));
  return { cookie, secret: Buffer.from(secret, 'hex') };
}

const codeOf = (secret: Buffer, after = 0) => totpCode(secret, totpStep(Date.now()) + after);

async function callConsole<T>(
  { staffUrl }: Shop,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
  cookie = '',
): Promise<{ code: number; message: string; data: T; cookie: string }> {
  const response = await fetch(`${staffUrl}/staff/api/${path}`, {
    method,
    headers: {
      'x-staff': 'act',
      'sec-fetch-site': 'same-origin',
      origin: staffUrl,
      cookie,
      ...(body && { 'content-type': 'application/json' }),
    },
    body: body && JSON.stringify(body),
  });
  const set = /^(?:__Host-)?staff=[^;]+/.exec(response.headers.get('set-cookie') ?? '')?.[0] ?? '';
  return { ...((await response.json()) as { code: number; message: string; data: T }), cookie: set };
}

export async function callAsStaff<T>(shop: Shop, path: string, body: object): Promise<{ data: T; cookie: string }> {
  const { cookie, secret } = lastManager(shop) ?? { cookie: '' };
  const answer = await callConsole<T>(shop, 'POST', path, body, cookie);
  if (answer.code === StaffErrorCode.FreshCodeNeeded && secret) {
    const proof = await callConsole(shop, 'POST', 'session/code', { code: codeOf(secret, 1) }, cookie);
    if (proof.code === 200) return callAsStaff(shop, path, body);
  }
  if (answer.code !== 200) throw new Error(`${path}: ${answer.code} ${answer.message}`);
  return answer;
}

export async function readAsStaff(shop: Shop, path: string): Promise<unknown> {
  const answer = await callConsole(shop, 'GET', path, undefined, lastManager(shop)?.cookie);
  return 'result' in answer ? answer.result : answer.data;
}

export function secretOf(address: string): Buffer {
  const characters = [...(new URL(address).searchParams.get('secret') ?? '')];
  const bits = characters.map((character) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(character).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Adds a manager: the first one by the address that the start printed, others by an invitation of the previous one. */
export async function addStaff(shop: Shop, name: string): Promise<Credentials> {
  const token = lastManager(shop)
    ? (await callAsStaff<{ token: string }>(shop, 'people', { name, role: 'manager' })).data.token
    : new URL(shop.setupAddress()).hash.slice(1);
  const choice = { token, name, password: 'kelp-orbit-94-wagon' };
  const secret = secretOf((await callAsStaff<{ address: string }>(shop, 'setup/authenticator', choice)).data.address);
  const { cookie } = await callAsStaff(shop, 'setup', { ...choice, code: codeOf(secret) });
  writeFileSync(managerFile(shop), JSON.stringify({ cookie, secret: secret.toString('hex') }));
  return { name, secret, password: choice.password };
}

export async function buyManual(shop: Shop, token: string, email: string): Promise<string> {
  const { list } = await call<{ list: Array<{ id: number; name: string }> }>(
    shop,
    '/api/front/goods/list?limit=100&keyword=YouTube%20Premium',
    token,
    undefined,
    'en',
  );
  const goods = list.find(({ name }) => name === 'YouTube Premium');
  const order_no = await placeOrder(shop, token, goods?.id, { email });
  await call(shop, '/api/front/payment/balance', token, { order_no });
  return order_no;
}

/**
 * Uses the code of the next time step, which the server also accepts: each code signs in once, and the current one was used for the setup.
 */
export async function signInAsStaff(page: Page, { name, password, secret }: Credentials): Promise<void> {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Code').fill(codeOf(secret, 1));
  await page.getByRole('button', { name: 'Sign in' }).click();
}
