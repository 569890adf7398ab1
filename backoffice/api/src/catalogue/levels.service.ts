import { PricesSchema } from '@shop/server/catalogue/goods.store';
import { type Sql, upsert } from '@shop/server/platform/db/sql';
import { EditKeySchema, exact, inBoth } from '@shop/server/platform/http/edit-schemas';
import { plainText } from '@shop/server/platform/http/plain-text';
import { Nullable } from '@shop/server/platform/http/schemas';
import { languages } from '@shop/shared/domain';
import { type Static, Type } from 'typebox';
import type { Editable } from '../edits/edits.service';
import { amounts, textsOf } from '../sql';

export const StaffLevelSchema = exact({
  name: inBoth(30, 1),
  /** false: the level applies to no one, not even to shoppers who were granted or have reached it. */
  active: Type.Boolean(),
  /** The higher number is the higher level. */
  rank: Type.Integer({ minimum: 1, maximum: 1000 }),
  /** The share of the price that its shoppers pay, in percent: 95 is 9.5折. */
  percent: Type.Integer({ minimum: 1, maximum: 100 }),
  /** Amount spent within `period_days`, in any one of the currencies; empty if only staff grant the level. */
  thresholds: PricesSchema,
  period_days: Nullable(Type.Integer({ minimum: 1, maximum: 3650 })),
  /** Fixed prices of specifications, instead of the percentage. Rows without a price are dropped. */
  prices: Type.Array(exact({ goods: EditKeySchema, spec: EditKeySchema, prices: PricesSchema }), { maxItems: 500 }),
});
export type StaffLevel = Static<typeof StaffLevelSchema>;

interface ListedLevel {
  key: string;
  /** Shoppers to whom staff have assigned it. */
  given: number;
  value: StaffLevel;
}

const columns = `l.key, (select count(*) from given_levels v where v.level_id = l.id and (v.until is null or v.until > clock_timestamp())) as given,
  json_build_object('name', ${textsOf('l.name')}, 'active', l.active, 'rank', l.rank, 'percent', l.percent, 'period_days', l.period_days,
    'thresholds', ${amounts('amount', 'level_thresholds where level_id = l.id')},
    'prices', coalesce((select json_agg(json_build_object('goods', g.key, 'spec', s.key,
                 'prices', ${amounts('price', 'level_prices where level_id = l.id and spec_id = s.id')}) order by g.key, s.key)
        from goods_specs s join goods g on g.id = s.goods_id
       where s.id in (select spec_id from level_prices where level_id = l.id)), '[]')) as value`;

export const listLevels = (sql: Sql) => sql.rows<ListedLevel>(`select ${columns} from levels l order by l.rank, l.id`);

export const nameOf = ({ goods, spec }: { goods: string; spec: string }) => `${goods} ${spec}`;

async function faultsOf(sql: Sql, value: StaffLevel): Promise<Record<string, string>> {
  const faults: Record<string, string> = {};
  for (const language of languages) if (!plainText(value.name[language])) faults[`name.${language}`] = 'required';
  const isReached = Object.keys(value.thresholds).length > 0;
  if (isReached && value.period_days === null) faults.period_days = 'required';
  if (!isReached && value.period_days !== null) faults.thresholds = 'required';
  const names = value.prices.map(nameOf);
  const known = await sql.column<string>(
    "select g.key || ' ' || s.key from goods_specs s join goods g on g.id = s.goods_id where g.key || ' ' || s.key = any($1)",
    [names],
  );
  for (const [index, name] of names.entries())
    if (names.indexOf(name) !== index || !known.includes(name)) faults[`prices.${index}.spec`] = 'other';
  return faults;
}

async function writeLevel(sql: Sql, key: string, level: StaffLevel): Promise<void> {
  const { name, thresholds, prices, ...columns } = level;
  const texts = { name_zh: plainText(name['zh-CN']), name_en: plainText(name.en) };
  const id = await upsert(sql, 'levels', { ...columns, ...texts, key });
  await sql.run('delete from level_thresholds where level_id = $1', [id]);
  await sql.run(
    'insert into level_thresholds (level_id, currency, amount) select $1, key, value::numeric * 100 from jsonb_each_text($2)',
    [id, JSON.stringify(thresholds)],
  );
  await sql.run('delete from level_prices where level_id = $1', [id]);
  await sql.run(
    `insert into level_prices (level_id, spec_id, currency, price)
     select $1, s.id, p.key, p.value::numeric * 100
       from jsonb_to_recordset($2) as v (goods text, spec text, prices jsonb) cross join jsonb_each_text(v.prices) p
       join goods g on g.key = v.goods join goods_specs s on s.goods_id = g.id and s.key = v.spec`,
    [id, JSON.stringify(prices)],
  );
}

export const levelEditable: Editable<StaffLevel> = {
  kind: 'level',
  read: async (sql, key) =>
    (await sql.row<ListedLevel>(`select ${columns} from levels l where l.key = $1`, [key]))?.value,
  faults: faultsOf,
  write: writeLevel,
};
