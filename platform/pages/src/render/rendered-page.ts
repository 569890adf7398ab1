import type { RenderedPage } from '@platform/releases/contract';
import { escapeHtml } from '../site/html';
import { criticalStyles, type StyleSheet } from './critical-styles';
import { takeStyles } from './take-styles';

/** A page for a document, as the server has drawn it. */
export interface DrawnPage extends Pick<RenderedPage, 'html' | 'queryState' | 'image'> {
  /** The path that was drawn: '/home' for '/', '/404' for an unknown address. */
  path: string;
  language: 'zh-CN' | 'en';
  theme: 'light' | 'dark';
  /** First letters of the token of the session that it was drawn for, '' for browsers without one; none where everybody gets it. */
  person?: string;
  /** The document's style sheets in their order. What the page needs of them is inlined, and they follow behind it. */
  sheets?: readonly StyleSheet[];
}

export interface DrawnParts {
  /** Inside `#root`. */
  html: string;
  /** For an inline style element. */
  style: string;
  /** Value of `data-person` (boot/other-persons.ts). */
  person?: string;
  /** Value of `data-rendered`, which shell/src/app/rendered-document.ts reads. */
  attribute: string;
  /** JSON without `<`. */
  data: string;
  /** Elements that come first in the head. */
  head: string;
  /** Style sheets need not be there for the first paint. */
  isStyled: boolean;
}

export function drawnParts(
  { html, queryState, image, path, language, theme, person, sheets }: DrawnPage,
  shell: string,
): DrawnParts {
  const styled = takeStyles(html);
  return {
    html: styled.html,
    style: (sheets ? criticalStyles(sheets, html) : '') + styled.rules,
    isStyled: sheets !== undefined,
    person,
    attribute: [shell, language, theme, path].join(' '),
    data: queryState
      .replace(/</g, '\\u003c')
      .replace(/\u2028/g, '\\u2028')
      .replace(/\u2029/g, '\\u2029'),
    head: image ? imagePreload(image) : '',
  };
}

function imagePreload({ href, srcset, sizes }: NonNullable<RenderedPage['image']>): string {
  const values = { href, imagesrcset: srcset, imagesizes: sizes };
  const attributes = Object.entries(values).map(([name, value]) => (value ? ` ${name}="${escapeHtml(value)}"` : ''));
  return `<link rel="preload" as="image" fetchpriority="high"${attributes.join('')}>\n`;
}
