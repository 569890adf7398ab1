// C0, C1 and NUL, and characters that change the direction of a line or end it: terminals interpret them, and they are invisible.
// \p{Cs} are lone surrogates.
const control = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const controlButLines = /(?![\t\r\n])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

/** Whether the text must be refused where it is stored. `lines` permits line ends and tabs. */
export const hasControlCharacters = (text: string, { lines = false } = {}): boolean =>
  (lines ? controlButLines : control).test(text);

/**
 * Escapes control characters, which older versions may have stored and a terminal would obey. It uses JSON's escapes, so JSON
 * stays valid. `lines`: keeps line breaks.
 */
export const terminalText = (text: string, { lines = false } = {}): string =>
  text.replace(
    new RegExp(lines ? controlButLines : control, 'gu'),
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
