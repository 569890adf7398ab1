import { documentTitle } from '@platform/releases/contract';
import { escapeHtml, scriptJson } from '../site/html';
import type { Site } from '../site/site';
import { addressIn, DEFAULT_LANGUAGE } from './languages';
import { HOME, type PageMetadata, pictureAddress } from './page-metadata';
import { structuredData } from './structured-data';

const LOCALES = { 'zh-CN': 'zh_CN', en: 'en_US' } as const;

const named = (name: string, content: string) => `<meta name="${name}" content="${escapeHtml(content)}">`;
const property = (name: string, content: string) => `<meta property="${name}" content="${escapeHtml(content)}">`;

export const titleElements = (metadata: PageMetadata, { name }: Site) =>
  `<title>${escapeHtml(documentTitle(metadata.title, name[metadata.language]))}</title>\n${named('description', metadata.description)}`;

/**
 * The rest of a page's metadata. Without the site's origin it leaves out everything that needs absolute addresses: canonical
 * address, languages, pictures and structured data.
 */
export function metadataElements(metadata: PageMetadata, site: Site, origin: string): string[] {
  const { language, languages, description, path, noindex, type } = metadata;
  const brand = site.name[language];
  const title = path === HOME || !metadata.title ? brand : metadata.title;
  const elements = [
    ...(noindex ? [named('robots', 'noindex')] : []),
    property('og:site_name', brand),
    property('og:type', type),
    property('og:title', title),
    property('og:description', description),
    property('og:locale', LOCALES[language]),
  ];
  if (path === null || !origin) return elements;
  const href = (address: string) => escapeHtml(origin + address);
  const canonical = addressIn(path, language);
  const otherLanguages = languages.filter((candidate) => candidate !== language);
  const picture = pictureAddress(metadata.picture ?? '', origin);
  const { width, height } = site.icon.size;
  return [
    ...elements,
    ...otherLanguages.map((otherLanguage) => property('og:locale:alternate', LOCALES[otherLanguage])),
    property('og:url', origin + canonical),
    property('og:image', picture ?? origin + site.icon.src),
    ...(picture ? [] : [property('og:image:width', `${width}`), property('og:image:height', `${height}`)]),
    property('og:image:alt', picture ? title : brand),
    ...(metadata.product
      ? [
          property('product:price:amount', metadata.product.lowPrice),
          property('product:price:currency', metadata.product.currency),
        ]
      : []),
    // Covers and icons are square; a large card would crop them.
    named('twitter:card', 'summary'),
    `<link rel="canonical" href="${href(canonical)}">`,
    ...languages.map(
      (alternate) => `<link rel="alternate" hreflang="${alternate}" href="${href(addressIn(path, alternate))}">`,
    ),
    ...(languages.includes(DEFAULT_LANGUAGE)
      ? [`<link rel="alternate" hreflang="x-default" href="${href(path)}">`]
      : []),
    `<script type="application/ld+json">${scriptJson(structuredData({ ...metadata, path }, site, origin))}</script>`,
  ];
}
