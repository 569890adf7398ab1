import type { Language } from '@shop/shared/domain';

const storageKey = 'catalog.recently-seen';
const limit = 12;

export interface SeenGoods {
  id: number;
  image: string;
  names: Partial<Record<Language, string>>;
}

const isSeen = (value: unknown): value is SeenGoods => {
  const { id, image, names } = (value ?? {}) as Partial<SeenGoods>;
  return Number.isSafeInteger(id) && typeof image === 'string' && typeof names === 'object' && names !== null;
};

/** Recently viewed products, newest first, on this device only. Lost silently if storage is full or disabled. */
export function readSeen(): SeenGoods[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isSeen).slice(0, limit) : [];
  } catch {
    return [];
  }
}

export function rememberSeen(goods: { id: number; image: string; name: string }, language: Language): void {
  const seen = readSeen();
  const names = { ...seen.find(({ id }) => id === goods.id)?.names, [language]: goods.name };
  write([{ id: goods.id, image: goods.image, names }, ...seen.filter(({ id }) => id !== goods.id)].slice(0, limit));
}

export function forgetSeen(): void {
  write([]);
}

export function nameOf({ names }: SeenGoods, language: Language): string {
  return names[language] ?? Object.values(names).find((name) => typeof name === 'string') ?? '';
}

function write(goods: SeenGoods[]): void {
  try {
    localStorage.setItem(storageKey, JSON.stringify(goods));
  } catch {
    // Storage may be disabled; the list is optional.
  }
}
