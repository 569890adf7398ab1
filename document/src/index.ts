export { HEAD_SCRIPT } from './boot/head-script';
export { type ComposedDocument, type ComposeOptions, composeDocument, contentPolicy } from './compose-document';
export { OFFLINE_HTML, OFFLINE_POLICY, serviceWorker } from './offline/offline';
export { ICON_SVG, SITE, WEB_MANIFEST } from './site';
export { composeSite, exportSite, withStaticSite } from './static-site/export-site';
