import type { DomainRoutes } from '../context';
import type { Sql } from '../platform/db/sql';
import { suffixOf } from '../platform/http/localised-text';
import { toWire } from '../platform/http/money';
import type { Viewer } from '../platform/http/request';
import type { Currency, Locale } from '../platform/http/schemas';
import { type LevelList, LevelListSchema, type OwnLevel, OwnLevelSchema } from './levels.schemas';

export const levelsRoutes: DomainRoutes = async (app, { reads, publicReads, userReads }) => {
  publicReads.serve(app, '/api/front/level/list', { data: LevelListSchema }, (_query, { locale }) => ({
    dependsOn: ['levels'],
    load: async () => ({ data: await levels(reads, locale) }),
  }));
  userReads.serve(app, '/api/front/user/level', { data: OwnLevelSchema }, (_query, { viewer }) =>
    ownLevel(reads, viewer),
  );
};

interface Threshold {
  currency: Currency;
  amount: number;
}

async function levels(sql: Sql, locale: Locale): Promise<LevelList> {
  const rows = await sql.rows<
    Omit<LevelList[number], 'thresholds'> & { period_days: number | null; thresholds: Threshold[] }
  >(
    `select l.id, l.name_${suffixOf(locale)} as name, l.percent, l.period_days,
            exists (select 1 from level_prices p where p.level_id = l.id) as own_prices,
            coalesce((select json_agg(json_build_object('currency', t.currency, 'amount', t.amount) order by t.currency)
               from level_thresholds t where t.level_id = l.id), '[]') as thresholds
       from levels l where l.active order by l.rank, l.id`,
  );
  return rows.map((row) => ({
    ...row,
    thresholds: row.thresholds.map(({ currency, amount }) => ({ currency, amount: toWire(amount) })),
  }));
}

async function ownLevel(sql: Sql, viewer: Viewer): Promise<OwnLevel> {
  const row = await sql.one<{
    id: number | null;
    given: { until: string | null } | null;
    next: { id: number; spent: Array<Threshold & { spent: number }> } | null;
  }>(
    `with own as (select l.id, l.rank from (select shopper_level($1) as id) level left join levels l on l.id = level.id)
     select own.id,
            (select json_build_object('until', v.until) from given_levels v
              where v.user_id = $1 and v.level_id = own.id and (v.until is null or v.until > clock_timestamp())) as given,
            (select json_build_object('id', l.id, 'spent', json_agg(json_build_object('currency', t.currency, 'amount', t.amount,
                 'spent', shopper_spent($1, t.currency, l.period_days)) order by t.currency))
               from levels l join level_thresholds t on t.level_id = l.id
              where l.active and l.period_days is not null and (own.id is null or (l.rank, l.id) > (own.rank, own.id))
              group by l.id order by l.rank, l.id limit 1) as next
       from own`,
    [viewer.id],
  );
  const amounts = (of: (threshold: Threshold & { spent: number }) => number) =>
    (row.next?.spent ?? []).map((threshold) => ({ currency: threshold.currency, amount: toWire(of(threshold)) }));
  return {
    id: row.id,
    given: row.given && { until: row.given.until && new Date(row.given.until).toISOString() },
    next: row.next && {
      id: row.next.id,
      spent: amounts(({ spent }) => spent),
      missing: amounts(({ amount, spent }) => Math.max(0, amount - spent)),
    },
  };
}
