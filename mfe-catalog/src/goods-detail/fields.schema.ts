import type { FieldValues, GoodsField, GoodsFieldOption } from '@shop/server/wire';
import { object, string } from '@shop/shared/forms';

/** The server's pattern is tested against the whole value. One that this browser cannot read is left to the server. */
function wholePattern(source: string): RegExp | null {
  try {
    return new RegExp(`^(?:${source})$`, 'u');
  } catch {
    try {
      return new RegExp(`^(?:${source})$`);
    } catch {
      return null;
    }
  }
}

/** Full-width digits and stray spaces are slips of the keyboard. A password is taken as it was typed. */
export function cleanValue(field: GoodsField, value: string | undefined): string {
  if (field.type === 'password') return value ?? '';
  return (value ?? '').normalize('NFKC').trim();
}

/** The options that are offered while the field it depends on has its present value. */
export function offeredOptions(field: GoodsField, values: FieldValues): GoodsFieldOption[] {
  const chosen = field.depends_on ? values[field.depends_on] : undefined;
  return field.options.filter(
    (option) => option.when === undefined || (chosen !== undefined && option.when.includes(chosen)),
  );
}

/** A select without a single option to offer is not asked for. */
export function isAsked(field: GoodsField, values: FieldValues): boolean {
  return field.type !== 'select' || offeredOptions(field, values).length > 0;
}

/** The rules of the server's fields as a yup schema; the messages are keys of this remote's texts. */
export function fieldsSchema(fields: readonly GoodsField[]) {
  return object(
    Object.fromEntries(
      fields.map((field) => [
        field.key,
        string().test({
          name: 'field',
          test(raw, context) {
            const values = context.parent as FieldValues;
            if (!isAsked(field, values)) return true;
            const problem = fieldProblem(field, cleanValue(field, raw), values);
            return problem ? context.createError({ message: problem }) : true;
          },
        }),
      ]),
    ),
  );
}

export type FieldProblem =
  | 'field.required'
  | 'field.choose'
  | 'field.number'
  | 'field.short'
  | 'field.long'
  | 'field.pattern';

export function fieldProblem(field: GoodsField, value: string, values: FieldValues): FieldProblem | null {
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
  // The server takes no markup and no control characters in any field.
  if (/[<>\p{Cc}]/u.test(value)) return 'field.pattern';
  const pattern = field.pattern ? wholePattern(field.pattern) : null;
  return pattern && !pattern.test(value) ? 'field.pattern' : null;
}

export function emptyValues(fields: readonly GoodsField[]): FieldValues {
  return Object.fromEntries(fields.map((field) => [field.key, '']));
}

/** What is sent: asked-for fields with a value, cleaned. */
export function cleanFields(fields: readonly GoodsField[], values: FieldValues): FieldValues {
  return Object.fromEntries(
    fields
      .filter((field) => isAsked(field, values))
      .map((field) => [field.key, cleanValue(field, values[field.key])] as const)
      .filter(([, value]) => value !== ''),
  );
}

/** What may be kept as a saved account: never a password. */
export function rememberedFields(fields: readonly GoodsField[], values: FieldValues): FieldValues {
  return cleanFields(
    fields.filter((field) => field.remember && field.type !== 'password'),
    values,
  );
}
