/** Tries the rules of `remote.json` on past minutes before they count, and the judge itself on made-up visitors. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RemoteContract } from '@platform/releases';
import { UsageError } from '@platform/releases/service';
import { type ReplayedCanary, replaySteps, type SimulatedRow, type StepMinute } from '@platform/watch';
import { directoryOf } from '../project';

export type JudgeResult = { replayed: ReplayedCanary[]; minutes: number } | { simulated: SimulatedRow[] };

const MOST_MINUTES = 24 * 60;

/** '90m' or '2h', in minutes. */
export function minutesOf(given: string): number {
  const [, amount = '', unit] = /^(\d{1,4})(m|h)$/.exec(given) ?? [];
  const minutes = Number(amount) * (unit === 'h' ? 60 : 1);
  if (minutes < 1 || minutes > MOST_MINUTES)
    throw new UsageError(`--since takes minutes or hours up to a day, such as 90m or 2h, not "${given}"`);
  return minutes;
}

/** By the rules in this checkout, whatever counts now. */
export const replay = (rows: StepMinute[], names: readonly string[], minutes: number): JudgeResult => ({
  minutes,
  replayed: replaySteps(
    rows.filter(({ name }) => names.includes(name)),
    rulesOf,
  ),
});

function rulesOf(name: string) {
  const file = path.join(directoryOf(name), 'remote.json');
  return (JSON.parse(readFileSync(file, 'utf8')) as RemoteContract).steps ?? [];
}
