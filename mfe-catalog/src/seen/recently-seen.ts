import type { Language } from '@shop/shared/domain';
import { storedList } from '../common/stored-list';

export interface SeenGoods {
  id: number;
  image: string;
  names: Partial<Record<Language, string>>;
}

const isSeen = (value: unknown): value is SeenGoods => {
  const { id, image, names } = (value ?? {}) as Partial<SeenGoods>;
  return Number.isSafeInteger(id) && typeof image === 'string' && typeof names === 'object' && names !== null;
};

export const seenGoods = storedList('catalog.recently-seen', 12, isSeen);

export function rememberSeen(goods: { id: number; image: string; name: string }, language: Language): void {
  const seen = seenGoods.read();
  const names = { ...seen.find(({ id }) => id === goods.id)?.names, [language]: goods.name };
  seenGoods.write([{ id: goods.id, image: goods.image, names }, ...seen.filter(({ id }) => id !== goods.id)]);
}

export function nameOf({ names }: SeenGoods, language: Language): string {
  return names[language] ?? Object.values(names).find((name) => typeof name === 'string') ?? '';
}
