import type { Prices } from '@shop/server/catalogue/goods.store';
import type { Sql } from '@shop/server/platform/db/sql';
import { fromWire, toWire } from '@shop/server/platform/http/money';
import { plainText } from '@shop/server/platform/http/plain-text';
import type { Currency } from '@shop/server/platform/http/schemas';
import { languages } from '@shop/shared/domain';
import type { Editable } from '../edits/edits.service';
import type { StaffLevel } from './levels.schemas';

interface LevelRow {
  key: string;
  name_zh: string;
  name_en: string;
  active: boolean;
  rank: number;
  percent: number;
  period_days: number | null;
  given: number;
  thresholds: Partial<Record<Currency, number>>;
  prices: Array<{ goods: string; spec: string; prices: Partial<Record<Currency, number>> }>;
}

const columns = `l.key, l.name_zh, l.name_en, l.active, l.rank, l.percent, l.period_days,
  (select count(*) from given_levels v where v.level_id = l.id and (v.until is null or v.until > clock_timestamp())) as given,
  coalesce((select json_object_agg(t.currency, t.amount) from level_thresholds t where t.level_id = l.id), '{}') as thresholds,
  coalesce((select json_agg(json_build_object('goods', one.goods, 'spec', one.spec, 'prices', one.prices) order by one.goods, one.spec)
     from (select g.key as goods, s.key as spec, json_object_agg(p.currency, p.price) as prices
             from level_prices p join goods_specs s on s.id = p.spec_id join goods g on g.id = s.goods_id
            where p.level_id = l.id group by g.key, s.key) one), '[]') as prices`;

export async function listLevels(sql: Sql) {
  const rows = await sql.rows<LevelRow>(`select ${columns} from levels l order by l.rank, l.id`);
  return rows.map((row) => ({ key: row.key, given: row.given, value: toLevel(row) }));
}

const wirePrices = (amounts: Partial<Record<Currency, number>>): Prices =>
  Object.fromEntries(Object.entries(amounts).map(([currency, amount]) => [currency, toWire(amount)]));

const toLevel = (row: LevelRow): StaffLevel => ({
  name: { 'zh-CN': row.name_zh, en: row.name_en },
  active: row.active,
  rank: row.rank,
  percent: row.percent,
  thresholds: wirePrices(row.thresholds),
  period_days: row.period_days,
  prices: row.prices.map((price) => ({ ...price, prices: wirePrices(price.prices) })),
});

const offered = (prices: Prices) => Object.entries(prices) as Array<[Currency, string]>;
const nameOf = ({ goods, spec }: { goods: string; spec: string }) => `${goods} ${spec}`;

async function specIds(sql: Sql, value: StaffLevel): Promise<Map<string, number>> {
  const rows = await sql.rows<{ id: number; goods: string; spec: string }>(
    `select s.id, g.key as goods, s.key as spec from goods_specs s join goods g on g.id = s.goods_id
      where (g.key, s.key) in (select * from unnest($1::text[], $2::text[]))`,
    [value.prices.map(({ goods }) => goods), value.prices.map(({ spec }) => spec)],
  );
  return new Map(rows.map((row) => [nameOf(row), row.id]));
}

async function faultsOf(sql: Sql, value: StaffLevel): Promise<Record<string, string>> {
  const faults: Record<string, string> = {};
  for (const language of languages) if (!plainText(value.name[language])) faults[`name.${language}`] = 'required';
  const isReached = offered(value.thresholds).length > 0;
  if (isReached && value.period_days === null) faults.period_days = 'required';
  if (!isReached && value.period_days !== null) faults.thresholds = 'required';
  const ids = await specIds(sql, value);
  for (const [index, price] of value.prices.entries()) {
    const isTwice = value.prices.findIndex((other) => nameOf(other) === nameOf(price)) !== index;
    if (isTwice || !ids.has(nameOf(price))) faults[`prices.${index}.spec`] = 'other';
  }
  return faults;
}

async function writeLevel(sql: Sql, key: string, value: StaffLevel): Promise<void> {
  const { id } = await sql.one<{ id: number }>(
    `insert into levels (key, name_zh, name_en, active, rank, percent, period_days) values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (key) do update set name_zh = excluded.name_zh, name_en = excluded.name_en, active = excluded.active,
       rank = excluded.rank, percent = excluded.percent, period_days = excluded.period_days
     returning id`,
    [
      key,
      plainText(value.name['zh-CN']),
      plainText(value.name.en),
      value.active,
      value.rank,
      value.percent,
      value.period_days,
    ],
  );
  await sql.run('delete from level_thresholds where level_id = $1', [id]);
  const thresholds = offered(value.thresholds);
  await sql.run(
    'insert into level_thresholds (level_id, currency, amount) select $1, * from unnest($2::text[], $3::bigint[])',
    [id, thresholds.map(([currency]) => currency), thresholds.map(([, amount]) => fromWire(amount))],
  );
  const ids = await specIds(sql, value);
  const prices = value.prices.flatMap((fixedPrice) =>
    offered(fixedPrice.prices).map(([currency, price]) => ({
      spec: ids.get(nameOf(fixedPrice)),
      currency,
      price: fromWire(price),
    })),
  );
  await sql.run('delete from level_prices where level_id = $1', [id]);
  await sql.run(
    `insert into level_prices (level_id, spec_id, currency, price)
     select $1, * from unnest($2::bigint[], $3::text[], $4::bigint[])`,
    [id, prices.map(({ spec }) => spec), prices.map(({ currency }) => currency), prices.map(({ price }) => price)],
  );
}

export const levelEditable: Editable<StaffLevel> = {
  kind: 'level',
  lock: (sql, key) => sql.row('select 1 from levels where key = $1 for update', [key]),
  read: async (sql, key) => {
    const row = await sql.row<LevelRow>(`select ${columns} from levels l where l.key = $1`, [key]);
    return row && toLevel(row);
  },
  faults: faultsOf,
  write: writeLevel,
};
