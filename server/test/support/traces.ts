import type { Database } from '../../src/platform/db/database';

/** The rows of all tables that contain one of the texts, as "table: text"; with `userId` only rows of that user or of no user. */
export async function tracesOf(db: Database, texts: string[], userId?: number): Promise<string[]> {
  const tables = await db.rows<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const traces: string[] = [];
  for (const { name } of tables) {
    for (const text of texts) {
      const rows = await db.rows(
        `select 1 from ${name} t where position($1 in t::text) > 0
            and ($2::text is null or coalesce(to_jsonb(t) ->> 'user_id', $2) = $2)`,
        [text, userId === undefined ? null : String(userId)],
      );
      traces.push(...rows.map(() => `${name}: ${text}`));
    }
  }
  return traces;
}
