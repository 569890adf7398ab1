import { repetitions } from '../../scripts/jest/test-scale';
import { kinds } from '../test/support/test-app';
import { type SoakReport, soak } from './soak';

/** A short `npm run test:soak`: real processes, with `kill -9` of a server and of PostgreSQL in between. */
const kills = repetitions(10);
it.each(kinds)(
  'on %s everything acknowledged survives kill -9, exactly once, and every invariant holds',
  async (kind) => {
    const report: SoakReport = await soak(
      kind === 'postgres'
        ? { kind, operations: repetitions(15_000), serverKills: kills, databaseKills: kills, people: 12, atOnce: 12 }
        : {
            kind,
            operations: repetitions(4_000),
            serverKills: kills,
            people: 8,
            atOnce: 6,
            template: process.env.SHOP_TEST_TEMPLATE,
          },
    );
    // The seed repeats the operations; their interleaving is not repeatable.
    expect({ seed: report.seed, differences: report.differences }).toEqual({ seed: report.seed, differences: [] });
    expect(Object.entries(report.invariants).filter(([, state]) => state !== 'holds')).toEqual([]);
    expect(report.serverKills).toBe(kills);
    expect(report.databaseKills).toBe(kind === 'postgres' ? kills : 0);
    expect(report.acknowledged['order paid from the wallet']).toBeGreaterThan(20);
  },
  3_000_000,
);
