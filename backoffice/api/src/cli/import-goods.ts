import { FieldSchema } from '@shop/server/catalogue/goods-fields';
import { initialOf } from '@shop/server/catalogue/search-text';
import { exact } from '@shop/server/platform/http/edit-schemas';
import { Nullable } from '@shop/server/platform/http/schemas';
import { GoodsStatus, RechargeType, SpecType } from '@shop/shared/domain';
import { type Static, Type } from 'typebox';
import { type StaffGoods, StaffGoodsSchema } from '../catalogue/goods.service';
import { EditKeySchema } from '../edits/edits.service';

const { limits, custom, specs } = StaffGoodsSchema.properties;
/** A product as the console saves it, but every field except the keys is optional. */
export const GoodsSchema = exact({
  ...Type.Partial(StaffGoodsSchema).properties,
  key: EditKeySchema,
  limits: Type.Optional(exact(Type.Partial(limits).properties)),
  custom: Type.Optional(Nullable(exact(Type.Partial(custom.anyOf[0]).properties))),
  fields: Type.Optional(
    Type.Array(exact({ ...FieldSchema.properties, remember: Type.Optional(Type.Boolean()) }), { maxItems: 20 }),
  ),
  specs: Type.Optional(
    Type.Array(
      exact({
        ...Type.Partial(specs.items).properties,
        key: EditKeySchema,
        stock: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }))),
      }),
      { maxItems: 100 },
    ),
  ),
});
type ImportedGoods = Static<typeof GoodsSchema>;
type ImportedSpec = NonNullable<ImportedGoods['specs']>[number];
type Spec = StaffGoods['specs'][number];

const none = { 'zh-CN': '', en: '' };
/** The defaults of the console's form; the initial comes from the name. */
const freshGoods = (name = none) => ({
  status: GoodsStatus.OffShelf,
  recharge_type: RechargeType.CardCode,
  stock_type: 'stock' as const,
  aliases: [],
  initial: initialOf(name['zh-CN']),
  tags: [],
  image: '',
  images: [],
  description_html: none,
  notice: none,
  redeem: none,
  spec_type: SpecType.FaceValues,
  specs: [],
  custom: null,
  fields: [],
  limits: { min: 1, max: 99, per_user: null, per_day: null },
  need_verify_account: false,
  sort: 1000,
});

/**
 * The stored product, or a new one, with the changes that a file names. The lists of a file replace the stored ones; a
 * specification keeps the fields that the file omits. The result may break the console's schema, which is checked next.
 */
export function mergeGoods({ key: _key, ...named }: ImportedGoods, before: StaffGoods | undefined): unknown {
  const base: Partial<StaffGoods> = before ?? freshGoods(named.name);
  const specBefore = (key: string) => before?.specs.find((spec) => spec.key === key);
  return {
    ...base,
    ...named,
    limits: { ...base.limits, ...named.limits },
    ...(named.custom && {
      custom: {
        ...base.custom,
        ...named.custom,
        unit_price: { ...base.custom?.unit_price, ...named.custom.unit_price },
      },
    }),
    ...(named.fields && { fields: named.fields.map((field) => ({ remember: false, ...field })) }),
    ...(named.specs && { specs: named.specs.map((spec) => mergeSpec(spec, specBefore(spec.key))) }),
  };
}

function mergeSpec({ stock: _stock, ...named }: ImportedSpec, before: Spec | undefined): object {
  const stored = Object.entries(before?.original_prices ?? {});
  // An original price equal to the price means no discount, so it follows the price.
  const discounts = stored.filter(([currency, price]) => price !== before?.prices[currency as keyof Spec['prices']]);
  return {
    max_qty: 99,
    ...before,
    ...named,
    prices: { ...before?.prices, ...named.prices },
    original_prices: { ...Object.fromEntries(discounts), ...named.original_prices },
  };
}
