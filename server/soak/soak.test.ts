import { kinds } from '../test/support/test-app';
import { type SoakReport, soak } from './soak';

/** The small brother of `npm run test:soak`: real processes, `kill -9` of a server and of PostgreSQL in between. */
it.each(kinds)(
  'on %s what was acknowledged survives kill -9, exactly once, and every invariant holds',
  async (kind) => {
    const report: SoakReport = await soak(
      kind === 'postgres'
        ? { kind, operations: 1500, serverKills: 1, databaseKills: 1, people: 12, atOnce: 12 }
        : { kind, operations: 400, serverKills: 1, people: 8, atOnce: 6 },
    );
    // The seed makes the same wishes again; in which order they meet is the machine's.
    expect({ seed: report.seed, differences: report.differences }).toEqual({ seed: report.seed, differences: [] });
    expect(Object.entries(report.invariants).filter(([, state]) => state !== 'holds')).toEqual([]);
    expect(report.serverKills).toBe(1);
    expect(report.databaseKills).toBe(kind === 'postgres' ? 1 : 0);
    expect(report.acknowledged['order paid from the wallet']).toBeGreaterThan(20);
  },
  300_000,
);
