import type { FieldValues, GoodsField, GoodsFieldOption } from '@shop/server/wire';
import { plainText } from '@shop/shared/domain/plain-text';
import { object, string } from '@shop/shared/forms';

/**
 * Anchored to the whole value. The server sends no pattern with catastrophic backtracking, and it checks the patterns that this
 * browser cannot compile.
 */
function wholePattern(source: string): RegExp | null {
  try {
    return new RegExp(`^(?:${source})$`, 'u');
  } catch {
    return null;
  }
}

/**
 * Folds full-width characters and trims, except passwords. The dashes and joiners of a character's name stay: without them, the
 * order would go to another account.
 */
function cleanValue(field: GoodsField, value: string | undefined): string {
  if (field.type === 'password') return value ?? '';
  return field.type === 'number' ? plainText(value ?? '') : (value ?? '').normalize('NFKC').trim();
}

export function offeredOptions(field: GoodsField, values: FieldValues): GoodsFieldOption[] {
  const chosen = field.depends_on ? values[field.depends_on] : undefined;
  return field.options.filter(
    (option) => option.when === undefined || (chosen !== undefined && option.when.includes(chosen)),
  );
}

export function isAsked(field: GoodsField, values: FieldValues): boolean {
  return field.type !== 'select' || offeredOptions(field, values).length > 0;
}

/** The server's field rules as a yup schema; the messages are keys of this remote's texts. */
export function fieldsSchema(fields: readonly GoodsField[]) {
  return object(
    Object.fromEntries(
      fields.map((field) => [
        field.key,
        string().test({
          name: 'field',
          test(raw, context) {
            const values = context.parent as FieldValues;
            const problem = fieldProblem(field, cleanValue(field, raw), values);
            return problem ? context.createError({ message: problem }) : true;
          },
        }),
      ]),
    ),
  );
}

type FieldProblem = 'field.required' | 'field.choose' | 'field.number' | 'field.short' | 'field.long' | 'field.pattern';

export function fieldProblem(field: GoodsField, value: string, values: FieldValues): FieldProblem | null {
  if (!isAsked(field, values)) return null;
  if (value === '') {
    if (!field.required) return null;
    return field.type === 'select' ? 'field.choose' : 'field.required';
  }
  if (field.type === 'select') {
    return offeredOptions(field, values).some((option) => option.value === value) ? null : 'field.choose';
  }
  if (field.type === 'number' && !/^\d+$/.test(value)) return 'field.number';
  const length = [...value].length;
  if (field.min_len !== undefined && length < field.min_len) return 'field.short';
  if (field.max_len !== undefined && length > field.max_len) return 'field.long';
  // The server refuses markup and control characters in any field.
  if (/[<>\p{Cc}]/u.test(value)) return 'field.pattern';
  const pattern = field.pattern ? wholePattern(field.pattern) : null;
  return pattern && !pattern.test(value) ? 'field.pattern' : null;
}

export function emptyValues(fields: readonly GoodsField[]): FieldValues {
  return Object.fromEntries(fields.map((field) => [field.key, '']));
}

export function cleanFields(fields: readonly GoodsField[], values: FieldValues): FieldValues {
  return Object.fromEntries(
    fields
      .filter((field) => isAsked(field, values))
      .map((field) => [field.key, cleanValue(field, values[field.key])] as const)
      .filter(([, value]) => value !== ''),
  );
}

/** The fields that may be saved as an account: never a password. */
export function rememberedFields(fields: readonly GoodsField[], values: FieldValues): FieldValues {
  return cleanFields(
    fields.filter((field) => field.remember && field.type !== 'password'),
    values,
  );
}
