export { BOOT_SCRIPT } from './boot/boot-code';
export {
  type ComposedDocument,
  type ComposeOptions,
  composeDocument,
  routeOfAddress,
  routesOfMap,
} from './compose/compose-document';
export { contentPolicy } from './compose/content-policy';
export type { PreviewRefusal } from './compose/document-html';
export { addressIn, askedLanguage, DEFAULT_LANGUAGE, type DocumentLanguage, LANGUAGES } from './metadata/languages';
export {
  type DocumentStatus,
  type PageDescription,
  type PageReference,
  pageAddress,
} from './metadata/page-description';
export type { ProductMetadata } from './metadata/page-metadata';
export { type SitemapPage, sitemapIndexXml, sitemapXml } from './metadata/sitemap';
export { documentHeaders, siteFiles } from './offline/site-files';
export type { DrawnPage } from './render/rendered-page';
export { robotsText } from './site/robots';
export { describeSite, type Site } from './site/site';
export { composeSite, exportSite, withStaticSite } from './static-site/export-site';
