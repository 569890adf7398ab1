import type { StepRule } from '@platform/releases';
import type { StepMinute } from './health-store';
import { describeStep, judgeSteps, type Reach, type StepVerdict } from './judge-steps';
import { pathOf } from './step-counts';

export interface ReplayedCanary {
  name: string;
  version: string;
  /** Per cent of the visitors. */
  traffic: number;
  path: string;
  /** At the last of the minutes, or at the one in which it would have been taken back. */
  verdict: StepVerdict['verdict'];
  /** ISO 8601. */
  at: string;
  text: string;
}

/** What rules would have said of the canaries of past minutes, oldest first. Only what everybody reached is stored by the minute. */
export function replaySteps(
  rows: readonly StepMinute[],
  rulesOf: (name: string) => readonly StepRule[],
): ReplayedCanary[] {
  const canaries = new Map<string, StepMinute>();
  for (const row of rows) {
    const isCompared = ({ name, version, traffic, control }: StepMinute) =>
      control && name === row.name && version !== row.version && traffic === 100 - row.traffic;
    if (!row.control && rows.some(isCompared)) canaries.set(`${row.name}@${row.version} ${row.traffic}`, row);
  }
  return [...canaries.values()].flatMap(({ name, version, traffic }) => {
    const rules = rulesOf(name);
    return rules.flatMap((rule) => replay(rows, { name, version, traffic }, rule, rules) ?? []);
  });
}

function replay(
  rows: readonly StepMinute[],
  canary: Pick<StepMinute, 'name' | 'version' | 'traffic'>,
  rule: StepRule,
  rules: readonly StepRule[],
): ReplayedCanary | null {
  const path = pathOf(rule);
  const own = rows.filter((row) => row.name === canary.name && row.path === path);
  const [fresh, control, others]: [Reach, Reach, Reach] = [none(), none(), none()];
  let to: string | null = null;
  const minutes = [...new Set(own.map(({ minute }) => minute))].sort();
  let last: ReplayedCanary | null = null;
  for (const minute of minutes) {
    for (const row of own.filter((one) => one.minute === minute)) {
      if (row.version === canary.version && row.traffic === canary.traffic) add(fresh, row);
      if (row.version === canary.version || row.traffic !== 100 - canary.traffic) continue;
      add(others, row);
      if (row.control) add(control, row);
      to = row.version;
    }
    if (fresh.visits === 0) continue;
    const seconds = (Date.parse(minute) - Date.parse(minutes[0] as string)) / 1000 + 60;
    // The other rules have their part of the error, with nothing to say here.
    const samples = rules.map((one) => {
      const known = one === rule ? { fresh, control, others } : { fresh: none(), control: none(), others: none() };
      return { rule: one, fresh: { all: known.fresh }, control: { all: known.control }, others: { all: known.others } };
    });
    const judged = judgeSteps(samples, canary.traffic, seconds).find((one) => one.rule === rule) as StepVerdict;
    last = {
      ...canary,
      path,
      verdict: judged.verdict,
      at: minute,
      text: describeStep(judged, { version: canary.version, to }),
    };
    if (judged.verdict === 'bad') return last;
  }
  return last;
}

const none = (): Reach => ({ visits: 0, reached: 0 });
function add(sum: Reach, { visits, reached }: Reach): void {
  sum.visits += visits;
  sum.reached += reached;
}
