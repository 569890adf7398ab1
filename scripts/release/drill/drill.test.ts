/** `npm run release -- drill` as a command, every bad release: twenty minutes, so with TEST_FULL only. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { drillNames } from './drills';
import type { DrillReport } from './run-drills';

const onlyInFull = process.env.TEST_FULL ? it : it.skip;
const MINUTE_MS = 60_000;
const root = path.join(__dirname, '../../..');

onlyInFull(
  'shows each bad release refused by the gate or taken back by the watcher, and a tab that is well again',
  async () => {
    const command = ['--import', 'tsx', 'scripts/release.ts', 'drill', '--json'];
    // A slow machine may miss the minute, which the exit code says and this test does not ask for.
    const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root }).catch((error) => error);
    const { drills } = JSON.parse(stdout) as DrillReport;
    expect(drills.map(({ name }) => name)).toEqual(drillNames);
    for (const { name, gate, expected, stops, live } of drills) {
      const passesTheGate = /^half/.test(name);
      if (gate) expect([name, gate.failed.length === 0]).toEqual([name, passesTheGate]);
      expect([name, live !== null]).toEqual([name, expected !== null || stops !== null]);
      if (!live) continue;
      expect([name, live.caughtBy]).toEqual([name, live.traffic < 100 ? 'canary' : 'watcher']);
      expect([name, live.tabSeconds]).toEqual([name, expect.any(Number)]);
      if (expected) expect([name, live.reported]).toEqual([name, expect.arrayContaining([expected])]);
    }
    const half = drills.find(({ name }) => name === 'half')?.live;
    expect(half).toMatchObject({
      caughtBy: 'watcher',
      traffic: 100,
      why: expect.stringMatching(/% of \d+ visits failed/),
    });
    // Half of the visits meet the fault.
    expect((half?.seen.met ?? 0) / (half?.seen.ran ?? 0)).toBeCloseTo(0.5, 1);
  },
  40 * MINUTE_MS,
);
