import { Ajv, type ErrorObject } from 'ajv';
import { hasControlCharacters } from './plain-text';

/** Of a string in a schema; without it the string is one line of text. */
const KEYWORD = 'contentMediaType';
const LINES = 'text/plain';
const ANY = 'application/octet-stream';
/** For `Type.String`: line ends and tabs too. */
export const ofLines = { [KEYWORD]: LINES } as const;
/** For `Type.String`: whatever it holds, because nothing shows it (a password) or a rule of its own reads it (a file). */
export const anyText = { [KEYWORD]: ANY } as const;

/** Filled while a body is validated, which takes no turn of the event loop. */
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
 * By the schema, and no text with control characters anywhere: what is stored is shown later, on pages, in files and in terminals, which
 * obey such characters. Names of fields are text too.
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

/** More would tell nobody more. */
const MOST_ERRORS = 20;

/**
 * Without recursion, and with paths only of what is refused: a body may be nested more deeply than the stack is, and its strings are
 * measured on the thread that serves everybody.
 */
function controlErrors(body: unknown, rules: ReadonlyMap<string, string>): ErrorObject[] {
  const errors: ErrorObject[] = [];
  const left: CheckedValue[] = [{ value: body, name: '' }];
  for (let next = left.pop(); next && errors.length < MOST_ERRORS; next = left.pop()) {
    const { value } = next;
    if (typeof value === 'string') {
      if (hasControlCharacters(value) && isRefused(value, rules.get(pathOf(next)))) errors.push(controlError(next));
    } else if (Array.isArray(value)) {
      for (const [index, one] of value.entries()) left.push({ value: one, name: String(index), parent: next });
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, one] of Object.entries(value)) {
        if (hasControlCharacters(name)) errors.push(controlError(next));
        left.push({ value: one, name, parent: next });
      }
    }
  }
  return errors;
}

const isRefused = (text: string, rule: string | undefined) =>
  rule !== ANY && (rule !== LINES || hasControlCharacters(text, { lines: true }));

/** As a JSON pointer. */
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
