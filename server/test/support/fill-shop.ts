import { createUser } from '../../src/accounts/auth/auth.service';
import { hashPassword } from '../../src/accounts/auth/passwords';
import { openSession } from '../../src/accounts/sessions/sessions.service';
import type { AppContext } from '../../src/context';
import type { Database } from '../../src/platform/db/database';
import { postToWallet } from '../../src/wallet/wallet.service';
import { readTestGoods, saveTestGoods } from './test-goods';

export const PASSWORD = 'right-password';

export interface Shopper {
  id: number;
  phone: string;
  token: string;
}
export interface ShopGoods {
  card: { id: number; spec: number };
  topUp: { id: number };
}

/** A user who has signed in by code, with money in the wallet, in minor units of CNY. */
export async function newShopper(db: Database, balance = 0, passwordHash?: string): Promise<Shopper> {
  const phone = `139${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
  const account = await createUser(db, { phone, passwordHash });
  if (!account) return newShopper(db, balance, passwordHash);
  const { id } = account;
  if (balance > 0)
    await postToWallet(db, {
      userId: id,
      currency: 'CNY',
      type: 1,
      available: balance,
      counter: 'adjustment',
      actor: 'test',
    });
  const visitor = { address: '10.0.0.1', userAgent: '', device: null };
  const { access_token } = await openSession(db, account, visitor, 'code');
  return { id, phone, token: access_token };
}

export async function fillShop(
  { db, keyring }: AppContext,
  { people: count = 1, balance = 20_000 } = {},
): Promise<{ goods: ShopGoods; users: Shopper[] }> {
  await saveTestGoods(db, keyring);
  const { card, custom } = await readTestGoods(db);
  const passwordHash = await hashPassword(PASSWORD);
  const users: Shopper[] = [];
  while (users.length < count) users.push(await newShopper(db, balance, passwordHash));
  return { goods: { card: { id: card.id, spec: card.specs.get('a') as number }, topUp: custom }, users };
}
