import { type Static, Type } from 'typebox';
import { CursorQuery, IdSchema, MoneySchema, Nullable, Paged, TIME_CURSOR } from '../../platform/http/schemas';
import { GoodsListItemSchema } from '../catalogue.schemas';

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

export const FavouriteIdsSchema = Type.Object({ goods_ids: Type.Array(Type.Integer()) });
export const FavouriteBodySchema = Type.Object({ goods_id: IdSchema });
export const FavouriteQuerySchema = Type.Object({ goods_id: IdSchema });
export const FavouriteStateSchema = Type.Object({ goods_id: Type.Integer(), favourite: Type.Boolean() });
