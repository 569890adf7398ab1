/** Removes characters that are not visible and come with pasted text, such as direction marks and zero-width characters. */
export const visibleText = (text: string): string => text.replace(/\p{Cf}|\p{Variation_Selector}|\u20e3/gu, '');

/** The digits of a script are ten adjacent characters. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) as number;
  let zero = code;
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String(code - zero);
}

/**
 * Text that people type or paste, as shop and server read it: visible characters only, full-width ones folded, the digits of every
 * script as 0 to 9, every blank as a space and every hyphen as "-".
 */
export const plainText = (text: string): string =>
  visibleText(text.normalize('NFKC'))
    .replace(/\p{Nd}/gu, asciiDigit)
    .replace(/\s/gu, ' ')
    .replace(/[\p{Pd}\u2212]/gu, '-')
    .trim();

/**
 * A typed number with "." as its decimal point: "１０，５" → "10.5", "1.234,50" → "1234.50". A comma that may be either, as in
 * "1,234", stays, so that it is refused and not misread.
 */
export function plainAmount(text: string): string {
  const number = plainText(text).replace(/ /g, '').replace(/[。٫]/g, '.').replace(/[、٬]/g, ',');
  if (/^-?\d+,\d{1,2}$/.test(number)) return number.replace(',', '.');
  if (/^-?\d{1,3}(,\d{3})+\.\d{1,2}$/.test(number)) return number.replaceAll(',', '');
  if (/^-?\d{1,3}(\.\d{3})+,\d{1,2}$/.test(number)) return number.replaceAll('.', '').replace(',', '.');
  return number;
}

/** The digits of a typed whole number; thousands may be separated, and decimals are cut off: "1,000" → "1000", "10,5" → "10". */
export function plainDigits(text: string): string {
  const number = plainAmount(text);
  const whole = /^\d{1,3}(,\d{3})+$/.test(number) ? number : number.replace(/[.,].*/, '');
  return whole.replace(/\D/g, '');
}

/**
 * The text of a whole number while it is typed. Its separators stay, because "10,5" without the comma would become 105; `plainDigits`
 * reads it at the end.
 */
export const typedNumber = (text: string): string =>
  plainText(text)
    .replace(/[^\d.,]/g, '')
    .slice(0, 12);
