import type { Visitor } from '@platform/releases';

export interface Round {
  visitor: Visitor;
  language: 'zh-CN' | 'en';
  width: 390 | 1280;
  answers: 'as they are' | 'slow';
  theme: 'light' | 'dark';
  /** The document contains the page as the server renders it, or a skeleton. */
  document: 'rendered' | 'skeleton';
}

/**
 * A covering array: six rounds contain every pair of settings (`faults.test.ts`), while all combinations would be 64 rounds. A
 * fault that needs three settings at once can be missed. Each setting has its second value in three rounds, and the first round has
 * only first values.
 */
export const ROUNDS: readonly Round[] = [
  { answers: 'as they are', visitor: 'guest', language: 'zh-CN', width: 390, theme: 'light', document: 'rendered' },
  { answers: 'as they are', visitor: 'signed in', language: 'en', width: 390, theme: 'dark', document: 'rendered' },
  { answers: 'as they are', visitor: 'guest', language: 'en', width: 1280, theme: 'light', document: 'skeleton' },
  { answers: 'slow', visitor: 'signed in', language: 'zh-CN', width: 1280, theme: 'light', document: 'rendered' },
  { answers: 'slow', visitor: 'guest', language: 'zh-CN', width: 390, theme: 'dark', document: 'skeleton' },
  { answers: 'slow', visitor: 'signed in', language: 'en', width: 1280, theme: 'dark', document: 'skeleton' },
];

/** The settings that the failed rounds have in common and the others lack: 'en', 'signed in, 390 px'; '' if all failed. */
export function describeRounds(failed: readonly Round[], all: readonly Round[]): string {
  const settings = (round: Round) => [
    round.visitor,
    round.language,
    `${round.width} px`,
    `answers ${round.answers}`,
    round.theme,
    round.document,
  ];
  const isExact = (wanted: readonly string[]) =>
    all.every((round) => failed.includes(round) === wanted.every((setting) => settings(round).includes(setting)));
  const options = failed.slice(0, 1).flatMap(settings);
  const pairs = options.flatMap((one, index) => options.slice(index + 1).map((other) => [one, other]));
  const common = [[], ...options.map((one) => [one]), ...pairs].find(isExact);
  return common?.join(', ') ?? failed.map((round) => settings(round).slice(0, 4).join(', ')).join('; ');
}
