/** What an API no longer offers that the calls released before it did: a tab that was left open, or a remote of before, still uses it. */
import type { CallShape } from './call-shapes';

const typesOf = (text: string) => new Set(text.split('|'));

/** What `types` has and `allowed` does not. A whole number is a number. */
const beyond = (types: string, allowed: string): string[] => {
  const all = typesOf(allowed);
  if (all.has('unknown')) return [];
  return [...typesOf(types)].filter((type) => !all.has(type) && !(type === 'integer' && all.has('number')));
};

/** Answers may have whole numbers where they had others, and the other way round. */
const asNumbers = (types: string) => types.replace(/\binteger\b/g, 'number');

const parentOf = (field: string) => field.slice(0, Math.max(0, field.lastIndexOf('.')));

/** One line for each removal whose date has not come: a call, a field of an answer, or an input. `today`: '2027-01-31'. */
export function removals(
  released: Readonly<Record<string, CallShape>>,
  present: Readonly<Record<string, CallShape>>,
  today: string,
): string[] {
  return Object.entries(released).flatMap(([call, { takes, answer, retires = {} }]) => {
    const isDue = (field: string): boolean => {
      const date = retires[field];
      return (date !== undefined && date <= today) || (field !== '' && isDue(parentOf(field)));
    };
    const now = present[call];
    if (!now) return isDue('') ? [] : [`${call} is gone`];
    const answered = Object.entries(answer).flatMap(([field, types]) => {
      const present = now.answer[field];
      if (isDue(field)) return [];
      if (present === undefined) return [`${call}: "${field}" is no longer answered`];
      const more = beyond(asNumbers(present), asNumbers(types));
      return more.length > 0 ? [`${call}: "${field}" may now be ${more.join(' or ')}`] : [];
    });
    const taken = Object.entries(takes).flatMap(([field, types]) => {
      const present = now.takes[field];
      if (isDue(field)) return [];
      if (present === undefined) return [`${call}: "${field}" is no longer taken`];
      const less = beyond(types, present);
      return less.length > 0 ? [`${call}: "${field}" may no longer be ${less.join(' or ')}`] : [];
    });
    const isSent = (field: string) => field === '' || takes[field] !== undefined;
    const required = Object.entries(now.takes)
      .filter(([field, types]) => !takes[field] && !typesOf(types).has('undefined') && isSent(parentOf(field)))
      .map(([field]) => `${call}: "${field}" is now required`);
    return [...answered, ...taken, ...required];
  });
}
