import { type LocalText, localText } from '@platform/releases/contract';

export const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** JSON for a script element: without `<`, so that neither a closing tag nor a comment can begin. */
export const scriptJson = (value: unknown) =>
  JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');

export const bilingual = (text: LocalText) =>
  `<span lang="zh-CN">${escapeHtml(localText(text, 'zh-CN'))}</span><span lang="en">${escapeHtml(localText(text, 'en'))}</span>`;
