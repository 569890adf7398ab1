import type pg from 'pg';

/** SQLSTATE with which the database's functions raise a business error; the message is its code. */
export const SHOP_SQLSTATE = 'SHOPE';

const names = new Map<string, string>();
/** Statements with parameters are prepared once per connection, because their texts are constants of the source. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = `s${names.size}`;
    names.set(text, name);
  }
  return name;
}

export type Query = (config: pg.QueryConfig) => Promise<pg.QueryResult>;
export type TraceStatement = <T>(text: string, run: () => Promise<T>) => Promise<T>;

export class Sql {
  constructor(private readonly send: Query) {}

  async rows<T>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await this.query(text, values)).rows as T[];
  }
  async row<T>(text: string, values: unknown[] = []): Promise<T | undefined> {
    return (await this.rows<T>(text, values))[0];
  }
  /** The only row; throws if there is none. */
  async one<T>(text: string, values: unknown[] = []): Promise<T> {
    const row = await this.row<T>(text, values);
    if (row === undefined) throw new Error('a row was expected');
    return row;
  }
  /** The first column of every row. */
  async column<T>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await this.rows<Record<string, T>>(text, values)).map((row) => Object.values(row)[0] as T);
  }
  /** The first column of the only row; throws if there is none. */
  async value<T>(text: string, values: unknown[] = []): Promise<T> {
    return Object.values(await this.one<Record<string, T>>(text, values))[0] as T;
  }
  async run(text: string, values: unknown[] = []): Promise<number> {
    return (await this.query(text, values)).rowCount ?? 0;
  }
  /**
   * Runs several statements in one text, without parameters. `timeoutMs` limits the wait for the server; by default the limit of
   * the connection applies.
   */
  async script(text: string, timeoutMs?: number): Promise<void> {
    // pg's types lack this option.
    await this.send({ text, query_timeout: timeoutMs } as pg.QueryConfig);
  }
  private query(text: string, values: unknown[]): Promise<pg.QueryResult> {
    return this.send(values.length ? { name: nameOf(text), text, values } : { text });
  }
}

/** A time as an instant of the API, such as "2027-01-31T16:00:00.000Z". */
export const instant = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Values by column. The names of columns and tables come from the code. */
type Row = Record<string, unknown>;

/** Adds a row. Returns its id. */
export function insert(sql: Sql, table: string, row: Row, onConflict = ''): Promise<number> {
  const names = Object.keys(row);
  const unknown = names.find((name) => !/^[a-z][a-z0-9_]*$/.test(name));
  if (unknown !== undefined) throw new Error(`not the name of a column: ${unknown}`);
  return sql.value(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_name, at) => `$${at + 1}`).join(', ')}) ${onConflict} returning id`,
    Object.values(row),
  );
}

/** Adds the row with this value of the column `key`, or changes it. Returns its id. */
export function upsert(sql: Sql, table: string, row: Row, key = 'key'): Promise<number> {
  const changes = Object.keys(row).map((name) => `${name} = excluded.${name}`);
  return insert(sql, table, row, `on conflict (${key}) do update set ${changes.join(', ')}`);
}
