/** Compares calls as a release was built for them with those of a server. */
import type { CallShape } from '../manifest';

const typesOf = (text: string) => new Set(text.split('|'));
const isOptional = (text: string) => typesOf(text).has('undefined');

/** What `types` has and `allowed` has not; a whole number is a number. */
const beyond = (types: string, allowed: string): string[] => {
  const known = typesOf(allowed);
  if (known.has('unknown')) return [];
  return [...typesOf(types)].filter((one) => !known.has(one) && !(one === 'integer' && known.has('number')));
};

/** The fields of an answer that are read as numbers may become whole ones and the other way round. */
const asNumbers = (types: string) => types.replace(/\binteger\b/g, 'number');

const words = (types: readonly string[]) =>
  types.map((one) => (one === 'undefined' ? 'missing' : one === 'unknown' ? 'anything' : one)).join(' or ');

/** '' is the answer, which has all of them. */
const isWithin = (field: string, other: string) => other === '' || field === other || field.startsWith(`${other}.`);

/** A field in one that is gone is not told again. */
const outermost = (fields: readonly string[]) =>
  fields.filter((field) => !fields.some((other) => other !== field && isWithin(field, other)));

/** One line for each call or field that the release uses and this server has not, or has otherwise; each begins with the call. */
export function callFaults(
  used: Readonly<Record<string, CallShape>>,
  server: Readonly<Record<string, CallShape>>,
): string[] {
  return Object.entries(used).flatMap(([call, { takes, answer }]) => {
    const now = server[call];
    if (!now) return [`${call}, which this server has not`];
    return [...answerFaults(answer, now.answer), ...inputFaults(takes, now.takes)].map((fault) => `${call}: ${fault}`);
  });
}

export interface Retiring {
  call: string;
  /** '' for the call itself. */
  field: string;
  /** From which date on it may be gone: '2027-01-31'. */
  on: string;
}

/** What a release uses that is to go. */
export const retiring = (
  used: Readonly<Record<string, CallShape>>,
  server: Readonly<Record<string, CallShape>>,
): Retiring[] =>
  Object.entries(used).flatMap(([call, { takes, answer }]) =>
    Object.entries(server[call]?.retires ?? {})
      .filter(([field]) => field === '' || takes[field] !== undefined || answer[field] !== undefined)
      .map(([field, on]) => ({ call, field, on })),
  );

const called = (field: string) => (field === '' ? 'the answer' : `"${field}"`);

function answerFaults(read: CallShape['answer'], given: CallShape['answer']): string[] {
  const gone = outermost(Object.keys(read).filter((field) => given[field] === undefined));
  const isGone = (field: string) => gone.some((one) => isWithin(field, one));
  const changed = Object.entries(read).flatMap(([field, types]) => {
    if (isGone(field)) return [];
    const more = beyond(asNumbers(given[field] ?? ''), asNumbers(types));
    return more.length > 0 ? [`${called(field)}, which may now be ${words(more)}`] : [];
  });
  return [...gone.map((field) => `${called(field)}, which is not answered any more`), ...changed];
}

function inputFaults(sent: CallShape['takes'], taken: CallShape['takes']): string[] {
  const parentOf = (field: string) => field.slice(0, Math.max(0, field.lastIndexOf('.')));
  const missing = Object.entries(taken)
    .filter(
      ([field, types]) =>
        !isOptional(types) && !field.endsWith('*') && (sent[field] === undefined || isOptional(sent[field])),
    )
    .filter(([field]) => parentOf(field) === '' || sent[parentOf(field)] !== undefined)
    .map(([field]) => `without "${field}", which is now needed`);
  const unknown = outermost(Object.keys(sent).filter((field) => taken[field] === undefined));
  const isUnknown = (field: string) => unknown.some((one) => isWithin(field, one));
  const changed = Object.entries(sent).flatMap(([field, types]) => {
    if (isUnknown(field)) return [];
    const more = beyond(types, taken[field] ?? '').filter((one) => one !== 'undefined');
    return more.length > 0 ? [`"${field}" as ${words(more)}, which is not taken any more`] : [];
  });
  return [...missing, ...unknown.map((field) => `"${field}", which is not taken any more`), ...changed];
}
