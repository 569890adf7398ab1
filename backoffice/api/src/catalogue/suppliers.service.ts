import { normalise } from '@shop/server/catalogue/search-text';
import type { AppContext } from '@shop/server/context';
import { addEntry, staffActor } from '@shop/server/platform/audit/audit';
import type { Sql } from '@shop/server/platform/db/sql';
import { ShopError } from '@shop/server/platform/http/errors';
import type { Texts } from '@shop/server/platform/http/localised-text';
import { toWire } from '@shop/server/platform/http/money';
import type { Currency } from '@shop/server/platform/http/schemas';
import { suppliedStockTypes } from '@shop/server/providers/supplier-settings';
import { isSupplied } from '@shop/server/suppliers/supplier-offers.service';
import { ErrorCode } from '@shop/shared/domain';

const MOST_ROWS = 300;

interface ValueRow {
  goods: string;
  spec: string;
  name: Texts;
  spec_name: Texts;
  supplier: string | null;
  answered_at: Date | null;
  hold: 'out' | 'cost' | null;
  prices: Array<{ currency: Currency; price: number; cost: number | null }>;
}

/** The suppliers that the server has asked, and the values that suppliers deliver; those on hold come first. */
export async function listSuppliers(sql: Sql, { providers }: AppContext, q = '') {
  const suppliers = await sql.rows<{
    name: string;
    margin_percent: number;
    answered_at: Date | null;
    failing_since: Date | null;
    fault: string;
    asking: boolean;
  }>(
    `select name, margin_percent, answered_at, failing_since, fault,
            next_at <= clock_timestamp() or coalesce(polling_until > clock_timestamp(), false) as asking from suppliers order by name`,
  );
  const values = await sql.rows<ValueRow>(
    `select g.key as goods, s.key as spec, json_build_object('zh-CN', g.name_zh, 'en', g.name_en) as name,
            json_build_object('zh-CN', s.name_zh, 'en', s.name_en) as spec_name, f.supplier, f.answered_at, s.supply_hold as hold,
            coalesce((select json_agg(p) from supply_prices(s.id) p), '[]') as prices
       from goods g join goods_specs s on s.goods_id = g.id and s.active
       left join supplier_offers f on f.spec_id = s.id and f.stock_type = g.stock_type
      where ${isSupplied} and g.stock_type = any($3) and ($1 = '' or strpos(g.search_text, $1) > 0 or strpos(lower(g.key), lower($2)) > 0)
      order by s.supply_hold is null, s.supply_hold, g.sort, g.id, s.sort limit ${MOST_ROWS}`,
    [normalise(q), q.trim(), suppliedStockTypes.filter((stockType) => providers.supplierFor(stockType))],
  );
  return { suppliers, values: values.map((value) => ({ ...value, prices: value.prices.map(withMargin) })) };
}

const withMargin = ({ currency, price, cost }: ValueRow['prices'][number]) => ({
  currency,
  price: toWire(price),
  cost: cost === null ? null : toWire(cost),
  margin: cost === null ? null : marginOf(price, cost),
});

/** The margin in percent of the price, with one decimal; null without a price. */
export const marginOf = (price: number, cost: number): number | null =>
  price === 0 ? null : Math.round(((price - cost) / price) * 1000) / 10;

/** The next run of the job asks the supplier; one that runs already is enough. Throws NotFound. */
export const askSupplier = ({ db }: AppContext, name: string): Promise<void> =>
  db.withTransaction(async (sql) => {
    const found = await sql.run('update suppliers set next_at = clock_timestamp() where name = $1', [name]);
    if (!found) throw new ShopError(ErrorCode.NotFound);
    await addEntry(sql, { ...staffActor(), action: 'supplier.ask', subject: name });
  });
