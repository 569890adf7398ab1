import type { DomainRoutes } from '../context';
import type { Sql } from '../platform/db/sql';
import { suffixOf } from '../platform/http/localised-text';
import { wireAmount } from '../platform/http/money';
import type { Viewer } from '../platform/http/request';
import type { Locale } from '../platform/http/schemas';
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

const levels = (sql: Sql, locale: Locale) =>
  sql.rows<LevelList[number]>(
    `select l.id, l.name_${suffixOf(locale)} as name, l.percent, l.period_days,
            exists (select 1 from level_prices p where p.level_id = l.id) as own_prices,
            coalesce((select ${amountsOf('t.amount')} from level_thresholds t where t.level_id = l.id), '[]') as thresholds
       from levels l where l.active order by l.rank, l.id`,
  );

/** SQL of an amount for each threshold `t`. */
function amountsOf(minor: string): string {
  return `json_agg(json_build_object('currency', t.currency, 'amount', ${wireAmount(minor)}) order by t.currency)`;
}

async function ownLevel(sql: Sql, viewer: Viewer): Promise<OwnLevel> {
  const { given, ...level } = await sql.one<OwnLevel>(
    `with own as (select l.id, l.rank from (select shopper_level($1) as id) level left join levels l on l.id = level.id)
     select own.id,
            (select json_build_object('until', v.until) from given_levels v
              where v.user_id = $1 and v.level_id = own.id and (v.until is null or v.until > clock_timestamp())) as given,
            (select json_build_object('id', l.id, 'spent', ${amountsOf('s.spent')}, 'missing', ${amountsOf('greatest(t.amount - s.spent, 0)')})
               from levels l join level_thresholds t on t.level_id = l.id
              cross join lateral (select shopper_spent($1, t.currency, l.period_days) as spent) s
              where l.active and l.period_days is not null and (own.id is null or (l.rank, l.id) > (own.rank, own.id))
              group by l.id order by l.rank, l.id limit 1) as next
       from own`,
    [viewer.id],
  );
  return { ...level, given: given && { until: given.until && new Date(given.until).toISOString() } };
}
