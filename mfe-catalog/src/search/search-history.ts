import { storedList } from '../common/stored-list';

export const searchHistory = storedList(
  'catalog.search-history',
  10,
  (value): value is string => typeof value === 'string',
);

export function rememberSearch(word: string): string[] {
  const folded = fold(word);
  const words = searchHistory.read();
  if (!folded) return words;
  return searchHistory.write([word.trim(), ...words.filter((entry) => fold(entry) !== folded)]);
}

function fold(word: string): string {
  return word.trim().normalize('NFKC').toLowerCase();
}
