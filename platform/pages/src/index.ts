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
export { OFFLINE_POLICY, offlineHtml } from './offline/offline-page';
export { serviceWorker } from './offline/service-worker-script';
export type { DrawnPage } from './render/rendered-page';
export { robotsText } from './site/robots';
export { describeSite, type Site, site } from './site/site';
export { composeSite, exportSite, withStaticSite } from './static-site/export-site';
