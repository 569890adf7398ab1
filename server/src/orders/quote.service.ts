import type { Texts } from '../app/context';
import { ShopError } from '../app/errors';
import type { Locale } from '../app/schema';
import type { StoredField, View } from '../catalogue/catalogue.service';
import { type Priced, priceCoupons } from '../coupons/coupons.service';
import { sha256 } from '../crypto/tokens';
import type { Sql } from '../db/sql';
import type { OrderPreviewBody } from './orders.schemas';

interface GoodsRow {
  id: number;
  key: string;
  name_zh: string;
  name_en: string;
  image: string;
  recharge_type: number;
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
}

/** What an order would cost now, read in one transaction with what follows. Amounts are minor units. */
export interface Quote {
  goods: GoodsRow;
  customValue: number | null;
  quantity: number;
  unitPrice: number;
  original: number;
  discount: number;
  total: number;
  coupon: Priced | undefined;
  coupons: Priced[];
  priceVersion: string;
}

/** Throws 42204, 42210, 42221, and for a coupon named by its id 44404 or what keeps it from being used. */
export async function quote(sql: Sql, userId: number, body: OrderPreviewBody, view: View): Promise<Quote> {
  const goods = await sql.row<GoodsRow>(
    `select g.id, g.key, g.name_zh, g.name_en, g.image, g.recharge_type, g.spec_type, g.fields, g.need_verify_account,
            g.min_qty, g.max_qty, g.custom_min, g.custom_max, g.custom_step, g.custom_unit, s.id as spec_id,
            s.key as spec_key, s.name_zh as spec_name_zh, s.name_en as spec_name_en, s.max_qty as spec_max_qty, p.price
       from goods g
       left join goods_specs s on g.spec_type = 1 and s.goods_id = g.id and s.id = $2 and s.active
       left join prices p on p.goods_id = g.id and p.currency = $3 and p.spec_id is not distinct from s.id
      where g.id = $1 and (g.status = 1 or (g.status = 3 and $4))`,
    [body.goods_id, body.spec_id ?? null, view.currency, view.viewer?.isVip ?? false],
  );
  if (!goods || (goods.spec_type === 1 && !goods.spec_id)) throw new ShopError(42204);
  if (goods.price === null) throw new ShopError(42210);
  const customValue = goods.spec_type === 2 ? customValueOf(goods, body.custom_value) : null;
  const { quantity } = body;
  if (quantity < goods.min_qty || quantity > Math.min(goods.max_qty, goods.spec_max_qty ?? goods.max_qty)) {
    throw new ShopError(42221);
  }
  const original = goods.price * (customValue ?? 1) * quantity;
  if (!Number.isSafeInteger(original * 100)) throw new ShopError(42221);
  const coupons = await priceCoupons(
    sql,
    userId,
    { goodsId: goods.id, amount: original, currency: view.currency },
    view.locale,
  );
  const coupon = pick(coupons, body);
  const discount = coupon?.discount ?? 0;
  const version = [goods.id, goods.spec_id, view.currency, goods.price, customValue, quantity].join(':');
  return {
    goods,
    customValue,
    quantity,
    unitPrice: goods.price,
    original,
    discount,
    total: original - discount,
    coupon,
    coupons,
    priceVersion: sha256(version).toString('base64url').slice(0, 22),
  };
}

function customValueOf(goods: GoodsRow, value: number | undefined): number {
  const { custom_min: min, custom_max: max, custom_step: step } = goods;
  if (value === undefined || min === null || max === null || step === null) throw new ShopError(42221);
  if (value < min || value > max || (value - min) % step !== 0) throw new ShopError(42221);
  return value;
}

function pick(coupons: Priced[], { user_coupon_id, coupon }: OrderPreviewBody): Priced | undefined {
  if (user_coupon_id === undefined) {
    return coupon === 'none' ? undefined : coupons.find((one) => one.fault === 0 && one.discount > 0);
  }
  const named = coupons.find((one) => one.user_coupon_id === user_coupon_id);
  if (!named) throw new ShopError(44404);
  if (named.fault) throw new ShopError(named.fault);
  return named;
}

/** "648 钻石", or "500 点券" of a custom value. */
export function faceValue(goods: GoodsRow, customValue: number | null): Texts {
  if (customValue === null) return { 'zh-CN': goods.spec_name_zh ?? '', en: goods.spec_name_en ?? '' };
  const unit = goods.custom_unit ?? { 'zh-CN': '', en: '' };
  return { 'zh-CN': `${customValue} ${unit['zh-CN']}`.trim(), en: `${customValue} ${unit.en}`.trim() };
}

export const nameOf = (goods: { name_zh: string; name_en: string }, locale: Locale) =>
  locale === 'en' ? goods.name_en : goods.name_zh;
