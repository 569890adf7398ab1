/** Estimates how hard a configured secret is to guess. It refuses typed words and placeholders, not every bad choice. */
const MIN_LENGTH = 24;
const MIN_BITS = 72;
const GRAM = 4;

export const tooEasy = `is too easy to guess: set at least ${MIN_LENGTH} random characters (openssl rand -base64 32)`;

export const isWeakSecret = (text: string) => text.length < MIN_LENGTH || estimatedBits([...text]) < MIN_BITS;

export const isWeakKey = (key: Buffer) => estimatedBits([...key]) < MIN_BITS;

function estimatedBits(symbols: Array<string | number>): number {
  const counts = new Map<string | number, number>();
  for (const symbol of symbols) counts.set(symbol, (counts.get(symbol) ?? 0) + 1);
  let perSymbol = 0;
  for (const count of counts.values()) perSymbol -= (count / symbols.length) * Math.log2(count / symbols.length);
  const grams = new Set(
    symbols.slice(0, 1 - GRAM).map((_symbol, index) => symbols.slice(index, index + GRAM).join(' ')),
  );
  return perSymbol * (grams.size + GRAM - 1);
}
