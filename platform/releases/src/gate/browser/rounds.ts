/** Under which settings the gate opens a route. */
import type { Visitor } from '../..';

export interface Round {
  visitor: Visitor;
  language: 'zh-CN' | 'en';
  /** Pixels. */
  width: 390 | 1280;
  answers: 'as they are' | 'slow';
}

/**
 * A covering array: five rounds hold every pair of settings (`rounds.test.ts`), where all combinations would be sixteen. A fault
 * that needs three settings at once can be missed.
 */
export const ROUNDS: readonly Round[] = [
  { visitor: 'guest', language: 'zh-CN', width: 390, answers: 'as they are' },
  { visitor: 'signed in', language: 'en', width: 1280, answers: 'as they are' },
  { visitor: 'guest', language: 'en', width: 1280, answers: 'slow' },
  { visitor: 'signed in', language: 'zh-CN', width: 1280, answers: 'slow' },
  { visitor: 'signed in', language: 'en', width: 390, answers: 'slow' },
];

/** What the failed rounds have in common and the others lack: 'en', 'signed in, 390 px'; '' when all failed. */
export function describeRounds(failed: readonly Round[], all: readonly Round[]): string {
  const settings = (round: Round) => [round.visitor, round.language, `${round.width} px`, `answers ${round.answers}`];
  if (failed.length === all.length) return '';
  const isExact = (wanted: readonly string[]) =>
    all.every((round) => failed.includes(round) === wanted.every((setting) => settings(round).includes(setting)));
  const [first] = failed;
  const options = first ? settings(first) : [];
  const single = options.find((setting) => isExact([setting]));
  return single ?? failed.map((round) => settings(round).join(', ')).join('; ');
}
