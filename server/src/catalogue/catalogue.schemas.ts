import { type Static, Type } from 'typebox';
import {
  CurrencySchema,
  CursorQuery,
  IdSchema,
  MoneySchema,
  Nullable,
  Paged,
  TIME_CURSOR,
  TimeSchema,
} from '../platform/http/schemas';

/** 0 none, 1 goods, 2 list, 3 article, 4 https address. */
const LinkTypeSchema = Type.Integer({ minimum: 0, maximum: 4 });

export const ChannelQuerySchema = Type.Object({ channel: Type.Optional(Type.Integer({ minimum: 0, maximum: 6 })) });

export const SwiperSchema = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  image: Type.String(),
  image_alt: Type.String(),
  link_type: LinkTypeSchema,
  link_value: Type.String(),
  sort: Type.Integer(),
});
export type Swiper = Static<typeof SwiperSchema>;
export const swipersCall = { query: ChannelQuerySchema, data: Type.Array(SwiperSchema) };

const ModuleItemSchema = Type.Object({
  id: Type.Integer(),
  /** 'goods' | 'category' | 'link' */
  kind: Type.String(),
  image: Type.String(),
  title: Type.String(),
  price: Type.Optional(MoneySchema),
  /** Whether the values have several prices, so that the price shown is the lowest. */
  prices_differ: Type.Optional(Type.Boolean()),
  /** Present only if it is higher than the price. */
  original_price: Type.Optional(MoneySchema),
  tag: Type.Optional(Type.String()),
  link_type: LinkTypeSchema,
  link_value: Type.String(),
});
export type ModuleItem = Static<typeof ModuleItemSchema>;
export const CustomModuleSchema = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  subtitle: Type.String(),
  /** Zone template 1 to 6. */
  template: Type.Integer(),
  sort: Type.Integer(),
  /** Path inside the shop; empty for none. */
  more_link: Type.String(),
  countdown_end: Type.Optional(TimeSchema),
  items: Type.Array(ModuleItemSchema),
});
export type CustomModule = Static<typeof CustomModuleSchema>;
export const modulesCall = { query: ChannelQuerySchema, data: Type.Array(CustomModuleSchema) };

export const CategorySchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  icon: Type.String(),
  sort: Type.Integer(),
});
export type Category = Static<typeof CategorySchema>;

export const GoodsListQuerySchema = Type.Object({
  keyword: Type.Optional(Type.String({ maxLength: 60 })),
  letter: Type.Optional(Type.String({ maxLength: 1 })),
  category_id: Type.Optional(IdSchema),
  recharge_type: Type.Optional(Type.Integer({ minimum: 1, maximum: 4 })),
  /** default | hot | new | price_asc | price_desc | name */
  sort: Type.Optional(Type.String({ maxLength: 16 })),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
});
export type GoodsListQuery = Static<typeof GoodsListQuerySchema>;
export const GoodsCountSchema = Type.Object({
  category_id: Type.Integer(),
  recharge_type: Type.Integer(),
  /** A to Z, or # */
  letter: Type.String(),
  goods: Type.Integer(),
});
export type GoodsCount = Static<typeof GoodsCountSchema>;

export const GoodsListItemSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  image: Type.String(),
  initial: Type.String(),
  category_id: Type.Integer(),
  /** 1 card-code, 2 direct, 3 proxy, 4 manual. */
  recharge_types: Type.Array(Type.Integer()),
  min_price: MoneySchema,
  prices_differ: Type.Boolean(),
  currency: CurrencySchema,
  tags: Type.Array(Type.String()),
  sold_out: Type.Boolean(),
});
export type GoodsListItem = Static<typeof GoodsListItemSchema>;
export const GoodsPageSchema = Paged(GoodsListItemSchema);
export type GoodsPage = Static<typeof GoodsPageSchema>;
export const goodsListCall = { query: GoodsListQuerySchema, data: GoodsPageSchema };

