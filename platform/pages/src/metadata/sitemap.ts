/** /sitemap.xml by the protocol of sitemaps.org. */

import { escapeHtml } from '../site/html';
import { addressIn, DEFAULT_LANGUAGE, type DocumentLanguage } from './languages';

export interface SitemapPage {
  path: string;
  languages: readonly DocumentLanguage[];
  modifiedAt?: Date;
}

const HEADER = '<?xml version="1.0" encoding="UTF-8"?>\n';
const NAMESPACE = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const modified = (date: Date | undefined) => (date ? `<lastmod>${date.toISOString()}</lastmod>` : '');

export function sitemapXml(pages: readonly SitemapPage[], origin: string): string {
  return `${HEADER}<urlset ${NAMESPACE} xmlns:xhtml="http://www.w3.org/1999/xhtml">\n${pages
    .map((page) => pageXml(page, origin))
    .join('')}</urlset>\n`;
}

function pageXml({ path, languages, modifiedAt }: SitemapPage, origin: string): string {
  const address = (language: DocumentLanguage) => escapeHtml(origin + addressIn(path, language));
  const link = (language: string, href: string) =>
    `<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`;
  const links = languages.map((language) => link(language, address(language))).join('');
  const defaultLink = languages.includes(DEFAULT_LANGUAGE) ? link('x-default', address(DEFAULT_LANGUAGE)) : '';
  return languages
    .map((language) => `<url><loc>${address(language)}</loc>${modified(modifiedAt)}${links}${defaultLink}</url>\n`)
    .join('');
}
