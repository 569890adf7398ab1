import type { Sql } from './sql';

/** Adds the row with this value of the column `key`, or changes it. Returns its id. Names of columns come from the code. */
export function upsert(sql: Sql, table: string, row: Record<string, unknown>, key = 'key'): Promise<number> {
  const names = Object.keys(row);
  return sql.value(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_name, at) => `$${at + 1}`).join(', ')})
     on conflict (${key}) do update set ${names.map((name) => `${name} = excluded.${name}`).join(', ')} returning id`,
    Object.values(row),
  );
}
