import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import regexTokens, { type Tokens, types } from 'ret';
import { type Static, Type } from 'typebox';
import { exact, inBoth, oneOf, text } from '../platform/http/edit-schemas';
import { fieldError } from '../platform/http/errors';
import { fieldText } from '../platform/http/field-messages';
import { textOf } from '../platform/http/localised-text';
import type { Locale } from '../platform/http/schemas';
import type { FieldValues, GoodsField } from './catalogue.schemas';

/** A field that buyers fill in, as it is stored, edited and imported. */
export const FieldSchema = exact({
  key: Type.String({ pattern: '^\\w{1,40}$' }),
  label: inBoth(60, 1),
  type: oneOf(['text', 'number', 'select', 'password'] as const),
  required: Type.Boolean(),
  remember: Type.Boolean(),
  help: Type.Optional(inBoth(300)),
  /** Matches the whole value; see `patternFault`. */
  pattern: Type.Optional(text(300, 1)),
  min_len: Type.Optional(Type.Integer({ minimum: 0, maximum: 200 })),
  max_len: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  depends_on: Type.Optional(text(40)),
  options: Type.Optional(
    Type.Array(
      exact({
        value: text(100, 1),
        label: inBoth(100, 1),
        when: Type.Optional(Type.Array(text(100), { maxItems: 200 })),
      }),
      { maxItems: 200 },
    ),
  ),
});
export type StoredField = Static<typeof FieldSchema>;

export function fieldIn(field: StoredField, locale: Locale): GoodsField {
  const { label, help, options, pattern: _pattern, ...plain } = field;
  return {
    ...plain,
    ...browserPattern(field),
    label: textOf(label, locale),
    ...(help ? { help: textOf(help, locale) } : {}),
    options: (options ?? []).map((option) => ({ ...option, label: textOf(option.label, locale) })),
  };
}

/** The buyer's values of the goods' fields. Throws InvalidInput with a message for each wrong field; unknown fields are dropped. */
export function checkFields(fields: StoredField[], values: FieldValues, locale: Locale): FieldValues {
  const errors: Record<string, string> = {};
  const accepted: FieldValues = {};
  for (const field of fields) {
    const value = (values[field.key] ?? '').trim();
    const rule = brokenRule(field, value, values);
    if (rule) errors[`fields.${field.key}`] = fieldText(rule, locale);
    else if (value) accepted[field.key] = value;
  }
  if (Object.keys(errors).length) throw fieldError(errors);
  return accepted;
}

function brokenRule(field: StoredField, value: string, values: FieldValues): string | undefined {
  if (!value) return field.required ? 'required' : undefined;
  const length = [...value].length;
  if (field.min_len && length < field.min_len) return 'minLength';
  if (field.max_len && length > field.max_len) return 'maxLength';
  if (/[<>\p{Cc}]/u.test(value)) return 'pattern';
  if (field.type === 'number' && !/^\d+$/.test(value)) return 'pattern';
  if (field.pattern && !fitsPattern(field.pattern, value)) return 'pattern';
  if (field.type === 'select') {
    const parent = field.depends_on ? (values[field.depends_on] ?? '').trim() : '';
    const offered = (field.options ?? []).some(
      (option) => option.value === value && (!option.when || option.when.includes(parent)),
    );
    if (!offered) return 'other';
  }
  return undefined;
}

/** Maximum characters of a shopper's value in any field (`FieldValuesSchema`). */
const MAX_VALUE_LENGTH = 200;
const MAX_PATTERN_LENGTH = 300;
/** Limits the cost of compiling: the automaton repeats each part as often as it may occur. */
const MAX_PARTS = 400;
/** Maximum splits of a value that a backtracking engine could try; so many took at most 60 ms. */
const MAX_WAYS = 1_000_000;

type PatternFault = 'patternSyntax' | 'patternSize';

/** A pattern must match the whole value, like the `pattern` attribute of HTML. */
const wholeValue = (pattern: string) => `^(?:${pattern})$`;

/** They match in time linear to the length of the value for every pattern. */
const linearPatterns = new LRUCache<string, RE2JS>({
  max: 500,
  memoMethod: (pattern) => RE2JS.compile(RE2JS.translateRegExp(wholeValue(pattern))),
});

function extentOf(token: Tokens, longest: number): { parts: number; ways: number } {
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
      .map((part) => extentOf(part, longest))
      .reduce((all, extent) => ({ parts: all.parts + extent.parts, ways: all.ways * extent.ways }), {
        parts: 1,
        ways: 1,
      }),
  );
  return choices.reduce((all, extent) => ({ parts: all.parts + extent.parts, ways: all.ways + extent.ways }));
}

/**
 * Why a pattern cannot be a rule of a field; undefined for a valid one. Patterns use the syntax that RE2 and browsers share: no
 * look-around and no backreferences.
 */
export function patternFault(pattern: string): PatternFault | undefined {
  if (pattern.length > MAX_PATTERN_LENGTH) return 'patternSize';
  try {
    new RegExp(wholeValue(pattern), 'u');
    if (extentOf(regexTokens(pattern), MAX_VALUE_LENGTH).parts > MAX_PARTS) return 'patternSize';
    linearPatterns.memo(pattern);
    return undefined;
  } catch {
    return 'patternSyntax';
  }
}

export const fitsPattern = (pattern: string, value: string): boolean => linearPatterns.memo(pattern).test(value);

/**
 * The pattern that a browser may run. Browsers backtrack, so a pattern that could keep one busy stays on the server. The limit
 * holds for values of up to `max_len` characters, so `max_len` is sent too.
 */
export function browserPattern({ pattern, max_len }: { pattern?: string; max_len?: number }) {
  const longest = Math.min(max_len ?? MAX_VALUE_LENGTH, MAX_VALUE_LENGTH);
  if (!pattern || patternFault(pattern) || extentOf(regexTokens(pattern), longest).ways > MAX_WAYS) return {};
  return { pattern, max_len: longest };
}
