/** Texts of the console: each one in Chinese and English, and with `count` the English singular as the third. */
export { createTexts as pairTexts } from '@shop/shared/i18n';
