import { ErrorCode } from '@shop/shared/domain';
import { isValidated } from '../catalogue/account-validation.service';
import { checkFields, type StoredField } from '../catalogue/goods-fields';
import type { AppContext } from '../context';
import { randomNumber } from '../platform/crypto/tokens';
import type { Sql } from '../platform/db/sql';
import { ShopError, shopErrorOf } from '../platform/http/errors';
import type { KeyedCall, StoredCall } from '../platform/http/idempotency';
import { toWire } from '../platform/http/money';
import { networkOf } from '../platform/http/networks';
import type { View, Viewer } from '../platform/http/request';
import type { MaskedField, Snapshot } from './order-row';
import type { OrderCreateBody, OrderCreated } from './orders.schemas';
import { faceValue, quote } from './quote.service';

const ORDER_SECONDS = 15 * 60;
const MAX_UNPAID_ORDERS = 5;
/** Pieces that the unpaid orders of one user may reserve together, and those of one IP prefix if goods are nearly sold out. */
const MAX_RESERVED = 20;
/** Orders that one user may cancel or let expire within an hour before new ones are refused. */
const MAX_CLOSED = 20;

/** How often an order is computed again when its terms change between reading and placing. */
const QUOTE_ATTEMPTS = 4;

/** Parameters of order_create. They are passed by name: a call that misspells one or leaves one out fails. */
const parameters = [
  'route',
  'key',
  'body_hash',
  'request_id',
  'message',
  'user',
  'vip',
  'network',
  'order_no',
  'terms',
  'goods',
  'spec',
  'custom_value',
  'quantity',
  'currency',
  'unit_price',
  'original_amount',
  'coupon_discount',
  'total_amount',
  'user_coupon',
  'snapshot',
  'fields_masked',
  'fields_cipher',
  'fields_key',
  'expire_seconds',
  'max_unpaid',
  'max_held',
  'max_closed',
] as const;
type NewOrder = Record<(typeof parameters)[number], unknown>;

const placeholder = (name: keyof NewOrder) => `$${parameters.indexOf(name) + 1}`;
const tokenHash = `$${parameters.length + 1}`;

/**
 * Records the session of a new order while its sign-in is fresh. A response stored under the idempotency key belongs to another
 * call and records none.
 */
const placeStatement = `
  with placed as materialized (
      select response from order_create(${parameters.map((name) => `p_${name} => ${placeholder(name)}`).join(', ')})),
    noted as (insert into session_orders (order_no, token_hash)
      select ${placeholder('order_no')}, s.token_hash from sessions s
       where s.token_hash = ${tokenHash} and s.fresh_until > clock_timestamp()
         and (select response -> 'data' ->> 'order_no' from placed) = ${placeholder('order_no')})
  select response from placed`;

const placeOrder = (sql: Sql, order: NewOrder, session: Buffer | null): Promise<StoredCall<PlacedOrder>> =>
  sql.one<StoredCall<PlacedOrder>>(placeStatement, [...parameters.map((name) => order[name]), session]);

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
  for (let attempt = 1; ; attempt++) {
    const order: NewOrder = {
      ...(await computeOrder(context, viewer, body, view)),
      route: call.route,
      key: call.key,
      body_hash: call.bodyHash,
      request_id: call.requestId,
      message: call.message,
      network: networkOf(address),
      max_unpaid: MAX_UNPAID_ORDERS,
      max_held: MAX_RESERVED,
      max_closed: MAX_CLOSED,
    };
    try {
      return await context.db.retrying((sql) => placeOrder(sql, order, viewer.tokenHash));
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

/** Computes the order from the shop's current data. Throws PriceChanged if the price is not the one that the buyer saw. */
async function computeOrder(context: AppContext, viewer: Viewer, body: OrderCreateBody, view: View) {
  const priced = await quote(context.db, viewer.id, body, view);
  const { goods, customValue, quantity, unitPrice, parts, original, discount, total, coupon, priceVersion } = priced;
  if (body.price_version !== priceVersion) throw new ShopError(ErrorCode.PriceChanged);
  const fields = checkFields(goods.fields, body.fields ?? {}, view.locale);
  if (goods.need_verify_account && !isValidated(context, body.validation_token, goods.id, fields))
    throw new ShopError(ErrorCode.GameAccountNotVerified);
  const snapshot: Snapshot = {
    name: { 'zh-CN': goods.name_zh, en: goods.name_en },
    image: goods.image,
    face_value: faceValue(goods, customValue),
    ...(parts.length > 0 && { price: { list_amount: priced.listAmount, parts } }),
  };
  const fieldsMasked = goods.fields.flatMap((field) => masked(field, fields[field.key]));
  return {
    user: viewer.id,
    vip: viewer.isVip,
    order_no: randomNumber(),
    terms: priced.terms,
    goods: goods.id,
    spec: goods.spec_id,
    custom_value: customValue,
    quantity,
    currency: view.currency,
    unit_price: unitPrice,
    original_amount: original,
    coupon_discount: discount,
    total_amount: total,
    user_coupon: coupon?.user_coupon_id ?? null,
    snapshot,
    // pg would send an array as a PostgreSQL array.
    fields_masked: JSON.stringify(fieldsMasked),
    fields_cipher: context.keyring.encrypt(
      JSON.stringify({ goodsKey: goods.key, specKey: goods.spec_key ?? '', fields }),
    ),
    fields_key: context.keyring.currentId,
    expire_seconds: ORDER_SECONDS,
  };
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
