/** Without markup: other people read it. React escapes it as well; control characters were refused before (body-validator.ts). */
export const plainText = (text: string) => text.replace(/[<>]/g, '').trim();

// Of C0, C1 and NUL, and what turns the direction of a line or ends it: terminals obey them, and nobody sees them. \p{Cs}: half a pair.
const control = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const controlButLines = /(?![\t\r\n])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

/** Whether the text must be refused where it is stored. `lines`: of several lines, so line ends and tabs are fine. */
export const hasControlCharacters = (text: string, { lines = false } = {}): boolean =>
  (lines ? controlButLines : control).test(text);

/** Bytes that are no UTF-8 text; `line` is the first that is not. */
export class EncodingError extends Error {
  constructor(
    readonly encoding: 'utf-16' | 'unknown',
    readonly line: number,
  ) {
    super(encoding === 'utf-16' ? 'the file is UTF-16; save it as UTF-8' : 'is not UTF-8; save the file as UTF-8');
  }
}

const decodes = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** The text of a UTF-8 file, without its byte order mark. Throws EncodingError. A NUL is a character here: see `hasControlCharacters`. */
export function decodeUtf8(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const start = bytes.subarray(0, 4096);
  // Latin text of UTF-16 without a mark is a NUL in each second byte.
  const zeros = start.filter((byte) => byte === 0).length;
  const marked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (marked || (zeros > 0 && zeros * 3 >= start.length)) throw new EncodingError('utf-16', 1);
  const text = decodes(bytes);
  if (text !== undefined) return text;
  for (let line = 1, at = 0; ; line++) {
    const end = bytes.indexOf(0x0a, at);
    if (end < 0 || decodes(bytes.subarray(at, end)) === undefined) throw new EncodingError('unknown', line);
    at = end + 1;
  }
}
