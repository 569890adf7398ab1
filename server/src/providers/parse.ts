export const isSafeAmount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;

/** The value of a header that was sent once; '' otherwise. */
export function headerOf(headers: Record<string, string | string[] | undefined>, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

/** Returns {} if the text is not a JSON object. */
export function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
