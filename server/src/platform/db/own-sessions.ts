import type { ClientBase } from 'pg';
import type { CallLimits } from './call-limits';

/**
 * The shop needs a session of PostgreSQL for each connection: time limits and prepared statements belong to a session. A pooler
 * between them may give every transaction or statement another one.
 */

type Connection = Pick<ClientBase, 'query'>;

/** Sets the limits by statements, because poolers refuse or ignore parameters at the start of a connection. */
export const setLimits = (connection: Connection, { statementMs, lockMs, idleMs }: CallLimits) =>
  connection.query(
    `select set_config('statement_timeout', '${statementMs}', false),
            set_config('lock_timeout', '${lockMs}', false),
            set_config('idle_in_transaction_session_timeout', '${idleMs}', false)`,
  );

/** Two in a row reveal sessions that take turns. */
const TURNS = [0, 0, 1, 1, 0, 1, 0, 0, 1] as const;

/** Returns a line that says what to do if the connections share sessions or take turns in them. */
export async function sessionFault(connections: readonly [Connection, Connection]): Promise<string | undefined> {
  const sessions: [Set<unknown>, Set<unknown>] = [new Set(), new Set()];
  for (const turn of TURNS) {
    const { rows } = await connections[turn].query('select pg_backend_pid() as id');
    const { id } = rows[0] as { id: number };
    sessions[turn].add(id);
    if (sessions[turn].size > 1 || sessions[turn === 0 ? 1 : 0].has(id))
      return 'DATABASE_URL leads to a pooler that gives each transaction another session, which loses time limits and prepared statements: set its mode to "session" (PgBouncer: pool_mode=session), or name PostgreSQL itself.';
  }
  return undefined;
}
