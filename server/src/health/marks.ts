/** What changes in the shop beside its releases and can make shoppers buy less: the marks in the charts of /ops. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { HealthStore, Mark } from '@platform/watch';
import { version } from '../../package.json';
import type { Sql } from '../platform/db/sql';

/** Entries of the audit log, and the start of a server of another version. */
export const MARKS = [
  'server',
  'goods.edit',
  'banner.edit',
  'module.edit',
  'article.edit',
  'coupon.edit',
  'config.edit',
  'stock.edit',
  'import',
] as const;
const SERVER = 'server';
const MOST_MARKS = 50;

/** Of the package and, where the server is one compiled program, its hash. */
export function serverVersion(program = process.argv[1] ?? ''): string {
  const hash = createHash('sha256').update(readFileSync(program)).digest('hex');
  return `${version}-${hash.slice(0, 8)}`;
}

/** Of another version than the one that started last. Several that start at once record one. */
export async function recordServer(health: HealthStore, channel: string, started: string): Promise<void> {
  const [last] = await health.events(channel, SERVER, 1);
  if (last?.version === started) return;
  const id = `${channel}:server:${started}:${last?.at ?? ''}`;
  const why = last ? `after ${last.version}` : '';
  await health.recordEvent(
    { id, who: SERVER, channel, kind: 'server', name: '*', version: started, why, evidence: {} },
    [],
  );
}

/** What somebody does to many things within a minute, such as an import of prices, is one mark. */
export const readMarks = (sql: Pick<Sql, 'rows'>, channel: string, minutes: number): Promise<Mark[]> =>
  sql.rows<Mark>(
    `select min(id) as id, to_char(min(at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at, kind,
        (array_agg(subject order by at, id))[1] as subject, by, count(*)::integer as count
       from (select id::text, at, action as kind, subject, actor as by from audit_log
              where at > now() - $1 * interval '1 minute' and action = any ($2)
             union all
             select id, at, kind, version, '' from release_events
              where at > now() - $1 * interval '1 minute' and who = '${SERVER}' and channel = $3) m
      group by kind, by, date_trunc('minute', at) order by min(at) desc limit ${MOST_MARKS}`,
    [minutes, MARKS, channel],
  );
