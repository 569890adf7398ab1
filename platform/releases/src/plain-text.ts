// Repeats the rule of server/src/platform/http/plain-text.ts, which this package does not import; scripts/release/print.test.ts
// compares them.
const control = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const everyControl = new RegExp(control, 'gu');
const everyControlButLines = /(?![\t\r\n])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;

export const hasControlCharacters = (text: string): boolean => control.test(text);

/**
 * Escapes control characters, which older versions may have stored and a terminal would obey. It uses JSON's escapes, so JSON
 * stays valid. `lines`: keeps line breaks.
 */
export const terminalText = (text: string, { lines = false } = {}): string =>
  text.replace(
    lines ? everyControlButLines : everyControl,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Whether a value that was read from JSON contains control characters in any text, including names of fields. */
export const holdsControlCharacters = (value: unknown): boolean => {
  let contains = false;
  JSON.stringify(value, (name, member: unknown) => {
    contains ||= hasControlCharacters(name) || (typeof member === 'string' && hasControlCharacters(member));
    return member;
  });
  return contains;
};
