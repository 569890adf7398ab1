import { ErrorCode, SpecType } from '@shop/shared/domain';
import type { StoredField } from '../catalogue/goods-fields';
import { bestOffer, type Priced, pricedCoupons } from '../coupons/coupons.service';
import { sha256 } from '../platform/crypto/tokens';
import type { Sql } from '../platform/db/sql';
import { messageOf, ShopError } from '../platform/http/errors';
import type { Texts } from '../platform/http/localised-text';
import { toWire } from '../platform/http/money';
import type { View, Viewer } from '../platform/http/request';
import type { PricePart } from './order-row';
import { orderText, partLabel } from './order-texts';
import type { OrderPreview, OrderPreviewBody } from './orders.schemas';

interface Terms {
  id: number;
  key: string;
  name_zh: string;
  name_en: string;
  image: string;
  spec_type: number;
  fields: StoredField[];
  need_verify_account: boolean;
  min_qty: number;
  max_qty: number;
  custom_min: number | null;
  custom_max: number | null;
  custom_step: number | null;
  custom_unit: Texts | null;
  spec_id: number | null;
  spec_key: string | null;
  spec_name_zh: string | null;
  spec_name_en: string | null;
  spec_max_qty: number | null;
  price: number | null;
  level?: { id: number; name: Texts };
}

export interface RuledPrice {
  unit_price: number;
  list_amount: number;
  amount: number;
  step_from: number | null;
  step_off: number;
  level_off: number;
}

/**
 * Current price of an order; amounts are minor units. Throws GoodsUnavailable, CurrencyNotOffered, QuantityNotAllowed, and for a
 * coupon that the buyer chose CouponNotFound or the reason why it cannot be used.
 */
export async function quote(sql: Sql, userId: number, body: OrderPreviewBody, view: View) {
  const read = await sql.one<RuledPrice & { goods: Terms | null; terms: string; balance: number; coupons: Priced[] }>(
    `select terms as goods, md5(terms::text) as terms, ruled.*,
            coalesce((select balance from wallets where user_id = $1 and currency = $4), 0) as balance,
            ${pricedCoupons('ruled.amount', view.locale)} as coupons
       from order_terms($2, $3, $4, $5, $1) as terms left join lateral order_price(terms, $6, $7) as ruled on true`,
    [
      userId,
      body.goods_id,
      body.spec_id ?? null,
      view.currency,
      view.viewer?.isVip ?? false,
      body.custom_value ?? null,
      body.quantity,
    ],
  );
  const { goods, coupons, unit_price, list_amount, amount: original_amount } = read;
  if (!goods || (goods.spec_type === SpecType.FaceValues && !goods.spec_id))
    throw new ShopError(ErrorCode.GoodsUnavailable);
  if (goods.price === null) throw new ShopError(ErrorCode.CurrencyNotOffered);
  const custom_value = goods.spec_type === SpecType.Custom ? customValueOf(goods, body.custom_value) : null;
  const { quantity } = body;
  if (quantity < goods.min_qty || quantity > Math.min(goods.max_qty, goods.spec_max_qty ?? goods.max_qty)) {
    throw new ShopError(ErrorCode.QuantityNotAllowed);
  }
  if (!Number.isSafeInteger(list_amount * 100)) throw new ShopError(ErrorCode.QuantityNotAllowed);
  const coupon = pick(coupons, body);
  const coupon_discount = coupon?.discount ?? 0;
  const parts = partsOf(read, goods);
  const version = [
    goods.id,
    goods.spec_id,
    view.currency,
    goods.price,
    custom_value,
    quantity,
    coupon_discount,
    ...parts.map(({ kind, amount, ...part }) => [kind, 'level' in part ? part.level : part.from, amount]),
  ].join(':');
  return {
    ...read,
    goods,
    /** Columns of the order. */
    order: {
      goods_id: goods.id,
      spec_id: goods.spec_id,
      custom_value,
      quantity,
      currency: view.currency,
      unit_price,
      original_amount,
      coupon_discount,
      total_amount: original_amount - coupon_discount,
      user_coupon_id: coupon?.user_coupon_id ?? null,
    },
    parts,
    coupon,
    price_version: sha256(version).toString('base64url').slice(0, 22),
  };
}

function customValueOf(goods: Terms, value: number | undefined): number {
  const { custom_min: min, custom_max: max, custom_step: step } = goods;
  if (value === undefined || min === null || max === null || step === null)
    throw new ShopError(ErrorCode.QuantityNotAllowed);
  if (value < min || value > max || (value - min) % step !== 0) throw new ShopError(ErrorCode.QuantityNotAllowed);
  return value;
}

function partsOf({ step_from, step_off, level_off }: RuledPrice, { level }: Terms): PricePart[] {
  const parts: PricePart[] = [];
  if (step_from !== null) parts.push({ kind: 'step', from: step_from, amount: step_off });
  if (level && level_off > 0) parts.push({ kind: 'level', level: level.id, name: level.name, amount: level_off });
  return parts;
}

function pick(coupons: Priced[], { user_coupon_id, coupon }: OrderPreviewBody): Priced | undefined {
  if (user_coupon_id === undefined) {
    return coupon === 'none' ? undefined : coupons.find((candidate) => candidate.fault === 0 && candidate.discount > 0);
  }
  const named = coupons.find((candidate) => candidate.user_coupon_id === user_coupon_id);
  if (!named) throw new ShopError(ErrorCode.CouponNotFound);
  if (named.fault) throw new ShopError(named.fault);
  return named;
}

/** "648 钻石", or "500 点券" of a custom value. */
export function faceValue(goods: Terms, customValue: number | null): Texts {
  if (customValue === null) return { 'zh-CN': goods.spec_name_zh ?? '', en: goods.spec_name_en ?? '' };
  const unit = goods.custom_unit ?? { 'zh-CN': '', en: '' };
  return { 'zh-CN': `${customValue} ${unit['zh-CN']}`.trim(), en: `${customValue} ${unit.en}`.trim() };
}

export async function previewOrder(
  sql: Sql,
  viewer: Viewer,
  body: OrderPreviewBody,
  view: View,
): Promise<OrderPreview> {
  const priced = await quote(sql, viewer.id, body, view);
  const { goods, parts, coupon, coupons, balance } = priced;
  const { quantity, currency, unit_price, original_amount, coupon_discount, total_amount } = priced.order;
  const line = (kind: string, amount: number, label = orderText(kind, view.locale)) => ({
    kind,
    label,
    amount: toWire(amount),
  });
  return {
    currency,
    unit_price: toWire(unit_price),
    ...(parts.length > 0 && { list_price: toWire(goods.price ?? unit_price) }),
    quantity,
    original_amount: toWire(original_amount),
    coupon_discount: toWire(coupon_discount),
    total_amount: toWire(total_amount),
    breakdown: [
      line('goods', priced.list_amount),
      ...parts.map((part) => line(part.kind, -part.amount, partLabel(part, view.locale))),
      ...(coupon ? [line('coupon', -coupon_discount, coupon.name)] : []),
      line('total', total_amount),
    ],
    coupon: coupon ?? null,
    available: coupons.filter(({ fault }) => fault === 0),
    unavailable: coupons.flatMap(({ fault, ...coupon }) =>
      fault ? [{ ...coupon, reason: messageOf(fault, view.locale), code: fault }] : [],
    ),
    offer: await bestOffer(sql, viewer.id, { goodsId: body.goods_id, amount: original_amount }, view),
    balance: toWire(balance),
    balance_enough: balance >= total_amount,
    price_version: priced.price_version,
  };
}
