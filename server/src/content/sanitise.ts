import { setImmediate as nextTurn } from 'node:timers/promises';
import { Parser } from 'htmlparser2';
import sanitizeHtml from 'sanitize-html';
import { isTextLink } from '../platform/http/links';
import type { Texts } from '../platform/http/localised-text';

const options: sanitizeHtml.IOptions = {
  allowedTags: [
    'h2',
    'h3',
    'h4',
    'p',
    'ul',
    'ol',
    'li',
    'strong',
    'em',
    'b',
    'i',
    'u',
    's',
    'br',
    'hr',
    'blockquote',
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'a',
    'img',
    'code',
    'pre',
  ],
  allowedAttributes: {
    a: ['href', 'title'],
    img: ['src', 'alt', 'width', 'height'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  // Whoever walks the tree does it by recursion, and a deeper one costs ten times as much.
  nestingLimit: 50,
  transformTags: {
    a: (tagName, { href, ...attribs }) => ({
      tagName,
      attribs: { ...attribs, rel: 'noopener noreferrer nofollow', ...(isGood(href) && { href }) },
    }),
  },
};
options.allowedAttributes = { ...options.allowedAttributes, a: ['href', 'title', 'rel'] };

const isGood = (href: string | undefined): href is string => href !== undefined && isTextLink(href);

/** Letters of one text: as many are sanitised within one turn of the event loop. */
export const LONGEST_HTML = 30_000;

/** Removes everything executable from the staff's HTML, and links that break the rule. Applied on save and on read. */
export const sanitise = (html: string) => sanitizeHtml(html, options);

/** The text in both languages, and other requests go on between. */
export async function sanitiseBoth(html: Texts): Promise<Texts> {
  const zh = sanitise(html['zh-CN']);
  await nextTurn();
  return { 'zh-CN': zh, en: sanitise(html.en) };
}

/** Whether a link would go, which whoever writes it should know before it is saved. */
export function hasBadLinks(html: string): boolean {
  let found = false;
  new Parser({
    onopentag: (name, { href }) => {
      found ||= name === 'a' && href !== undefined && !isGood(href);
    },
  }).end(html);
  return found;
}
