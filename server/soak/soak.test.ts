import { repetitions } from '../../scripts/jest/test-scale';
import { kinds } from '../test/support/test-app';
import { type SoakReport, soak } from './soak';

/** Real processes, with `kill -9` of a server and of PostgreSQL in between. */
const seed = process.env.SOAK_SEED ? Number(process.env.SOAK_SEED) : undefined;
const kills = repetitions(10);
const rotations = repetitions(3);
it.each(kinds)(
  'on %s everything acknowledged survives kill -9 and new keys, exactly once, and money and goods match the providers',
  async (kind) => {
    const report: SoakReport = await soak(
      kind === 'postgres'
        ? {
            kind,
            seed,
            operations: repetitions(15_000),
            serverKills: kills,
            databaseKills: kills,
            rotations,
            people: 12,
            atOnce: 12,
          }
        : {
            kind,
            seed,
            operations: repetitions(4_000),
            serverKills: kills,
            rotations,
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
    expect(report.rotations).toBe(rotations);
    const { acknowledged, delivered } = report;
    expect(acknowledged['order paid from the wallet']).toBeGreaterThan(20);
    expect(delivered).toBeGreaterThan(0);
    const goingBack = ['refund by the staff', 'refund begun at the provider', 'dispute'];
    expect(goingBack.map((one) => acknowledged[one] ?? 0).reduce((sum, one) => sum + one)).toBeGreaterThan(5);
    expect(report.encryptedAgain).toBeGreaterThan(0);
  },
  3_000_000,
);
