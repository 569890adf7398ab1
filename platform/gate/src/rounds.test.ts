import { describeRounds, ROUNDS, type Round } from './rounds';

const axes = {
  visitor: ['guest', 'signed in'],
  language: ['zh-CN', 'en'],
  width: [390, 1280],
  answers: ['as they are', 'slow'],
  theme: ['light', 'dark'],
  document: ['rendered', 'skeleton'],
} as const;

it('the gate’s rounds contain every pair of settings', () => {
  const names = Object.keys(axes) as Array<keyof Round>;
  const missing: string[] = [];
  for (const one of names)
    for (const other of names.slice(names.indexOf(one) + 1))
      for (const left of axes[one])
        for (const right of axes[other])
          if (!ROUNDS.some((round) => round[one] === left && round[other] === right)) missing.push(`${left} ${right}`);
  expect(missing).toEqual([]);
});

it('a summary of failed rounds names the setting that they have in common', () => {
  const of = (wanted: Partial<Round>) =>
    ROUNDS.filter((round) => Object.entries(wanted).every(([axis, value]) => round[axis as keyof Round] === value));
  expect(describeRounds(ROUNDS, ROUNDS)).toBe('');
  expect(describeRounds(of({ language: 'en' }), ROUNDS)).toBe('en');
  expect(describeRounds(of({ visitor: 'signed in' }), ROUNDS)).toBe('signed in');
  expect(describeRounds(of({ width: 390 }), ROUNDS)).toBe('390 px');
  expect(describeRounds(ROUNDS.slice(1, 2), ROUNDS)).toBe('signed in, 390 px');
  expect(describeRounds(ROUNDS.slice(0, 2), ROUNDS)).toBe('390 px, answers as they are');
  expect(describeRounds([ROUNDS[0] as Round, ROUNDS[5] as Round], ROUNDS)).toBe(
    'guest, zh-CN, 390 px, answers as they are; signed in, en, 1280 px, answers slow',
  );
});
