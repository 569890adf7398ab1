import { fieldError } from '../platform/http/errors';
import { fieldText } from '../platform/http/field-messages';
import { type Texts, textOf } from '../platform/http/localised-text';
import type { Locale } from '../platform/http/schemas';
import type { FieldValues, GoodsField } from './catalogue.schemas';
import { browserPattern, fitsPattern, type PatternFault, patternFault } from './field-pattern';

export interface StoredField extends Omit<GoodsField, 'label' | 'help' | 'options'> {
  label: Texts;
  help?: Texts;
  options?: Array<{ value: string; label: Texts; when?: string[] }>;
}

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

export const patternFaults = (fields: ReadonlyArray<{ pattern?: string }>): Record<string, PatternFault> =>
  Object.fromEntries(
    fields.flatMap(({ pattern }, index) => {
      const fault = pattern === undefined ? undefined : patternFault(pattern);
      return fault ? [[`fields.${index}.pattern`, fault]] : [];
    }),
  );
