import { OrderStatus } from '@shop/shared/domain';
import { onShelf, stockMark } from '../catalogue/low-stock';
import type { Sql } from '../platform/db/sql';
import { textOf } from '../platform/http/localised-text';
import { toWire } from '../platform/http/money';
import type { RequestLocale, Viewer } from '../platform/http/request';
import { type OrderRow, shownValue } from './order-row';
import type { RecentOrder } from './orders.schemas';

const MAX_RECENT = 8;
const SEARCHED_ORDERS = 60;

type RecentRow = Pick<
  OrderRow,
  'order_no' | 'goods_id' | 'quantity' | 'custom_value' | 'snapshot' | 'fields_masked'
> & { amount: number | null; available: boolean };

export async function recentOrders(
  sql: Sql,
  viewer: Viewer,
  { locale, currency }: RequestLocale,
): Promise<RecentOrder[]> {
  const rows = await sql.rows<RecentRow>(
    `select r.order_no, r.goods_id, r.quantity, r.custom_value, r.snapshot, r.fields_masked,
            coalesce(
              case when exists (select 1 from price_steps where spec_id = r.spec_id) or exists (select 1 from levels where active) then
                (select amount from order_price(order_terms(r.goods_id, r.spec_id, $2, $3, $1), r.custom_value, r.quantity)) end,
              p.price * coalesce(r.custom_value, 1) * r.quantity) as amount,
            ${onShelf('$3')} and p.price is not null
              and (s.id is null or (s.active and ${stockMark} > 0))
              and (r.custom_value is null or r.custom_value between g.custom_min and g.custom_max) as available
       from (select * from (
               select distinct on (goods_id, spec_id, custom_value, fields_masked) * from (
                 select id, order_no, goods_id, spec_id, custom_value, quantity, snapshot, fields_masked from orders
                  where user_id = $1 and hidden_at is null and status in (${OrderStatus.Paid}, ${OrderStatus.Finished}) order by id desc limit ${SEARCHED_ORDERS}) latest
                order by goods_id, spec_id, custom_value, fields_masked, id desc) different
              order by id desc limit ${MAX_RECENT}) r
       join goods g on g.id = r.goods_id
       left join goods_specs s on s.id = r.spec_id
       left join prices p on p.goods_id = r.goods_id and p.currency = $2 and p.spec_id is not distinct from r.spec_id
      order by r.id desc`,
    [viewer.id, currency, viewer.isVip],
  );
  return rows.map((row) => ({
    order_no: row.order_no,
    goods_id: row.goods_id,
    name: textOf(row.snapshot.name, locale),
    image: row.snapshot.image,
    face_value: textOf(row.snapshot.face_value, locale),
    quantity: row.quantity,
    account: row.fields_masked
      .filter((field) => field.remember)
      .map((field) => shownValue(field, locale))
      .join(' · '),
    price: row.amount === null ? null : toWire(row.amount),
    currency,
    available: row.available,
  }));
}
