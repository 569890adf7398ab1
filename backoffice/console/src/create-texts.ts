import { createTexts as createByLanguage, type NamespaceTexts, type TextTree } from '@shop/shared/i18n';

type Pair = readonly [chinese: string, english: string];
type Pairs = { readonly [key: string]: Pair | Pairs };
/** Every key of a tree of pairs, for example 'queue.title'. */
type PairKey<T> = { [K in keyof T & string]: T[K] extends Pair ? K : `${K}.${PairKey<T[K]>}` }[keyof T & string];

const isPair = (value: Pair | Pairs): value is Pair => Array.isArray(value);
const ofLanguage = (pairs: Pairs, index: 0 | 1): TextTree =>
  Object.fromEntries(
    Object.entries(pairs).map(([key, value]) => [key, isPair(value) ? value[index] : ofLanguage(value, index)]),
  );

/** Registers the texts of a namespace. Each key stands once, with its text in both languages side by side. */
export const createTexts = <const T extends Pairs>(namespace: string, pairs: T): NamespaceTexts<PairKey<T>> =>
  createByLanguage(namespace, {
    'zh-CN': ofLanguage(pairs, 0),
    en: ofLanguage(pairs, 1),
  }) as unknown as NamespaceTexts<PairKey<T>>;
