import { RechargeType, SpecType } from '@shop/shared/domain';
import type { AppContext } from '../context';
import type { Sql } from '../platform/db/sql';
import type { SuppliedValue, SupplierOffer, SupplierProvider } from '../providers/providers';
import { suppliedStockTypes } from '../providers/settings';
import { bounded } from './suppliers.service';

/** Values of one call; the gateways' contract has the same limit. */
const BATCH = 100;
/** A poll ends after this time, long before another process may begin the next one, which asks first for what is missing. */
const POLL_SECONDS = 60;
const LEASE_SECONDS = 2 * POLL_SECONDS;

/** SQL condition: suppliers deliver the goods `g`, and each of its values has a price. */
export const isSupplied = `(g.recharge_type in (${RechargeType.Direct}, ${RechargeType.Proxy}) and g.spec_type = ${SpecType.FaceValues})`;

interface PolledValue extends SuppliedValue {
  id: number;
  goods_id: number;
  stock_type: string;
}

/**
 * Asks each supplier that is due for costs and stock, all at the same time, and without a connection to the database during a call.
 * Returns the number of answers that were stored.
 */
export async function pollSuppliers(context: AppContext): Promise<number> {
  const { db, providers } = context;
  const stockTypes = suppliedStockTypes.filter((stockType) => providers.supplierFor(stockType));
  const suppliers = [...new Set(stockTypes.flatMap((stockType) => providers.supplierFor(stockType) ?? []))];
  // What a supplier without a stock type has answered no longer counts.
  await db.withTransaction(async (sql) => {
    await sql.run('delete from suppliers where name <> all($1)', [suppliers.map(({ name }) => name)]);
    const gone = await sql.run('delete from supplier_offers where stock_type <> all($1)', [stockTypes]);
    if (gone) await sql.one('select supply_refresh(null)');
  });
  const stored = await Promise.all(suppliers.map((supplier) => pollSupplier(context, supplier)));
  return stored.reduce((sum, count) => sum + count, 0);
}

/** Of several processes, one gets each poll. */
async function pollSupplier({ db, config, providers }: AppContext, supplier: SupplierProvider): Promise<number> {
  const { name } = supplier;
  const [lease] = await db.column<number>(
    `insert into suppliers as s (name, margin_percent, asked_at, polling_until)
       values ($1, $3, clock_timestamp(), clock_timestamp() + make_interval(secs => $2))
     on conflict (name) do update set lease = s.lease + 1, margin_percent = excluded.margin_percent,
          asked_at = excluded.asked_at, polling_until = excluded.polling_until
        where greatest(s.next_at, s.polling_until) <= clock_timestamp()
     returning lease`,
    [name, LEASE_SECONDS, config.supplierMarginPercent],
  );
  if (lease === undefined) return 0;
  const values = await db.rows<PolledValue>(
    `select s.id, g.id as goods_id, g.stock_type, g.key as "goodsKey", s.key as "specKey"
       from goods g join goods_specs s on s.goods_id = g.id and s.active left join supplier_offers f on f.spec_id = s.id
      where ${isSupplied} and g.stock_type = any($1) order by f.answered_at nulls first, s.id`,
    [suppliedStockTypes.filter((stockType) => providers.supplierFor(stockType) === supplier)],
  );
  const end = Date.now() + POLL_SECONDS * 1000;
  let stored = 0;
  let fault = '';
  for (let from = 0; from < values.length && !fault; from += BATCH) {
    const batch = values.slice(from, from + BATCH);
    const asked = batch.map(({ goodsKey, specKey }) => ({ goodsKey, specKey }));
    let offers: SupplierOffer[] = [];
    try {
      if (Date.now() > end) throw new Error(`no answer for all values within ${POLL_SECONDS} s`);
      offers = await bounded(supplier.offers(asked));
    } catch (error) {
      const { message, cause } = error as Error & { cause?: { code?: string } };
      fault = [message || 'unknown', cause?.code].filter(Boolean).join(': ').slice(0, 300);
    }
    stored += await db.withTransaction((sql) => storeOffers(sql, { name, lease }, batch, offers));
  }
  await db.run(
    `update suppliers set polling_until = null, next_at = clock_timestamp() + make_interval(secs => $3), fault = $4,
            answered_at = case when $5 then clock_timestamp() else answered_at end,
            failing_since = case when $4 <> '' then coalesce(failing_since, asked_at) end
      where name = $1 and lease = $2`,
    [name, lease, config.supplierPollSeconds, fault, values.length > 0 && !fault],
  );
  return stored;
}

const keyOf = ({ goodsKey, specKey }: SuppliedValue) => `${goodsKey}/${specKey}`;

/** Stores what answers the batch, unless a newer poll has begun. A currency without a new cost keeps its last one. */
async function storeOffers(
  sql: Sql,
  { name, lease }: { name: string; lease: number },
  batch: readonly PolledValue[],
  offers: readonly SupplierOffer[],
): Promise<number> {
  const asked = new Map(batch.map((value) => [keyOf(value), value]));
  const answered = offers.flatMap((offer) => {
    const value = asked.get(keyOf(offer));
    // A second answer for the same value does not count.
    return value && asked.delete(keyOf(offer)) ? [{ ...offer, ...value }] : [];
  });
  if (answered.length === 0) return 0;
  if (!(await sql.row('select 1 from suppliers where name = $1 and lease = $2 for share', [name, lease]))) return 0;
  await sql.run(
    `insert into supplier_offers as f (spec_id, supplier, stock_type, available, costs)
       select id, $1, stock_type, available, costs
         from jsonb_to_recordset($2::jsonb) as x(id bigint, stock_type text, available boolean, costs jsonb) order by id
     on conflict (spec_id) do update set supplier = excluded.supplier, stock_type = excluded.stock_type, available = excluded.available,
       costs = case when f.supplier = excluded.supplier then f.costs else '{}' end || excluded.costs, answered_at = excluded.answered_at`,
    [name, JSON.stringify(answered)],
  );
  await sql.one('select supply_refresh($1)', [[...new Set(answered.map(({ goods_id }) => goods_id))]]);
  return answered.length;
}
