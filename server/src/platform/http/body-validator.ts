import { hasControlCharacters } from '@platform/releases';
import { Ajv, type ErrorObject } from 'ajv';

/** Keyword of a string in a schema; without it the string is one line of text. */
const KEYWORD = 'contentMediaType';
const LINES = 'text/plain';
const ANY = 'application/octet-stream';
/** For `Type.String`: permits line ends and tabs. */
export const ofLines = { [KEYWORD]: LINES } as const;
/** For `Type.String`: permits any text, because it is never displayed (a password) or a separate rule reads it (a file). */
export const anyText = { [KEYWORD]: ANY } as const;

/** Filled while a body is validated, which is synchronous. */
let allowed = new Map<string, string>();

const ajv = new Ajv({ allErrors: true, strict: false, useDefaults: true });
ajv.removeKeyword(KEYWORD).addKeyword({
  keyword: KEYWORD,
  type: 'string',
  errors: false,
  validate: (rule: string, _data: string, _schema?: object, at?: { instancePath: string }) => {
    if (at) allowed.set(at.instancePath, rule);
    return true;
  },
});

interface BodyValidator {
  (body: unknown): boolean;
  errors?: ErrorObject[] | null;
}

/**
 * Validates by the schema, and refuses control characters in any text, including names of fields, because stored texts are
 * displayed later on pages, in files and in terminals, which interpret such characters.
 */
export function bodyValidator(schema: object): BodyValidator {
  const matches = ajv.compile(schema);
  const validate: BodyValidator = (body) => {
    allowed = new Map();
    validate.errors = matches(body) ? controlErrors(body, allowed) : matches.errors;
    return !validate.errors?.length;
  };
  return validate;
}

interface CheckedValue {
  value: unknown;
  name: string;
  parent?: CheckedValue;
}

const MOST_ERRORS = 20;

/**
 * Not recursive, and computes paths only for refused values: a body may be nested more deeply than the stack, and its strings are
 * checked on the thread that serves all requests.
 */
function controlErrors(body: unknown, rules: ReadonlyMap<string, string>): ErrorObject[] {
  const errors: ErrorObject[] = [];
  const pending: CheckedValue[] = [{ value: body, name: '' }];
  for (let next = pending.pop(); next && errors.length < MOST_ERRORS; next = pending.pop()) {
    const { value } = next;
    if (typeof value === 'string') {
      if (hasControlCharacters(value) && isRefused(value, rules.get(pathOf(next)))) errors.push(controlError(next));
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) pending.push({ value: item, name: String(index), parent: next });
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, item] of Object.entries(value)) {
        if (hasControlCharacters(name)) errors.push(controlError(next));
        pending.push({ value: item, name, parent: next });
      }
    }
  }
  return errors;
}

const isRefused = (text: string, rule: string | undefined) =>
  rule !== ANY && (rule !== LINES || hasControlCharacters(text, { lines: true }));

function pathOf(place: CheckedValue): string {
  const names: string[] = [];
  for (let at = place; at.parent; at = at.parent) names.push(`/${at.name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return names.reverse().join('');
}

const controlError = (place: CheckedValue): ErrorObject => ({
  instancePath: pathOf(place),
  schemaPath: '',
  keyword: 'control',
  params: {},
  message: 'must not hold control characters',
});
