import { plainText } from '@shop/shared/domain/plain-text';
import { pinyin, polyphonic } from 'pinyin-pro';
import type { AppContext } from '../context';
import { simplifiedPairs } from './simplified-characters';

const simplified = new Map((simplifiedPairs.match(/../gu) ?? []).map((pair) => [pair.charAt(0), pair.charAt(1)]));
/** Letters that Unicode does not decompose. */
const baseLetters = new Map(
  Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', ı: 'i', þ: 'th', ħ: 'h' }),
);
const HAN = /\p{Script=Han}/u;
const WORD = /[\p{L}\p{N}\p{M}'’]+/gu;

const simplify = (text: string) =>
  text.replace(/\p{Script=Han}/gu, (character) => simplified.get(character) ?? character);

const visibleWords = (text: string) => plainText(text.replace(/[™℠]/g, ''));

/** What a search compares: letters and digits without accents, in lower case, half width and simplified characters. */
export const normalise = (text: string) =>
  simplify(visibleWords(text))
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/[ßæœøđðłıþħ]/g, (letter) => baseLetters.get(letter) ?? letter);

/** The first character of search texts in the current format; `rebuildSearchTexts` replaces others. */
const SEARCH_FORMAT = '~';

/**
 * Words that a search matches, between bars: names and aliases, for Chinese ones also their pinyin and its initials. Last, each
 * after "~", the names in single words or syllables, in which a search allows for typing errors.
 */
export function searchText({ names, aliases }: { names: string[]; aliases: string[] }): string {
  const words = new Set<string>();
  const syllables = new Set<string>();
  for (const name of [...names, ...aliases]) {
    words.add(normalise(name));
    const parts = partsOf(name);
    for (const reading of readingsOf(parts)) {
      words.add(reading.join(''));
      if (parts.length > 1 || parts[0]?.isHan)
        words.add(reading.map((text, at) => (HAN.test(name) && !parts[at]?.isHan ? text : [...text][0])).join(''));
    }
    if (parts.length) syllables.add(`~ ${parts.map(({ readings }) => readings[0]).join(' ')} `);
  }
  words.delete('');
  return `${SEARCH_FORMAT}|${[...words, ...syllables].join('|')}|`;
}

const BATCH = 200;

/** Replaces the search texts that another version of the server wrote. Returns how many. */
export async function rebuildSearchTexts({ db }: Pick<AppContext, 'db'>): Promise<number> {
  const rows = await db.rows<{ id: number; search_text: string; names: string[]; aliases: string[] }>(
    `select id, search_text, array[name_zh, name_en] as names, aliases from goods
      where not starts_with(search_text, '${SEARCH_FORMAT}') order by id limit ${BATCH}`,
  );
  if (rows.length === 0) return 0;
  // A change of the names in the meantime has written a new text.
  const rebuilt = await db.run(
    `update goods g set search_text = r.new from unnest($1::bigint[], $2::text[], $3::text[]) as r (id, old, new)
      where g.id = r.id and g.search_text = r.old`,
    [rows.map(({ id }) => id), rows.map(({ search_text }) => search_text), rows.map(searchText)],
  );
  return rebuilt + (rows.length === BATCH ? await rebuildSearchTexts({ db }) : 0);
}

interface Part {
  text: string;
  isHan: boolean;
  /** The usual one first; of a word, itself. */
  readings: string[];
}

/** The Chinese characters and other words of a name. */
function partsOf(name: string): Part[] {
  const visible = visibleWords(name);
  const text = simplify(visible);
  const options = { toneType: 'none', type: 'array', v: true } as const;
  const usual = pinyin(text, options);
  const [all, ofVisible] = [polyphonic(text, options), polyphonic(visible, options)];
  const parts: Part[] = [];
  let word = '';
  const endWord = () => {
    for (const [part] of word.matchAll(WORD)) parts.push({ text: part, isHan: false, readings: [normalise(part)] });
    word = '';
  };
  for (const [at, character] of [...text].entries()) {
    if (!HAN.test(character) || usual[at] === character) word += character;
    else {
      endWord();
      const readings = [usual[at] ?? '', ...(all[at] ?? []), ...(ofVisible[at] ?? [])];
      parts.push({ text: character, isHan: true, readings: [...new Set(readings.map(normalise))].filter(Boolean) });
    }
  }
  endWord();
  return parts.filter(({ readings }) => readings[0]);
}

