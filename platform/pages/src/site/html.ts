import { createHash } from 'node:crypto';
import { type LocalText, localText } from '@platform/releases/contract';

/** In a mail address. Some CDNs replace these by elements and a script, which breaks JSON and hydration. */
const AT = /(?<=[\p{L}\p{N}_.+-])@/gu;

export const escapeHtml = (text: string) =>
  escapeAddresses(text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`));

export const escapeAddresses = (html: string) => html.replace(AT, '&#64;');

/** JSON for a script element: without `<`, so that neither a closing tag nor a comment can begin. */
export const scriptJson = (value: unknown) => escapeJson(JSON.stringify(value));

export const escapeJson = (json: string) =>
  json
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
    .replace(AT, '\\u0040');

/** Excepts a script from Cloudflare's Rocket Loader, whose copies the policy would refuse. */
export const SCRIPT = '<script data-cfasync="false"';

export const bilingual = (text: LocalText) =>
  `<span lang="zh-CN">${escapeHtml(localText(text, 'zh-CN'))}</span><span lang="en">${escapeHtml(localText(text, 'en'))}</span>`;

/** The CSP source expression of an inline script or style. */
export const policyHash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
