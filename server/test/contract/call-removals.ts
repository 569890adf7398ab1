import type { CallShape } from './call-shapes';

const typesOf = (text: string) => new Set(text.split('|'));

const beyond = (types: string, allowed: string): string[] => {
  const all = typesOf(allowed);
  if (all.has('unknown')) return [];
  return [...typesOf(types)].filter((type) => !all.has(type) && !(type === 'integer' && all.has('number')));
};

const asNumbers = (types: string) => types.replace(/\binteger\b/g, 'number');

const parentOf = (field: string) => field.slice(0, Math.max(0, field.lastIndexOf('.')));

/** One line for each removal before its date: a call, a field of a response, or an input. `today` is like '2027-01-31'. */
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
    const presentCall = present[call];
    if (!presentCall) return isDue('') ? [] : [`${call} is gone`];
    const answered = Object.entries(answer).flatMap(([field, types]) => {
      const present = presentCall.answer[field];
      if (isDue(field)) return [];
      if (present === undefined) return [`${call}: "${field}" is no longer answered`];
      const added = beyond(asNumbers(present), asNumbers(types));
      return added.length > 0 ? [`${call}: "${field}" may now be ${added.join(' or ')}`] : [];
    });
    const inputs = Object.entries(takes).flatMap(([field, types]) => {
      const present = presentCall.takes[field];
      if (isDue(field)) return [];
      if (present === undefined) return [`${call}: "${field}" is no longer taken`];
      const less = beyond(types, present);
      return less.length > 0 ? [`${call}: "${field}" may no longer be ${less.join(' or ')}`] : [];
    });
    const isSent = (field: string) => field === '' || takes[field] !== undefined;
    const required = Object.entries(presentCall.takes)
      .filter(([field, types]) => !takes[field] && !typesOf(types).has('undefined') && isSent(parentOf(field)))
      .map(([field]) => `${call}: "${field}" is now required`);
    return [...answered, ...inputs, ...required];
  });
}
