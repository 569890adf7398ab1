import { FieldSchema } from '@shop/server/catalogue/field.schemas';
import { MAX_HTML_LENGTH } from '@shop/server/content/sanitise';
import { exact, inBoth, linesInBoth, oneOf, text } from '@shop/server/platform/http/edit-schemas';
import { PICTURE_PATTERN } from '@shop/server/platform/http/links';
import { Nullable } from '@shop/server/platform/http/schemas';
import { GoodsStatus, RechargeType, SpecType } from '@shop/shared/domain';
import { stockTypes } from '@shop/shared/domain/lists';
import { type Static, Type } from 'typebox';
import { EditKeySchema } from '../edits/edits.service';

/** Above zero, in major units with two decimals. */
const PriceSchema = Type.String({ pattern: '^(?!0+(\\.0+)?$)\\d{1,9}(\\.\\d{1,2})?$' });
export const PricesSchema = Type.Object(
  { CNY: Type.Optional(PriceSchema), USD: Type.Optional(PriceSchema) },
  { additionalProperties: false },
);
const CountSchema = Type.Integer({ minimum: 1, maximum: 1_000_000 });
const PictureSchema = Type.String({ pattern: `^$|${PICTURE_PATTERN}`, maxLength: 500 });

/** A product as staff edit it. It has no stock counters, because orders change them. */
export const StaffGoodsSchema = exact({
  name: inBoth(100, 1),
  category: EditKeySchema,
  status: oneOf(Object.values(GoodsStatus)),
  recharge_type: oneOf(Object.values(RechargeType)),
  stock_type: oneOf(stockTypes),
  aliases: Type.Array(text(60, 1), { maxItems: 50 }),
  initial: Type.String({ pattern: '^[A-Z#]$' }),
  tags: Type.Array(inBoth(20, 1), { maxItems: 10 }),
  image: PictureSchema,
  images: Type.Array(PictureSchema, { maxItems: 10 }),
  description_html: linesInBoth(MAX_HTML_LENGTH),
  notice: linesInBoth(5000),
  redeem: linesInBoth(5000),
  spec_type: oneOf(Object.values(SpecType)),
  specs: Type.Array(
    exact({
      key: EditKeySchema,
      name: inBoth(100, 1),
      face_value: text(60, 1),
      prices: PricesSchema,
      /** The price before the discount; equal to the price if there is no discount. */
      original_prices: PricesSchema,
      /** Prices by quantity. Absent: they stay. Revisions from before this feature lack them. */
      steps: Type.Optional(
        Type.Array(exact({ from: Type.Integer({ minimum: 2, maximum: 1_000_000 }), prices: PricesSchema }), {
          maxItems: 10,
        }),
      ),
      max_qty: CountSchema,
    }),
    { maxItems: 100 },
  ),
  custom: Nullable(
    exact({ min: CountSchema, max: CountSchema, step: CountSchema, unit_price: PricesSchema, unit: inBoth(30, 1) }),
  ),
  fields: Type.Array(FieldSchema, { maxItems: 20 }),
  limits: exact({
    min: CountSchema,
    max: CountSchema,
    per_user: Nullable(CountSchema),
    per_day: Nullable(CountSchema),
  }),
  need_verify_account: Type.Boolean(),
  sort: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
});
export type StaffGoods = Static<typeof StaffGoodsSchema>;

export const GoodsQuerySchema = Type.Object({
  q: Type.Optional(text(60)),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, default: 1 })),
  cursor: Type.Optional(Type.String({ pattern: '^-?\\d{1,10}\\.\\d{1,15}$' })),
});
