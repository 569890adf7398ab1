import { GoodsStatus, RechargeType } from '@shop/shared/domain';
import { CardState } from '../platform/db/named-numbers';
import type { Sql } from '../platform/db/sql';

export const LOW_STOCK = 10;

/** SQL condition: a shopper may buy goods of this status. Both parameters are SQL. */
export const onShelf = (isVip: string, status = 'g.status') =>
  `(${status} = ${GoodsStatus.OnShelf} or (${status} = ${GoodsStatus.VipShelf} and ${isVip}))`;

export const sellable = (code: string) =>
  `${code}.state = ${CardState.Free} and (${code}.expire_at is null or ${code}.expire_at > clock_timestamp())`;

/** SQL condition: the stock of `s`, a value of the goods `g`, is the number of its codes. A shared code has a counter, or no limit. */
export const countsCodes = `(g.recharge_type = ${RechargeType.CardCode} and not s.shared)`;

/** A value on hold for its supplier is sold out for shoppers, even with stock. */
export const stockMark = `spec_stock_mark(case when ${countsCodes} then g.recharge_type else 0 end, s.id, case when s.supply_hold is null then s.stock else 0 end)`;

export const lowStock = (sql: Pick<Sql, 'rows'>) =>
  sql.rows<{ goods: string; spec: string; pieces: number }>(
    `select g.key as goods, s.key as spec, n.pieces
       from goods g join goods_specs s on s.goods_id = g.id and s.active
       cross join lateral (select case when ${countsCodes} then (select count(*) from (
         select 1 from card_codes c where c.spec_id = s.id and ${sellable('c')} limit coalesce(s.low_stock, ${LOW_STOCK}) + 1) counted)
         else s.stock end as pieces) n
      where g.status <> ${GoodsStatus.OffShelf} and n.pieces <= coalesce(s.low_stock, ${LOW_STOCK}) order by g.sort, g.id, s.sort`,
  );
