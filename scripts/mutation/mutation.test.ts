import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { isBelowGoal, type Outcome } from './results';

const outcomes = (killed: number, survived: number, skipped = 0): Outcome[] => {
  const mutant = { file: 'a.ts', line: 1, from: 'a < b', to: 'a <= b' };
  const of = (count: number, result: Outcome['result']) => Array.from({ length: count }, () => ({ ...mutant, result }));
  return [...of(killed, 'killed'), ...of(survived, 'survived'), ...of(skipped, 'skipped')];
};

describe('a part of the mutation run', () => {
  it('fails with fewer than 85 of 100 killed, of those that were tried', () => {
    expect(isBelowGoal(outcomes(85, 15), [])).toBe(false);
    expect(isBelowGoal(outcomes(84, 16), [])).toBe(true);
    expect(isBelowGoal(outcomes(17, 3, 80), [])).toBe(false);
    expect(isBelowGoal(outcomes(0, 1), [])).toBe(true);
    expect(isBelowGoal(outcomes(0, 0, 5), [])).toBe(false);
  });

  it('does not count survivors that a line argues for, in their file and with their change', () => {
    const argued = { file: 'a.ts', change: 'a < b → a <= b', why: 'They differ.' };
    expect(isBelowGoal(outcomes(1, 9), [argued])).toBe(false);
    expect(isBelowGoal(outcomes(1, 9), [{ ...argued, file: 'b.ts' }])).toBe(true);
    expect(isBelowGoal(outcomes(1, 9), [{ ...argued, change: 'a < b → a > b' }])).toBe(true);
  });
});

it('a run that cannot go on says why, and fails', () => {
  const { status, stderr } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/mutation/main.ts', 'map'], {
    cwd: path.resolve(__dirname, '../..'),
    // It asks git for the commit.
    env: { ...process.env, PATH: '' },
    encoding: 'utf8',
    timeout: 120_000,
  });
  expect(stderr).toContain('spawnSync git ENOENT');
  expect(status).toBe(1);
});
