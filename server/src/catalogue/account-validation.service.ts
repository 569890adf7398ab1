import { ErrorCode, GoodsStatus } from '@shop/shared/domain';
import type { AppContext } from '../context';
import { seal, sha256, unseal } from '../platform/crypto/tokens';
import { ShopError } from '../platform/http/errors';
import type { Locale } from '../platform/http/schemas';
import type { FieldValues } from './catalogue.schemas';
import { checkFields, type StoredField } from './goods-fields';

const VALIDATION_SECONDS = 600;

const digestOf = (fields: FieldValues) =>
  sha256(JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)))).toString('base64url');

/** Asks the supplier whether the game account exists. The returned token is valid for exactly these fields, for ten minutes. */
export async function validateAccount(context: AppContext, goodsId: number, values: FieldValues, locale: Locale) {
  const goods = await context.db.row<{ key: string; stock_type: string; fields: StoredField[] }>(
    `select key, stock_type, fields from goods where id = $1 and status <> ${GoodsStatus.OffShelf}`,
    [goodsId],
  );
  if (!goods) throw new ShopError(ErrorCode.GoodsUnavailable);
  const fields = checkFields(goods.fields, values, locale);
  const supplier = context.providers.supplierFor(goods.stock_type);
  const nickname = supplier ? await supplier.validateAccount(goods.key, fields).catch(() => null) : '';
  if (nickname === null) throw new ShopError(ErrorCode.SupplierUnavailable);
  if (nickname === undefined) throw new ShopError(ErrorCode.GameAccountNotVerified);
  const claims = { goods: goodsId, fields: digestOf(fields) };
  return { ok: true, nickname, validation_token: seal(context.config.secret, 'account', claims, VALIDATION_SECONDS) };
}

export function isValidated(
  context: AppContext,
  token: string | undefined,
  goodsId: number,
  fields: FieldValues,
): boolean {
  const claims = token ? unseal<{ goods: number; fields: string }>(context.config.secret, 'account', token) : undefined;
  return claims?.goods === goodsId && claims.fields === digestOf(fields);
}
