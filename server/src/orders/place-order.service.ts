import { ErrorCode } from '@shop/shared/domain';
import { isValidated } from '../catalogue/account-validation.service';
import { checkFields, type StoredField } from '../catalogue/goods-fields';
import type { AppContext } from '../context';
import { randomNumber } from '../platform/crypto/tokens';
import { ShopError, shopErrorOf } from '../platform/http/errors';
import type { KeyedCall, StoredCall } from '../platform/http/idempotency';
import { toWire } from '../platform/http/money';
import { networkOf } from '../platform/http/networks';
import type { View, Viewer } from '../platform/http/request';
import type { MaskedField, Snapshot } from './order-row';
import type { OrderCreateBody, OrderCreated } from './orders.schemas';
import { faceValue, quote } from './quote.service';

/** How often an order is computed again when its terms change between reading and placing. */
const QUOTE_ATTEMPTS = 4;

/**
 * Records the session of a new order while its sign-in is fresh. A response stored under the idempotency key belongs to another
 * call and records none.
 */
const placeStatement = `
  with placed as materialized (select response from order_create($1, $2, $3, $4, $5, $6, $7, $8, $9)),
    noted as (insert into session_orders (order_no, token_hash)
      select $10, s.token_hash from sessions s
       where s.token_hash = $11 and s.fresh_until > clock_timestamp()
         and (select response -> 'data' ->> 'order_no' from placed) = $10)
  select response from placed`;

/** The function order_create returns it. The amount is in minor units. */
type PlacedOrder = Omit<OrderCreated, 'total_amount'> & { total_amount: number };

/**
 * Places an order in one statement, order_create, which reads again all data that the price was computed from: an order never
 * relies on an earlier read.
 */
export async function createOrder(
  context: AppContext,
  viewer: Viewer,
  body: OrderCreateBody,
  view: View,
  call: KeyedCall,
  address: string,
): Promise<StoredCall<PlacedOrder>> {
  const { route, key, bodyHash, requestId, message } = call;
  for (let attempt = 1; ; attempt++) {
    // The digest of the terms: order_create refuses an order that was computed from others.
    const { terms, order } = await computeOrder(context, viewer, body, view);
    const placed = { ...order, network: networkOf(address) };
    try {
      return await context.db.retrying((sql) =>
        sql.one<StoredCall<PlacedOrder>>(placeStatement, [
          route,
          key,
          bodyHash,
          viewer.id,
          viewer.isVip,
          terms,
          placed,
          message,
          requestId,
          order.order_no,
          viewer.tokenHash,
        ]),
      );
    } catch (error) {
      if (shopErrorOf(error)?.code !== ErrorCode.PriceChanged || attempt === QUOTE_ATTEMPTS) throw error;
    }
  }
}

export const toOrderCreated = (order: PlacedOrder): OrderCreated => ({
  ...order,
  total_amount: toWire(order.total_amount),
  expire_at: new Date(order.expire_at).toISOString(),
  server_time: new Date(order.server_time).toISOString(),
});

/** Computes the columns of the order from the shop's current data. Throws PriceChanged if the price is not the one that the buyer saw. */
async function computeOrder(context: AppContext, viewer: Viewer, body: OrderCreateBody, view: View) {
  const priced = await quote(context.db, viewer.id, body, view);
  const { goods, parts } = priced;
  if (body.price_version !== priced.price_version) throw new ShopError(ErrorCode.PriceChanged);
  const fields = checkFields(goods.fields, body.fields ?? {}, view.locale);
  if (goods.need_verify_account && !isValidated(context, body.validation_token, goods.id, fields))
    throw new ShopError(ErrorCode.GameAccountNotVerified);
  const snapshot: Snapshot = {
    name: { 'zh-CN': goods.name_zh, en: goods.name_en },
    image: goods.image,
    face_value: faceValue(goods, priced.order.custom_value),
    ...(parts.length > 0 && { price: { list_amount: priced.list_amount, parts } }),
  };
  const sealed = { goodsKey: goods.key, specKey: goods.spec_key ?? '', fields };
  const order = {
    ...priced.order,
    order_no: randomNumber(),
    snapshot,
    fields_masked: goods.fields.flatMap((field) => masked(field, fields[field.key])),
    fields_cipher: `\\x${context.keyring.encrypt(JSON.stringify(sealed)).toString('hex')}`,
    fields_key: context.keyring.currentId,
  };
  return { terms: priced.terms, order };
}

function masked(field: StoredField, value: string | undefined): MaskedField[] {
  if (!value) return [];
  const secret = field.type === 'password';
  const option = field.options?.find((choice) => choice.value === value);
  return [
    {
      key: field.key,
      label: field.label,
      value: secret ? '******' : value,
      remember: field.remember && !secret,
      ...(option ? { option: option.label } : {}),
    },
  ];
}
