import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import regexTokens, { type Tokens, types } from 'ret';

/** Letters of a shopper's value, whatever the field says (`FieldValuesSchema`). */
const LONGEST_VALUE = 200;
const LONGEST_PATTERN = 300;
/** Bounds what compiling costs: each repetition stands in the automaton as often as it may occur. */
const MOST_PARTS = 400;
/** Splits of a value that a backtracking engine could try; of one letter each, they took 60 ms at most. */
const MOST_WAYS = 1_000_000;

/** Rules of `fieldText`. */
export type PatternFault = 'patternSyntax' | 'patternSize';

/** Of the whole value, as the `pattern` attribute of HTML. */
const wholeValue = (pattern: string) => `^(?:${pattern})$`;

const compiled = new LRUCache<string, RE2JS>({ max: 500 });

/** Linear in the length of the value, whatever the pattern. */
function linearPattern(pattern: string): RE2JS {
  const known = compiled.get(pattern);
  if (known) return known;
  const fresh = RE2JS.compile(RE2JS.translateRegExp(wholeValue(pattern)));
  compiled.set(pattern, fresh);
  return fresh;
}

interface Extent {
  parts: number;
  /** In which values of `longest` letters can be divided among the parts; an upper bound. */
  ways: number;
}

function extentOf(token: Tokens, longest: number): Extent {
  if (token.type === types.REPETITION) {
    const { parts, ways } = extentOf(token.value, longest);
    const most = Number.isFinite(token.max) ? token.max : Math.max(token.min, 1);
    let sum = 0;
    for (let times = Math.min(token.min, longest); times <= Math.min(token.max, longest); times++) sum += ways ** times;
    return { parts: parts * most, ways: sum };
  }
  if (token.type !== types.ROOT && token.type !== types.GROUP) return { parts: 1, ways: 1 };
  const choices = (token.options ?? [token.stack ?? []]).map((sequence) =>
    sequence
      .map((one) => extentOf(one, longest))
      .reduce((all, one) => ({ parts: all.parts + one.parts, ways: all.ways * one.ways }), { parts: 1, ways: 1 }),
  );
  return choices.reduce((all, one) => ({ parts: all.parts + one.parts, ways: all.ways + one.ways }));
}

/**
 * Why a pattern cannot be a rule of a field; undefined for a good one. It is written in what RE2 and browsers both read: look-around
 * and backreferences are not.
 */
export function patternFault(pattern: string): PatternFault | undefined {
  if (pattern.length > LONGEST_PATTERN) return 'patternSize';
  try {
    new RegExp(wholeValue(pattern), 'u');
    if (extentOf(regexTokens(pattern), LONGEST_VALUE).parts > MOST_PARTS) return 'patternSize';
    linearPattern(pattern);
    return undefined;
  } catch {
    return 'patternSyntax';
  }
}

export const fitsPattern = (pattern: string, value: string): boolean => linearPattern(pattern).test(value);

/**
 * What a browser may run of a field's pattern: its engine backtracks, so one that could keep it busy stays with the server. The bound
 * holds for values of up to `max_len` letters, which is therefore sent with it.
 */
export function browserPattern({ pattern, max_len }: { pattern?: string; max_len?: number }) {
  const longest = Math.min(max_len ?? LONGEST_VALUE, LONGEST_VALUE);
  if (!pattern || patternFault(pattern) || extentOf(regexTokens(pattern), longest).ways > MOST_WAYS) return {};
  return { pattern, max_len: longest };
}
