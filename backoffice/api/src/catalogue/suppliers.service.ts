import type { AppContext } from '@shop/server/context';
import type { Sql } from '@shop/server/platform/db/sql';
import { ShopError } from '@shop/server/platform/http/errors';
import type { Texts } from '@shop/server/platform/http/localised-text';
import { pageOf, pagingOf } from '@shop/server/platform/http/paging';
import type { Currency } from '@shop/server/platform/http/schemas';
import { suppliedStockTypes } from '@shop/server/providers/settings';
import { isSupplied } from '@shop/server/suppliers/supplier-offers.service';
import { ErrorCode } from '@shop/shared/domain';
import { type Static, Type } from 'typebox';
import { record } from '../people/record';
import { amount, matches, searchOf, textsOf } from '../sql';

const PAGE_SIZE = 30;

interface Supplier {
  name: string;
  margin_percent: number;
  answered_at: Date | null;
  failing_since: Date | null;
  fault: string;
  asking: boolean;
}

/** The suppliers that the server has asked. */
export const listSuppliers = (sql: Sql) =>
  sql.rows<Supplier>(
    `select name, margin_percent, answered_at, failing_since, fault,
            next_at <= clock_timestamp() or coalesce(polling_until > clock_timestamp(), false) as asking from suppliers order by name`,
  );

export const SuppliedValuesQuerySchema = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 60 })),
  page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
});

interface SuppliedValue {
  goods: string;
  spec: string;
  name: Texts;
  spec_name: Texts;
  supplier: string | null;
  answered_at: Date | null;
  hold: 'out' | 'cost' | null;
  /** The margin is in percent of the price, with one decimal. */
  prices: Array<{ currency: Currency; price: string; cost: string | null; margin: number | null }>;
}

/** The values that suppliers deliver; those on hold come first. */
export async function listSuppliedValues(
  sql: Sql,
  { providers }: AppContext,
  { q = '', page }: Static<typeof SuppliedValuesQuerySchema>,
) {
  const paging = pagingOf({ page, limit: PAGE_SIZE });
  const rows = await sql.rows<SuppliedValue & { total: number }>(
    `select g.key as goods, s.key as spec, ${textsOf('g.name')} as name, ${textsOf('s.name')} as spec_name, f.supplier, f.answered_at,
            s.supply_hold as hold, count(*) over () as total,
            coalesce((select json_agg(json_build_object('currency', p.currency, 'price', ${amount('p.price')}, 'cost', ${amount('p.cost')},
                'margin', round((p.price - p.cost) * 100.0 / nullif(p.price, 0), 1))) from supply_prices(s.id) p), '[]') as prices
       from goods g join goods_specs s on s.goods_id = g.id and s.active
       left join supplier_offers f on f.spec_id = s.id and f.stock_type = g.stock_type
      where ${isSupplied} and g.stock_type = any($3) and ${matches}
      order by s.supply_hold is null, s.supply_hold, g.sort, g.id, s.sort, s.id limit $4 offset $5`,
    [
      ...searchOf(q),
      suppliedStockTypes.filter((stockType) => providers.supplierFor(stockType)),
      paging.limit,
      paging.offset,
    ],
  );
  const list = rows.map(({ total: _total, ...value }) => value);
  return pageOf(list, rows[0]?.total ?? 0, paging);
}

/** The next run of the job asks the supplier; one that runs already is enough. Throws NotFound. */
export const askSupplier = ({ db }: AppContext, name: string): Promise<void> =>
  db.withTransaction(async (sql) => {
    const found = await sql.run('update suppliers set next_at = clock_timestamp() where name = $1', [name]);
    if (!found) throw new ShopError(ErrorCode.NotFound);
    await record(sql, { action: 'supplier.ask', subject: name });
  });
