import type { Sql } from './sql';

/** Rows per statement, so that it ends within the time limit of a job, however many rows there are. */
export const BATCH = 5000;

export async function inBatches(run: () => Promise<number>, size = BATCH): Promise<number> {
  let done = 0;
  for (;;) {
    const count = await run();
    done += count;
    if (count < size) return done;
  }
}

export const deleteRows = (sql: Sql, table: string, condition: string, values: unknown[] = []): Promise<number> =>
  inBatches(() =>
    sql.run(
      `delete from ${table} where ctid = any (array(select ctid from ${table} where ${condition} limit ${BATCH}))`,
      values,
    ),
  );

/** Runs all parts in turn, and then throws the first error, if any. Returns the sum of their results. */
export async function tryAll(parts: (() => Promise<number>)[]): Promise<number> {
  const errors: unknown[] = [];
  let done = 0;
  for (const part of parts)
    try {
      done += await part();
    } catch (error) {
      errors.push(error);
    }
  if (errors.length) throw errors[0];
  return done;
}
