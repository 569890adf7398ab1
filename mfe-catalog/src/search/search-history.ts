const storageKey = 'catalog.search-history';
const limit = 10;

/** The last searches, newest first, on this device only. Lost silently if storage is full or disabled. */
export function readHistory(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter((word) => typeof word === 'string').slice(0, limit) : [];
  } catch {
    return [];
  }
}

export function rememberSearch(word: string): string[] {
  const folded = fold(word);
  if (!folded) return readHistory();
  const next = [word.trim(), ...readHistory().filter((entry) => fold(entry) !== folded)].slice(0, limit);
  write(next);
  return next;
}

export function clearHistory(): void {
  write([]);
}

function fold(word: string): string {
  return word.trim().normalize('NFKC').toLowerCase();
}

function write(words: string[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(words));
  } catch {
    // Storage may be disabled; the history is optional.
  }
}
