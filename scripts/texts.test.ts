/** Texts are data without a compiler: an unused key is dead weight in every shopper's download, and every shopper sees a mistake. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { errorTexts } from '@shop/shared/domain/error-texts';
import { currentTexts, i18nInstance, type TextTree } from '@shop/shared/i18n';
import '../mfe-account/src/texts';
import '../mfe-catalog/src/goods-detail/goods-texts';
import '../mfe-catalog/src/home/again-texts';
import '../mfe-catalog/src/texts';
import '../mfe-content/src/texts';
import '../mfe-orders/src/texts';
import '../shared/src/forms/texts';
import '../shared/src/ui/texts';
import '../shell/src/coupon/texts';
import '../shell/src/layout/support-texts';
import '../shell/src/login/texts';
import '../shell/src/texts';
import '../shell/src/wechat/texts';
import { interfaceWords } from './words/interface-words';

function flat(tree: TextTree, prefix = ''): Array<[key: string, text: string]> {
  return Object.entries(tree).flatMap(
    ([key, value]): Array<[string, string]> =>
      typeof value === 'string' ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
  );
}

const read = (file: string) => readFileSync(path.resolve(__dirname, '..', file), 'utf8');

const programsIn = (folder: string) =>
  readdirSync(path.resolve(__dirname, '..', folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('.test.'))
    .map((file) => `${folder}/${file}`);

it.each(['account', 'catalog', 'content', 'orders'])('%s uses every text that it defines', (remote) => {
  const texts = currentTexts(remote);
  const folder = `mfe-${remote}/src`;
  const programs = programsIn(folder).filter((file) => file !== `${folder}/texts.ts`);
  const source = programs.map(read).join('\n');
  const isNamed = (key: string) =>
    source.includes(`'${key}'`) || source.includes(`'${key}?`) || source.includes(`\`${key.replace(/[^.]*$/, '')}\${`);
  expect(flat(texts?.['zh-CN'] ?? {}).flatMap(([key]) => (isNamed(key) ? [] : [key]))).toEqual([]);
});

interface Pair {
  key: string;
  zh: string;
  en: string;
}

function screenTexts(): Pair[] {
  return ['account', 'catalog', 'catalog-again', 'catalog-goods', 'content', 'orders', 'shell', 'ui', 'forms'].flatMap(
    (namespace) => {
      const en = new Map(flat(i18nInstance.getResourceBundle('en', namespace) as TextTree));
      return flat(i18nInstance.getResourceBundle('zh-CN', namespace) as TextTree).map(([key, zh]) => ({
        key: `${namespace}:${key}`,
        zh,
        en: en.get(key) ?? '',
      }));
    },
  );
}

/** Adjacent texts in the sources of the server and the documents: objects and pairs by language, and pairs in a list. */
function pairsIn(source: string): Array<Omit<Pair, 'key'> & { name: string }> {
  const text = String.raw`'((?:[^'\\\n]|\\.)+)'`;
  const entries = (block = '') =>
    new Map([...block.matchAll(new RegExp(`(\\w+): ${text}`, 'g'))].map(([, name = '', value = '']) => [name, value]));
  const objects = [...source.matchAll(/'zh-CN': \{([^{}]*)\},\s*en: \{([^{}]*)\}/g)].flatMap(([, zh, en]) => {
    const english = entries(en);
    return [...entries(zh)].map(([name, value]) => ({ name, zh: value, en: english.get(name) ?? '' }));
  });
  const beside = [`'zh-CN': ${text},\\s*en: ${text}`, `\\[${text}, ${text}\\]`, `\\(${text}, ${text}\\)`].flatMap(
    (pattern) =>
      [...source.matchAll(new RegExp(pattern, 'g'))].map(([, zh = '', en = '']) => ({ name: zh.slice(0, 12), zh, en })),
  );
  return [...objects, ...beside].filter(({ zh, en }) => /\p{Script=Han}/u.test(zh) && !/\p{Script=Han}/u.test(en));
}

function serverTexts(): Pair[] {
  const errors = Object.entries(errorTexts).map(([key, [zh, en]]) => ({ key, zh, en }));
  const files = ['server/src', 'backoffice/api/src', 'platform/pages/src'].flatMap(programsIn);
  return [
    ...errors,
    ...files.flatMap((file) => pairsIn(read(file)).map(({ name, zh, en }) => ({ key: `${file}:${name}`, zh, en }))),
  ];
}

