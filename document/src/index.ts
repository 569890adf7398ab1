export { BOOT_SCRIPT } from './boot/boot-code';
export { type ComposedDocument, type ComposeOptions, composeDocument } from './compose/compose-document';
export { contentPolicy } from './compose/content-policy';
export { OFFLINE_HTML, OFFLINE_POLICY } from './offline/offline-page';
export { serviceWorker } from './offline/service-worker-script';
export { ICON_SVG, SITE, WEB_MANIFEST } from './site/site';
export { composeSite, exportSite, withStaticSite } from './static-site/export-site';