const MOST_READINGS = 60;

/** The usual reading of the parts, and those in which one character has another reading; each with v and with u for ü. */
function readingsOf(parts: Part[]): string[][] {
  const usual = parts.map(({ readings }) => readings[0] as string);
  const others = parts.flatMap(({ text, readings: [, ...rest] }) =>
    rest.map((other) => parts.map((part, at) => (part.text === text ? other : (usual[at] as string)))),
  );
  return [usual, ...others]
    .flatMap((reading) => [reading, reading.map((text, at) => (parts[at]?.isHan ? text.replace('v', 'u') : text))])
    .slice(0, MOST_READINGS);
}

/** Substrings of at most three characters that a text with `characters` contains, as `search_grams` stores them. */
export const gramsOf = (characters: string[]): string[] =>
  characters.length <= 3
    ? [characters.join('')]
    : characters.slice(2).map((_character, at) => characters.slice(at, at + 3).join(''));

export interface NearMatch {
  /** A regular expression for search texts. */
  pattern: string;
  /** For each word the sets of grams of which a matching text contains at least one. */
  grams: string[][][];
}

const FEWEST_LETTERS = 5;
/** A pattern grows with the square of the length. */
const LONGEST_WORD = 30;
const ANY_LETTER = '[^ |0-9]';
const isLetter = (character = '') => /\p{L}/u.test(character);

/**
 * Finds names that contain the keyword as whole words, with at most one wrong, missing, additional or swapped letter in each word
 * of five letters or more. Digits are always right: another year or amount is another product. Two or more Chinese
 * characters match others that sound alike, as an input method offers them. Undefined if the keyword has nothing in which to allow for an error.
 */
export function nearMatch(keyword: string): NearMatch | undefined {
  const parts = partsOf(keyword);
  const words = parts.map(({ isHan, readings: [text = ''] }) => {
    const characters = [...text];
    const mayErr = !isHan && characters.length <= LONGEST_WORD && characters.filter(isLetter).length >= FEWEST_LETTERS;
    return { characters, isHan, mayErr };
  });
  if (!words.some(({ isHan, mayErr }) => mayErr || (isHan && words.length > 1))) return undefined;
  return {
    pattern: ` ${words.map(({ characters, mayErr }) => (mayErr ? withOneError(characters) : spaced(characters))).join(' ?')} `,
    grams: words.map(({ characters, mayErr }) => (mayErr ? intactGrams(characters) : [gramsOf(characters)])),
  };
}

/** The characters, with or without the blanks between words. */
const spaced = (characters: string[]) => characters.join(' ?');

function withOneError(characters: string[]): string {
  const patterns = characters.flatMap((character, at) => {
    const [before, after] = [characters.slice(0, at), characters.slice(at + 1)];
    const next = after[0];
    return [
      spaced([...before, ANY_LETTER, character, ...after]),
      ...(isLetter(character) ? [spaced([...before, ANY_LETTER, ...after]), spaced([...before, ...after])] : []),
      ...(isLetter(character) && isLetter(next)
        ? [spaced([...before, next as string, character, ...after.slice(1)])]
        : []),
    ];
  });
  return `(?:${[...patterns, spaced([...characters, ANY_LETTER]), spaced(characters)].join('|')})`;
}

/** One error leaves one half of a word intact, or, if it swaps the letters in the middle, all the others. */
function intactGrams(characters: string[]): string[][] {
  const middle = Math.floor(characters.length / 2);
  const [before, after] = [characters.slice(0, middle), characters.slice(middle)];
  return [gramsOf(before), gramsOf(after), [...gramsOf(before.slice(0, -1)), ...gramsOf(after.slice(1))]];
}

/** The letter under which a list shows the name: of its pinyin, or "#". */
export function initialOf(name: string): string {
  const [letter = ''] = pinyin(normalise(name), { pattern: 'first', toneType: 'none', type: 'array' });
  return /^[a-z]$/.test(letter) ? letter.toUpperCase() : '#';
}
