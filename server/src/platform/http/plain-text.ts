/** Removes markup from a text that other users read. React escapes it as well; body-validator.ts has already refused control characters. */
export const plainText = (text: string) => text.replace(/[<>]/g, '').trim();

// C0, C1 and NUL, and characters that change the direction of a line or end it: terminals interpret them, and they are invisible.
// \p{Cs} are lone surrogates.
const control = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;
const controlButLines = /(?![\t\r\n])[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

/** Whether the text must be refused where it is stored. `lines` permits line ends and tabs. */
export const hasControlCharacters = (text: string, { lines = false } = {}): boolean =>
  (lines ? controlButLines : control).test(text);

/** Bytes that are not UTF-8 text; `line` is the first invalid one. */
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

/**
 * The text of a UTF-8 file, without its byte order mark. Throws EncodingError. NUL is a valid character here: see
 * `hasControlCharacters`.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const start = bytes.subarray(0, 4096);
  // Latin text in UTF-16 without a byte order mark has a NUL in every second byte.
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
