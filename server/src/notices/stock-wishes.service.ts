import { ErrorCode, GoodsStatus, StockState } from '@shop/shared/domain';
import { countsCodes, onShelf, sellable, stockMark } from '../catalogue/low-stock';
import type { AppContext } from '../context';
import type { Sql } from '../platform/db/sql';
import { ShopError } from '../platform/http/errors';
import type { Viewer } from '../platform/http/request';
import type { Locale } from '../platform/http/schemas';
import { channelsOf } from '../providers/providers';
import { wants } from './notice-kinds';
import type { StockWishState } from './notices.schemas';
import { saveNoticeSettings } from './notices.service';

const MAX_REQUESTS = 50;
/** A notified user has this long before the next one is notified of a piece that is still there. */
const RESERVED_FOR = '30 minutes';
const MAX_PIECES = 1000;

export const stockWishes = (sql: Sql, viewer: Viewer, goodsId: number): Promise<number[]> =>
  sql.column(
    `select s.id from stock_wishes w join goods_specs s on s.id = w.spec_id
      where w.user_id = $1 and w.told_at is null and s.goods_id = $2 order by s.id`,
    [viewer.id, goodsId],
  );

/**
 * Stores the request if the user can be notified; repeating it changes nothing. Throws GoodsUnavailable, also for goods in stock,
 * and TooManyRequests above fifty requests.
 */
export async function addStockWish(
  { db, providers }: AppContext,
  viewer: Viewer,
  specId: number,
  locale: Locale,
): Promise<StockWishState> {
  const offered = channelsOf(providers);
  if (offered.length === 0) throw new ShopError(ErrorCode.NotFound);
  const spec = await db.row<{ mark: number }>(
    `select ${stockMark} as mark from goods_specs s join goods g on g.id = s.goods_id
      where s.id = $1 and s.active and ${onShelf('$2')}`,
    [specId, viewer.isVip],
  );
  if (spec?.mark !== StockState.Out) throw new ShopError(ErrorCode.GoodsUnavailable);
  return db.withTransaction(async (sql) => {
    await saveNoticeSettings(sql, viewer.id, {}, locale);
    const channels = await sql.column<string>(
      `select c.channel from users u join notice_settings s on s.user_id = u.id cross join unnest($2::text[]) as c(channel)
        where u.id = $1 and ${wants("'back_in_stock'")} order by c.channel`,
      [viewer.id, offered],
    );
    if (channels.length === 0) return { spec_id: specId, waiting: false, channels };
    const count = await sql.value<number>(
      'select count(*) from stock_wishes where user_id = $1 and told_at is null and spec_id <> $2',
      [viewer.id, specId],
    );
    if (count >= MAX_REQUESTS) throw new ShopError(ErrorCode.TooManyRequests);
    await sql.run('insert into stock_wishes (user_id, spec_id) values ($1, $2) on conflict do nothing', [
      viewer.id,
      specId,
    ]);
    return { spec_id: specId, waiting: true, channels };
  });
}

export const removeStockWish = (sql: Sql, viewer: Viewer, specId: number): Promise<number> =>
  sql.run('delete from stock_wishes where user_id = $1 and spec_id = $2 and told_at is null', [viewer.id, specId]);

/**
 * Notifies as many users as there are pieces, those who waited longest first. Each user notified within the last half hour reserves a
 * piece; then the next are notified of the pieces that are left. A user who cannot be notified keeps their place and uses no one else's.
 */
export async function notifyBackInStock({ db, providers }: AppContext): Promise<number> {
  const offered = channelsOf(providers);
  if (offered.length === 0) return 0;
  return db.withTransaction(async (sql) => {
    // Only one server runs at a time: two would each notify as many users as there are pieces.
    if (!(await sql.value("select pg_try_advisory_xact_lock(hashtextextended('stock-wishes', 1))"))) return 0;
    return sql.run(
      `with waiting as (
         select w.spec_id, g.id as goods_id, g.status, g.name_zh || ' ' || s.name_zh as zh, g.name_en || ' ' || s.name_en as en,
                case when ${countsCodes} then (select count(*) from (
                    select 1 from card_codes d where d.spec_id = s.id and ${sellable('d')} limit ${MAX_PIECES}) free)
                  else least(coalesce(s.stock, ${MAX_PIECES}), ${MAX_PIECES}) end / greatest(g.min_qty, 1)
                - (select count(*) from stock_wishes t where t.spec_id = s.id and t.told_at > clock_timestamp() - interval '${RESERVED_FOR}') as room
           from (select distinct spec_id from stock_wishes where told_at is null) w
           join goods_specs s on s.id = w.spec_id and s.active and s.supply_hold is null
           join goods g on g.id = s.goods_id and g.status <> ${GoodsStatus.OffShelf}
       ), notified as (
         update stock_wishes set told_at = clock_timestamp() from (
           select n.id as wish, v.goods_id, v.zh, v.en from waiting v cross join lateral (
             select x.id from stock_wishes x join users u on u.id = x.user_id join notice_settings s on s.user_id = u.id
              where x.spec_id = v.spec_id and x.told_at is null and (v.status = ${GoodsStatus.OnShelf} or u.is_vip)
                and exists (select 1 from unnest($1::text[]) as c(channel) where ${wants("'back_in_stock'")})
              order by x.id limit greatest(v.room, 0)) n) chosen
          where id = chosen.wish
         returning id, user_id, chosen.goods_id, chosen.zh, chosen.en
       )
       insert into notices (user_id, channel, kind, about, data)
       select t.user_id, c.channel, 'back_in_stock', t.id::text,
              jsonb_build_object('goods_id', t.goods_id, 'name', jsonb_build_object('zh-CN', t.zh, 'en', t.en))
         from notified t join users u on u.id = t.user_id join notice_settings s on s.user_id = u.id
         cross join unnest($1::text[]) as c(channel)
        where ${wants("'back_in_stock'")}
       on conflict do nothing`,
      [offered],
    );
  });
}
