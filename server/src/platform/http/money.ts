/** Minor units to the wire's two decimals. Uses only integer arithmetic. */
export function toWire(minor: number): string {
  if (!Number.isSafeInteger(minor)) throw new RangeError(`${minor} is not an amount`);
  const digits = String(Math.abs(minor)).padStart(3, '0');
  return `${minor < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** SQL that writes minor units as `toWire` does. */
export const wireAmount = (minor: string) => `to_char((${minor})::bigint / 100.0, 'FM99999999999999990.00')`;

const symbols: Record<string, string> = { CNY: '¥', USD: '$' };
export const formatAmount = (minor: number, currency: string) => `${symbols[currency] ?? ''}${toWire(minor)}`;

/** "12", "12.3" or "12.34" to minor units; undefined for anything else. */
export function fromWire(text: string): number | undefined {
  const match = /^(\d{1,13})(?:\.(\d{1,2}))?$/.exec(text);
  if (!match) return undefined;
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'));
}
