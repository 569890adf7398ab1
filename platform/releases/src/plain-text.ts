// The rule of server/src/platform/http/plain-text.ts, which this package does not import: scripts/release/print.test.ts compares them.
const control = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const everyControl = new RegExp(control, 'gu');
const everyControlButLines = /(?![\t\r\n])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu;

export const hasControlCharacters = (text: string): boolean => control.test(text);

/**
 * For a terminal, which would obey what older versions have stored: as JSON writes them, so that JSON stays what it is. `lines`: of
 * several lines.
 */
export const terminalText = (text: string, { lines = false } = {}): string =>
  text.replace(
    lines ? everyControlButLines : everyControl,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Whether any text in a value that was read from JSON has them, names of fields too. */
export const holdsControlCharacters = (value: unknown): boolean => {
  let found = false;
  JSON.stringify(value, (name, one: unknown) => {
    found ||= hasControlCharacters(name) || (typeof one === 'string' && hasControlCharacters(one));
    return one;
  });
  return found;
};
