import type { RenderedPage } from '@platform/releases/contract';
import { escapeAddresses, escapeHtml, escapeJson } from '../site/html';
import { criticalStyles, type StyleSheet } from './critical-styles';

export interface DocumentPage extends Pick<RenderedPage, 'html' | 'queryState' | 'image'> {
  /**
   * First characters of the token of the session that it was rendered for, '' for browsers without a session; undefined for a
   * page that is the same for all visitors.
   */
  user?: string;
  /** The document's style sheets in order. The rules that the page needs are inlined, and the sheets follow after the page. */
  sheets?: readonly StyleSheet[];
}

export type PageElements = ReturnType<typeof pageElements>;

/** `attribute` is the value of `data-rendered`, which shell/src/app/rendered-document.ts reads. */
export function pageElements({ html, queryState, image, user, sheets }: DocumentPage, attribute: string) {
  const styled = extractStyles(html);
  return {
    html: escapeAddresses(styled.html),
    style: (sheets ? criticalStyles(sheets, html) : '') + styled.rules,
    isStyled: sheets !== undefined,
    /** Value of `data-user` (boot/user.ts). */
    user,
    attribute,
    /** JSON without `<`. */
    data: escapeJson(queryState),
    head: image ? imagePreload(image) : '',
  };
}

function imagePreload({ href, srcset, sizes }: NonNullable<RenderedPage['image']>): string {
  const values = { href, imagesrcset: srcset, imagesizes: sizes };
  const attributes = Object.entries(values).map(([name, value]) => (value ? ` ${name}="${escapeHtml(value)}"` : ''));
  return `<link rel="preload" as="image" fetchpriority="high"${attributes.join('')}>\n`;
}

/** A style attribute of a page may contain only declarations that cannot leave their rule. */
const DECLARATIONS = /^[\w\s:;,.%()#/'+*!-]*$/;

/**
 * Turns style attributes, which the policy refuses, into `data-style` with a rule for each. The shell turns them back
 * (shell/src/app/hydrate.tsx). Attribute values are escaped, so that a tag ends at its first `>`.
 */
export function extractStyles(html: string): { html: string; rules: string } {
  const styles = new Set<string>();
  const changed = html.replace(/<[a-z][^<>]*>/gi, (tag) =>
    tag.replace(/ style="([^"]*)"/i, (_, value: string) => {
      if (!DECLARATIONS.test(value)) return '';
      styles.add(value);
      return ` data-style="${value}"`;
    }),
  );
  const rules = [...styles].map((style) => `#root [data-style="${style}"]{${style}}`).join('');
  return { html: changed, rules };
}
