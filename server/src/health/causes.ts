import { GoodsStatus } from '@shop/shared/domain';
import { lowStock } from '../catalogue/low-stock';
import type { Sql } from '../platform/db/sql';

const FEWEST_PAYMENTS = 5;

export async function knownCauses(sql: Pick<Sql, 'rows'>): Promise<string[]> {
  const failing = await sql.rows<{ method: string; begun: number }>(
    `select method, count(*)::integer as begun from payments where created_at > now() - interval '30 minutes'
      group by method having count(*) >= $1 and bool_and(state <> 'paid') order by method`,
    [FEWEST_PAYMENTS],
  );
  const empty = (await lowStock(sql)).filter(({ pieces }) => pieces === 0);
  const [shelf] = await sql.rows<{ specs: number }>(
    `select count(*)::integer as specs from goods g join goods_specs s on s.goods_id = g.id and s.active where g.status <> ${GoodsStatus.OffShelf}`,
  );
  return [
    ...failing.map(({ method, begun }) => `none of ${begun} payments by ${method} of the last 30 minutes was taken`),
    ...(empty.length > 0 ? [`${empty.length} of ${shelf?.specs} face values are sold out`] : []),
  ];
}