export const GoodsInfoQuerySchema = Type.Object({ id: IdSchema });
const GoodsSpecSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  face_value: Type.String(),
  price: MoneySchema,
  original_price: MoneySchema,
  /** 0 out, 1 in, 2 low. */
  stock_state: Type.Integer(),
  max_qty: Type.Integer(),
  /** Unit price from this quantity on. Only steps that an order can reach and that lower the price; absent without any. */
  steps: Type.Optional(Type.Array(Type.Object({ from: Type.Integer(), price: MoneySchema }))),
});
export type GoodsSpec = Static<typeof GoodsSpecSchema>;
const GoodsFieldOptionSchema = Type.Object({
  value: Type.String(),
  label: Type.String(),
  /** Values of the field named by `depends_on` for which this option is shown; absent: always. */
  when: Type.Optional(Type.Array(Type.String())),
});
export type GoodsFieldOption = Static<typeof GoodsFieldOptionSchema>;
const GoodsFieldSchema = Type.Object({
  key: Type.String(),
  label: Type.String(),
  type: Type.Union([Type.Literal('text'), Type.Literal('number'), Type.Literal('select'), Type.Literal('password')]),
  required: Type.Boolean(),
  pattern: Type.Optional(Type.String()),
  min_len: Type.Optional(Type.Integer()),
  max_len: Type.Optional(Type.Integer()),
  options: Type.Array(GoodsFieldOptionSchema),
  depends_on: Type.Optional(Type.String()),
  help: Type.Optional(Type.String()),
  /** May be saved in a game account. Never true for a password. */
  remember: Type.Boolean(),
});
export type GoodsField = Static<typeof GoodsFieldSchema>;
export const GoodsInfoSchema = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  image: Type.String(),
  images: Type.Array(Type.String()),
  category_id: Type.Integer(),
  tags: Type.Array(Type.String()),
  /** 1 on shelf, 2 off shelf, 3 VIP shelf. */
  status: Type.Integer(),
  /** 1 card-code, 2 direct, 3 proxy, 4 manual. */
  recharge_type: Type.Integer(),
  description_html: Type.String(),
  notice: Type.String(),
  redeem: Type.Array(Type.String()),
  /** 1 face values (`specs`), 2 custom face value (`custom`). */
  spec_type: Type.Integer(),
  specs: Type.Array(GoodsSpecSchema),
  custom: Nullable(
    Type.Object({
      min: Type.Integer(),
      max: Type.Integer(),
      step: Type.Integer(),
      /** Price of one; total = unit_price × value × quantity. */
      unit_price: MoneySchema,
      unit: Type.String(),
    }),
  ),
  fields: Type.Array(GoodsFieldSchema),
  /** Quantities; 0 means no limit for per_user and per_day. `used` counts this user's (for per_day today's) pieces. */
  limits: Type.Object({
    min: Type.Integer(),
    max: Type.Integer(),
    per_user: Type.Integer(),
    per_day: Type.Integer(),
    used: Type.Integer(),
  }),
  need_verify_account: Type.Boolean(),
  /** Pieces sold in delivered orders, rounded down to the first digit from 10 on; 0 for none. */
  sold: Type.Integer(),
  /** Median seconds from payment to delivery of the latest orders; null while there are fewer than three. */
  delivery_seconds: Nullable(Type.Integer()),
  currency: CurrencySchema,
  /** True if a value is sold out and the shop can notify users when it is back. */
  tells_stock: Type.Optional(Type.Boolean()),
});
export type GoodsInfo = Static<typeof GoodsInfoSchema>;
export const goodsInfoCall = { query: GoodsInfoQuerySchema, data: GoodsInfoSchema };

export const FieldValuesSchema = Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 200 }), {
  maxProperties: 20,
});
export type FieldValues = Static<typeof FieldValuesSchema>;
export const ValidateAccountBodySchema = Type.Object({ goods_id: IdSchema, fields: FieldValuesSchema });
export const ValidateAccountAnswerSchema = Type.Object({
  ok: Type.Boolean(),
  nickname: Type.String(),
  validation_token: Type.String(),
});
export type ValidateAccountAnswer = Static<typeof ValidateAccountAnswerSchema>;
export const validateAccountCall = { body: ValidateAccountBodySchema, data: ValidateAccountAnswerSchema };

export const SearchHotSchema = Type.Array(Type.String());
export const SearchSuggestQuerySchema = Type.Object({ keyword: Type.String({ maxLength: 60 }) });
export const SearchSuggestSchema = Type.Array(
  Type.Object({ id: Type.Integer(), name: Type.String(), image: Type.String() }),
);
export type SearchSuggest = Static<typeof SearchSuggestSchema>;
export const suggestCall = { query: SearchSuggestQuerySchema, data: SearchSuggestSchema };

const { min_price: _price, ...shown } = GoodsListItemSchema.properties;
const FavouriteSchema = Type.Object({
  ...shown,
  /** Null if the goods are not offered in the currency. */
  min_price: Nullable(MoneySchema),
  available: Type.Boolean(),
});
export type Favourite = Static<typeof FavouriteSchema>;
export const FavouriteListQuerySchema = CursorQuery(TIME_CURSOR);
export type FavouriteListQuery = Static<typeof FavouriteListQuerySchema>;
export const FavouritePageSchema = Paged(FavouriteSchema);
export const favouritesCall = { query: FavouriteListQuerySchema, data: FavouritePageSchema };

export const FavouriteIdsSchema = Type.Object({ goods_ids: Type.Array(Type.Integer()) });
export const FavouriteGoodsSchema = Type.Object({ goods_id: IdSchema });
export const FavouriteStateSchema = Type.Object({ goods_id: Type.Integer(), favourite: Type.Boolean() });
export const removeFavouriteCall = { query: FavouriteGoodsSchema, data: FavouriteStateSchema };
export const addFavouriteCall = { body: FavouriteGoodsSchema, data: FavouriteStateSchema };
