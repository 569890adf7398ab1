const storageKey = 'catalog.search-history';
const limit = 10;

/** The shopper's last searches, newest first, on this device only. A full or closed storage loses them silently. */
export function readHistory(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter((word) => typeof word === 'string').slice(0, limit) : [];
  } catch {
    return [];
  }
}

/** Puts a word on top; the same word in another case or width is one word. Answers the new list. */
export function rememberSearch(word: string): string[] {
  const folded = fold(word);
  if (!folded) return readHistory();
  const next = [word.trim(), ...readHistory().filter((known) => fold(known) !== folded)].slice(0, limit);
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
    // Private browsing: the history is a comfort, not a need.
  }
}
