import { Parser } from 'htmlparser2';
import sanitizeHtml from 'sanitize-html';
import { isTextLink } from '../http/links';

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
  transformTags: {
    a: (tagName, { href, ...attribs }) => ({
      tagName,
      attribs: { ...attribs, rel: 'noopener noreferrer nofollow', ...(isGood(href) && { href }) },
    }),
  },
};
options.allowedAttributes = { ...options.allowedAttributes, a: ['href', 'title', 'rel'] };

const isGood = (href: string | undefined): href is string => href !== undefined && isTextLink(href);

/** Removes everything executable from the staff's HTML, and links that break the rule. Applied on save and on read. */
export const sanitise = (html: string) => sanitizeHtml(html, options);

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