function seedTexts(): Pair[] {
  const found: Pair[] = [];
  const visit = (value: unknown, key: string) => {
    const { 'zh-CN': zh, en } = (value ?? {}) as { 'zh-CN'?: unknown; en?: unknown };
    if (typeof zh === 'string' && typeof en === 'string') found.push({ key, zh, en });
    else if (value && typeof value === 'object')
      for (const [name, part] of Object.entries(value)) visit(part, `${key}.${(part as Pair | null)?.key ?? name}`);
  };
  for (const name of ['articles', 'banners', 'categories', 'config', 'coupons', 'goods', 'modules'])
    visit(JSON.parse(read(`server/seed/${name}.json`)), name);
  for (const remote of ['account', 'catalog', 'content', 'orders'])
    visit(JSON.parse(read(`mfe-${remote}/remote.json`)), `remote ${remote}`);
  return found.map(({ key, zh, en }) => ({ key, zh: withoutTags(zh), en: withoutTags(en) }));
}
const withoutTags = (html: string) => html.replace(/<[^>]+>/g, '\n');

const everyText = [...screenTexts(), ...serverTexts(), ...seedTexts()];
const faults = (isWrong: (pair: Pair) => boolean) =>
  everyText.filter(isWrong).map(({ key, zh, en }) => `${key}: ${zh.slice(0, 90)} | ${en.slice(0, 120)}`);

/** The language switch shows the name of the other language in that language. */
const languageNames = ['Switch to English', '切换到中文', 'English', '中文', 'EN · $', '中 · ¥'];
/** Specified by docs/product.md#wechat. */
const specified = ['WeChat authorising..', '微信授权中..'];
const properNames = ['崩坏3', 'Q币', '少女前线2', '剑网3'];
/** Placeholders that stand for digits or Latin letters. */
const latin =
  /\{\{(count|n|amount|seconds|days|min|max|index|size|length|step|price|now|before|date|time|phone|day)\}\}/g;

/**
 * Half-width punctuation, full-width letters, straight quotes, or a space beside full-width punctuation. Addresses and versions
 * contain points.
 */
function isOddChinese(zh: string): boolean {
  const half = new RegExp(
    [
      String.raw`[\p{Script=Han}”』》）}…][,:;?!(]|[,:;?!)]\s*[\p{Script=Han}“「《（{]`,
      String.raw`[\p{Script=Han}”）}]\.(?![\w{])|\.\.|[「」"'~]|[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]`,
      '[，。：；？！、] | [，。：；？！、]',
    ].join('|'),
    'u',
  );
  return !specified.includes(zh) && half.test(zh);
}

it('interface texts have full-width punctuation beside Chinese', () => {
  expect(faults(({ zh }) => isOddChinese(zh))).toEqual([]);
});

it('interface texts have a space between Chinese and Latin letters or digits', () => {
  const bare = (text: string) =>
    properNames.reduce((rest, name) => rest.replaceAll(name, ''), text.replace(latin, '1')).replace(/\{\{\w+\}\}/g, '');
  expect(faults(({ zh }) => /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9%]\p{Script=Han}/u.test(bare(zh)))).toEqual([]);
});

it('English interface texts have no Chinese or full-width characters, straight quotes, doubled spaces or dots', () => {
  const odd = /[\u3000-\u303f\uff00-\uffef]|\p{Script=Han}|['"]|\S {2}|\.\.$/u;
  expect(faults(({ en }) => ![...languageNames, ...specified].includes(en) && odd.test(en))).toEqual([]);
});

it('Chinese interface texts address the shopper as 你', () => {
  expect(faults(({ zh }) => zh.includes('您'))).toEqual([]);
});

it('the list of interface words names each thing once in each language', () => {
  const names = interfaceWords.flatMap(({ zh, en }) => [zh, en]);
  expect(new Set(names).size).toBe(names.length);
});

/** "log in" is found in "logged in", "voucher code" in "voucher-codes". */
const patternOf = (word: string) =>
  /\p{Script=Han}/u.test(word)
    ? new RegExp(word)
    : new RegExp(
        `\\b${word.replace(/\w+/g, (one) => `${one}(?:e?s|${one.at(-1)}?(?:ed|ing)|d)?`).replaceAll(' ', '[ -]')}\\b`,
        'i',
      );

it.each(interfaceWords.flatMap(({ refused }) => refused))('interface texts do not contain "%s"', (word) => {
  const pattern = patternOf(word);
  // Articles are legal prose.
  expect(faults(({ key, zh, en }) => !key.startsWith('articles') && (pattern.test(zh) || pattern.test(en)))).toEqual(
    [],
  );
});
