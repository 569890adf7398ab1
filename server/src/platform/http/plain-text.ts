/** Removes markup from a text that other users read. React escapes it as well; body-validator.ts has already refused control characters. */
export const plainText = (text: string) => text.replace(/[<>]/g, '').trim();

// C0, C1 and NUL, and characters that change the direction of a line or end it: terminals interpret them, and they are invisible.
// \p{Cs} are lone surrogates.
const control = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const controlButLines = /(?![\t\r\n])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

/** Whether the text must be refused where it is stored. `lines` permits line ends and tabs. */
export const hasControlCharacters = (text: string, { lines = false } = {}): boolean =>
  (lines ? controlButLines : control).test(text);
