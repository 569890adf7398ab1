import { SHOP_SQLSTATE } from '../db/sql';
import { isShopCode, ShopError } from './errors';

/** The shop's error behind a thrown value: itself, or one that a function of the database raised. */
export function shopErrorOf(error: unknown): ShopError | undefined {
  if (error instanceof ShopError) return error;
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  if (code !== SHOP_SQLSTATE) return undefined;
  const number = Number(message);
  return isShopCode(number) ? new ShopError(number) : undefined;
}
