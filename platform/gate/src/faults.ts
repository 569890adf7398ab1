import { BROWSER_CHECKS, type BrowserCheck, type Check } from '@platform/releases';
import { describeRounds, type Round } from './rounds';

export interface Fault {
  check: BrowserCheck;
  where: string;
  what: string;
  /** A busy machine can cause this fault, so it counts only if the repeated visit has it too. */
  depends?: 'on time';
}

export interface Visited {
  where: string;
  round: Round;
  faults: readonly Fault[];
  once: readonly Fault[];
}

const MAX_CHARACTERS = 300;
const MAX_FAULTS = 12;

/** One check for each rule. A fault of several visits is reported once, with the settings that those visits have in common. */
export function toChecks(visits: readonly Visited[], passed: Record<BrowserCheck, string>): Check[] {
  return BROWSER_CHECKS.map((check): Check => {
    const met = new Map<string, { fault: Fault; rounds: Round[] }>();
    for (const { round, faults } of visits) {
      for (const fault of faults.filter((candidate) => candidate.check === check)) {
        const key = `${fault.where} ${fault.what}`;
        const entry = met.get(key) ?? { fault, rounds: [] };
        if (!entry.rounds.includes(round)) entry.rounds.push(round);
        met.set(key, entry);
      }
    }
    const lines = [...met.values()].map(({ fault: { where, what }, rounds }) => {
      const settings = describeRounds(
        rounds,
        visits.filter((visit) => visit.where === where).map(({ round }) => round),
      );
      return `${where}${settings && ` (${settings})`}: ${what.slice(0, MAX_CHARACTERS)}`;
    });
    const once = visits.flatMap((visit) => visit.once).filter((fault) => fault.check === check);
    const [first] = once;
    if (lines.length === 0) {
      const busy =
        first && ` (found ${once.length} times under load, not in a repeated visit: ${first.where}: ${first.what})`;
      return { check, outcome: 'passed', detail: `${passed[check]}${busy ?? ''}`.slice(0, MAX_CHARACTERS) };
    }
    const more = lines.length > MAX_FAULTS ? [`and ${lines.length - MAX_FAULTS} more`] : [];
    return { check, outcome: 'failed', detail: [...lines.slice(0, MAX_FAULTS), ...more].join('; ') };
  });
}
