import { ErrorCode } from '@shop/shared/domain';
import type { DomainRoutes } from '../../context';
import type { Sql } from '../../platform/db/sql';
import { callsOf } from '../../platform/http/calls';
import { ShopError } from '../../platform/http/errors';
import { wireAmount } from '../../platform/http/money';
import { atMicros, cursorPageOf, pagingOf } from '../../platform/http/paging';
import type { Viewer } from '../../platform/http/request';
import type { Page } from '../../platform/http/schemas';
import type { UserView } from '../../platform/user-reads';
import {
  addFavouriteCall,
  type Favourite,
  FavouriteIdsSchema,
  type FavouriteListQuery,
  favouritesCall,
  removeFavouriteCall,
} from '../catalogue.schemas';
import { type GoodsRow, listColumns, listItem } from '../goods-list.service';
import { onShelf } from '../low-stock';

export const favouritesRoutes: DomainRoutes = async (app, { context: { db }, reads, userReads }) => {
  const { user } = callsOf(app);
  userReads.serve(app, '/api/front/user/favourite', favouritesCall, (query, view) => favourites(reads, query, view));
  userReads.serve(app, '/api/front/user/favourite/ids', { data: FavouriteIdsSchema }, async (_query, { viewer }) => ({
    goods_ids: await reads.column<number>(
      'select goods_id from favourites where user_id = $1 order by created_at desc',
      [viewer.id],
    ),
  }));
  user.post('/api/front/user/favourite', addFavouriteCall, async ({ viewer, body: { goods_id } }) => {
    await addFavourite(db, viewer, goods_id);
    return { goods_id, favourite: true };
  });
  user.delete('/api/front/user/favourite', removeFavouriteCall, async ({ viewer, query: { goods_id } }) => {
    await db.run('delete from favourites where user_id = $1 and goods_id = $2', [viewer.id, goods_id]);
    return { goods_id, favourite: false };
  });
};

const MAX_FAVOURITES = 500;

interface FavouriteRow extends GoodsRow {
  min_price: string | null;
  total: number;
  micros: string;
}

/** Latest first. Goods that cannot be bought any more stay in the list with `available` false. */
async function favourites(sql: Sql, query: FavouriteListQuery, view: UserView): Promise<Page<Favourite>> {
  const paging = pagingOf(query);
  const [micros = null, goodsId = null] = paging.cursor?.split('.') ?? [];
  const rows = await sql.rows<FavouriteRow>(
    `select ${listColumns(view.locale, '$2')}, f.total, (extract(epoch from f.created_at) * 1000000)::bigint::text as micros,
            case when ${onShelf('$3')} then ${wireAmount('s.min_price')} end as min_price
       from (select goods_id, created_at, (select count(*) from favourites where user_id = $1) as total from favourites
             where user_id = $1 and ($6::bigint is null or (created_at, goods_id) < (${atMicros('$6')}, $7::bigint))
             order by created_at desc, goods_id desc limit $4 offset $5) f
       join goods g on g.id = f.goods_id
       left join shelf s on s.goods_id = g.id and s.currency = $2
      order by f.created_at desc, f.goods_id desc`,
    [view.viewer.id, view.currency, view.viewer.isVip, paging.limit + 1, paging.offset, micros, goodsId],
  );
  const itemOf = ({ total: _total, micros: _micros, ...row }: FavouriteRow): Favourite => ({
    ...listItem(row, view),
    available: row.min_price !== null,
  });
  return cursorPageOf(rows, rows[0]?.total ?? 0, paging, itemOf, (row) => `${row.micros}.${row.id}`);
}

/** Adding the same goods again changes nothing. Throws GoodsUnavailable and TooManyFavourites. */
async function addFavourite(sql: Sql, viewer: Viewer, goodsId: number): Promise<void> {
  const goods = await sql.row<{ room: boolean }>(
    `select (select count(*) from favourites where user_id = $1) < ${MAX_FAVOURITES}
         or exists (select 1 from favourites where user_id = $1 and goods_id = $2) as room
       from goods g where g.id = $2 and ${onShelf('$3')}`,
    [viewer.id, goodsId, viewer.isVip],
  );
  if (!goods) throw new ShopError(ErrorCode.GoodsUnavailable);
  if (!goods.room) throw new ShopError(ErrorCode.TooManyFavourites);
  await sql.run('insert into favourites (user_id, goods_id) values ($1, $2) on conflict do nothing', [
    viewer.id,
    goodsId,
  ]);
}
