/** What tests and pictures of the staff console do first. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { totpCode, totpStep } from '../../server/src/staff/totp';
import { root, type Shop } from './shop';
import { call } from './steps';

const run = promisify(execFile);

export interface Credentials {
  name: string;
  password: string;
  secret: Buffer;
}

/** By the command line, as the first manager is made. */
export async function addStaff({ dataDir }: Shop, name: string): Promise<Credentials> {
  const args = ['--import', 'tsx', 'server/src/cli/main.ts', 'staff', 'add', name, '--role', 'manager'];
  const { stdout } = await run(process.execPath, args, { cwd: root, env: { ...process.env, DATA_DIR: dataDir } });
  const [, letters = ''] = /secret: ([A-Z2-7]+)/.exec(stdout) ?? [];
  const bits = [...letters].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  const secret = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  return { name, secret, password: /Password: (\S+)/.exec(stdout)?.[1] ?? '' };
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

export async function signInAsStaff(page: Page, { name, password, secret }: Credentials): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Code').fill(totpCode(secret, totpStep(Date.now())));
  await page.getByRole('button', { name: 'Sign in' }).click();
}
