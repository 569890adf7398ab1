import { type Connection, sessionFault } from './own-sessions';

const limits = { statementMs: 5000, lockMs: 2000.4, idleMs: 300 };
const HELD = '300 2000 5000';

/** Two connections whose statement number n of each connection runs in the session that `sessionOf` names. */
function connections(sessionOf: (client: number, statement: number) => number, held = HELD): [Connection, Connection] {
  let statements = 0;
  const open = (client: number): Connection => ({
    query: async (text) => ({
      rows: [text.includes('pg_backend_pid') ? { id: sessionOf(client, statements++) } : { limits: held }],
    }),
  });
  return [open(1), open(2)];
}

it('connections with a session each and their limits are accepted', async () => {
  expect(
    await sessionFault(
      connections((client) => client),
      limits,
    ),
  ).toBeUndefined();
});

it.each<[what: string, sessionOf: (client: number, statement: number) => number]>([
  ['share one session', () => 7],
  ['take turns in two sessions', (_client, statement) => statement % 2],
  ['take turns in three sessions', (_client, statement) => statement % 3],
  ['get another session for each statement', (_client, statement) => statement],
  ['swap their sessions later', (client, statement) => (statement < 5 ? client : 3 - client)],
])('connections that %s are refused with the mode that works', async (_what, sessionOf) => {
  expect(await sessionFault(connections(sessionOf), limits)).toMatch(/^DATABASE_URL .*pool_mode=session.*$/);
});

it.each(['0 0 0', '300 2000 0', '300 2000 900000'])(
  'connections whose limits are %s ms after they were set are refused',
  async (held) => {
    expect(
      await sessionFault(
        connections((client) => client, held),
        limits,
      ),
    ).toContain(`are ${held} ms`);
  },
);
