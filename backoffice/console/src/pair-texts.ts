import { createTexts, pairs, type TextPairs } from '@shop/shared/i18n';

/** Texts of the console: each one in Chinese and English, and with `count` the English singular as the third. */
export const pairTexts = <const P extends TextPairs>(namespace: string, texts: P) =>
  createTexts(namespace, pairs(texts));
