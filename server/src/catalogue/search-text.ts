import { pinyin } from 'pinyin-pro';

export const normalise = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

interface SearchWords {
  names: string[];
  aliases: string[];
}

/** Words that a search matches, between bars: names and aliases, for Chinese ones also their pinyin and its initials. */
export function searchText({ names, aliases }: SearchWords): string {
  const words = new Set<string>();
  for (const name of [...names, ...aliases]) {
    words.add(normalise(name));
    if (/\p{Script=Han}/u.test(name)) {
      const plain = { toneType: 'none', type: 'array', nonZh: 'consecutive' } as const;
      words.add(normalise(pinyin(name, plain).join('')));
      words.add(normalise(pinyin(name, { ...plain, pattern: 'first' }).join('')));
    } else {
      const initials = name.match(/[\p{L}\p{N}]+/gu) ?? [];
      if (initials.length > 1) words.add(normalise(initials.map((word) => word[0]).join('')));
    }
  }
  words.delete('');
  return `|${[...words].join('|')}|`;
}

/** The letter under which a list shows the name: of its pinyin, or "#". */
export function initialOf(name: string): string {
  const [letter = ''] = pinyin(name, { pattern: 'first', toneType: 'none', type: 'array' });
  return /^[a-z]$/i.test(letter) ? letter.toUpperCase() : '#';
}
