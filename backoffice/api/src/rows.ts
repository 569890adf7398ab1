import type { Sql } from '@shop/server/platform/db/sql';

/** Values by column. The names of columns and tables come from the code. */
type Row = Record<string, unknown>;

/** Adds a row. Returns its id. */
export async function insert(sql: Sql, table: string, row: Row): Promise<number> {
  const names = Object.keys(row);
  const { id } = await sql.one<{ id: number }>(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_name, at) => `$${at + 1}`).join(', ')}) returning id`,
    Object.values(row),
  );
  return id;
}

/** Changes the rows that have this value in the column `key`. Returns their number. */
export const update = (sql: Sql, table: string, key: string, value: unknown, row: Row): Promise<number> => {
  const changes = Object.keys(row).map((name, at) => `${name} = $${at + 2}`);
  return sql.run(`update ${table} set ${changes.join(', ')} where ${key} = $1`, [value, ...Object.values(row)]);
};
