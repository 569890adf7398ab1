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
    a: ['href', 'title', 'rel'],
    img: ['src', 'alt', 'width', 'height'],
    th: ['colspan', 'rowspan'],
    td: ['colspan', 'rowspan'],
  },
  allowedSchemes: ['https', 'mailto', 'tel'],
  allowProtocolRelative: false,
  // The sanitiser recurses through the tree, and a deeper tree costs ten times as much.
  nestingLimit: 50,
  transformTags: {
    a: (tagName, { href, ...attribs }) => ({
      tagName,
      attribs: { ...attribs, rel: 'noopener noreferrer nofollow', ...(isGood(href) && { href }) },
    }),
  },
};

const isGood = (href: string | undefined): href is string => href !== undefined && isTextLink(href);

/** Maximum characters of one text: so many are sanitised within one turn of the event loop. */
export const MAX_HTML_LENGTH = 30_000;

/** Removes everything executable from HTML that staff wrote, and links that break the rule. Applied on save and on read. */
export const sanitise = (html: string) => sanitizeHtml(html, options);

export async function sanitiseBoth(html: Texts): Promise<Texts> {
  const zh = sanitise(html['zh-CN']);
  await nextTurn();
  return { 'zh-CN': zh, en: sanitise(html.en) };
}

/** Whether sanitising would remove a link. The back office refuses such a text, so that staff notice it. */
export function hasBadLinks(html: string): boolean {
  let hasBadLink = false;
  new Parser({
    onopentag: (name, { href }) => {
      hasBadLink ||= name === 'a' && href !== undefined && !isGood(href);
    },
  }).end(html);
  return hasBadLink;
}
