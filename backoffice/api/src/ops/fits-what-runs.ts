/** Before a server starts: does it have what the releases use that visitors run? (docs/adr/0067-what-is-live-fits.md) */
import { type CallShape, type ServerFaults, type Store, serverFaults } from '@platform/releases';
import { TOKEN_VALID_FOR } from '@platform/watch';
import { StartError } from '@shop/server/platform/db/database';
import type { Sql } from '@shop/server/platform/db/sql';

export interface FitOptions {
  store: Store;
  channel: string;
  calls: Readonly<Record<string, CallShape>>;
  /** A fault keeps it from starting; otherwise it is told only. */
  isStrict: boolean;
  say(line: string): void;
}

/**
 * Throws StartError for what is live and for what open tabs still run, by their reports of the last two hours. Without a store that
 * can be read the shop starts.
 */
export async function refuseWhatDoesNotFit(
  sql: Sql,
  { store, channel, calls, isStrict, say }: FitOptions,
): Promise<void> {
  let found: ServerFaults[];
  try {
    found = await serverFaults(store, calls, { channel });
  } catch (error) {
    return say(`What is live could not be compared with this server: ${(error as Error).message}`);
  }
  if (found.length === 0) return;
  const seen = await lastReports(sql);
  const lines = found.flatMap(({ name, version, until, faults }) => {
    const label = `${name}@${version}`;
    const last = seen.get(label);
    if (until && !last) return [];
    const waits = until && last ? ` (not live any more; an open tab reported at ${last.toISOString()})` : '';
    return faults.map((fault) => `${label}${waits} uses ${fault}`);
  });
  if (lines.length === 0) return;
  const waits = found.every(({ until }) => until)
    ? 'It can start when no tab runs these any more.'
    : 'Release what does without them first.';
  const message = `This server does not have what visitors run: ${lines.join('; ')}. ${waits} BREAKING_START=on starts it all the same.`;
  if (isStrict) throw new StartError(message);
  say(message);
}

/** By `name@version`, when a tab last reported it, for as long as a page reports without a new document. */
async function lastReports(sql: Sql): Promise<Map<string, Date>> {
  // A database that is new, or from before, has counted nothing.
  if (!(await sql.row("select 1 where to_regclass('release_minutes') is not null"))) return new Map();
  const rows = await sql.rows<{ label: string; last: Date }>(
    `select name || '@' || version as label, max(minute) as last from release_minutes
      where minute > now() - make_interval(secs => $1) group by 1`,
    [TOKEN_VALID_FOR],
  );
  return new Map(rows.map(({ label, last }) => [label, new Date(last)]));
}
