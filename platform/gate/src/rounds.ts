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

const SETTINGS = [
  ['as they are', 'slow'],
  ['guest', 'signed in'],
  ['zh-CN', 'en'],
  [390, 1280],
  ['light', 'dark'],
  ['rendered', 'skeleton'],
] as const;

/**
 * A covering array: six rounds contain every pair of settings (`faults.test.ts`), while all combinations would be 64 rounds. A
 * fault that needs three settings at once can be missed. The first row has the first value of each setting, and each column has
 * the second value three times.
 */
const ROWS = ['000000', '011010', '001101', '110100', '100011', '111111'];

export const ROUNDS: readonly Round[] = ROWS.map((row) => {
  const [answers, visitor, language, width, theme, document] = SETTINGS.map(
    (values, index) => values[Number(row[index]) as 0 | 1],
  );
  return { visitor, language, width, answers, theme, document } as Round;
});

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
  if (failed.length === all.length) return '';
  const isExact = (wanted: readonly string[]) =>
    all.every((round) => failed.includes(round) === wanted.every((setting) => settings(round).includes(setting)));
  const [first] = failed;
  const options = first ? settings(first) : [];
  const single = options.find((setting) => isExact([setting]));
  if (single !== undefined) return single;
  const pairs = options.flatMap((one, index) => options.slice(index + 1).map((other) => [one, other]));
  const pair = pairs.find((two) => isExact(two));
  return pair?.join(', ') ?? failed.map((round) => settings(round).slice(0, 4).join(', ')).join('; ');
}
