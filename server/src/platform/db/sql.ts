import type pg from 'pg';

/** SQLSTATE under which the database's functions raise an error of the shop's catalogue; the message is its code. */
export const SHOP_SQLSTATE = 'SHOPE';

const names = new Map<string, string>();
/** Statements with parameters are prepared once a connection: their texts are constants of the source. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (!name) {
    name = `s${names.size}`;
    names.set(text, name);
  }
  return name;
}

/** Runs a statement and records it under what asks for it. */
export type TraceStatement = <T>(text: string, run: () => Promise<T>) => Promise<T>;

/** What a service needs of the database: the pool, or one transaction. */
export class Sql {
  constructor(private readonly runner: Pick<pg.ClientBase, 'query'>) {}

  async rows<T>(text: string, values: unknown[] = []): Promise<T[]> {
    return (await this.query<T>(text, values)).rows;
  }
  async row<T>(text: string, values: unknown[] = []): Promise<T | undefined> {
    return (await this.rows<T>(text, values))[0];
  }
  /** The only row; an error when there is none. */
  async one<T>(text: string, values: unknown[] = []): Promise<T> {
    const row = await this.row<T>(text, values);
    if (row === undefined) throw new Error('a row was expected');
    return row;
  }
  /** How many rows were changed. */
  async run(text: string, values: unknown[] = []): Promise<number> {
    return (await this.query(text, values)).count;
  }
  /** Several statements in one text, without parameters. `timeoutMs`: how long the server may take to answer, otherwise the limit of the connection. */
  async script(text: string, timeoutMs?: number): Promise<void> {
    // Not in the types of pg.
    await this.runner.query({ text, query_timeout: timeoutMs } as pg.QueryConfig);
  }
  private async query<T>(text: string, values: unknown[]): Promise<{ rows: T[]; count: number }> {
    const result = await this.runner.query(values.length ? { name: nameOf(text), text, values } : { text });
    return { rows: result.rows as T[], count: result.rowCount ?? 0 };
  }
}
