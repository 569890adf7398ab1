/**
 * The HTML document of an address, with the release map inlined and preloads for exactly the files that the address needs. It
 * depends only on the map, the route, the visitor's canaries and the metadata, never on the text of the address.
 */
import {
  type MapEntry,
  matchRoute,
  type ReleaseMap,
  type RouteContract,
  SHELL,
  selectEntry,
  toPageMap,
} from '@platform/releases';
import { BOOT_STYLE, BOOT_STYLE_HASH, bootCode } from '../boot/boot-code';
import { previousShellAttribute, routeCallsAttribute } from '../boot/document-attributes';
import { metadataElements, titleElements } from '../metadata/head-elements';
import { DEFAULT_LANGUAGE, type DocumentLanguage } from '../metadata/languages';
import { type DocumentStatus, describedMetadata, HOME, type PageDescription } from '../metadata/page-metadata';
import { bilingual, escapeHtml, policyHash, SCRIPT, scriptJson } from '../site/html';
import type { Site } from '../site/site';
import { type DocumentPage, type PageElements, pageElements } from './page-elements';
import {
  lateStylesheetElement,
  type Preload,
  pagePreloads,
  preloadElement,
  preloadsOf,
  scriptElement,
  sharePreloads,
  stylesheetElement,
} from './preloads';

export interface RefusedPreview {
  release: string;
  /** Why it is not previewed: it is frozen, or was rolled back. */
  why: 'frozen' | 'withdrawn';
}

export interface ComposeOptions {
  site: Site;
  path: string;
  /** Number in [0, 100), if the browser sent one. */
  visitor?: number | null;
  /** The visitor requested this release but may not see it: the document shows the live releases and says so. */
  refusedPreview?: RefusedPreview;
  language?: DocumentLanguage;
  dark?: boolean;
  description?: PageDescription;
  /** The site's origin, such as 'https://site.example'; without it the document contains no absolute addresses. */
  origin?: string;
  pictureOrigins?: readonly string[];
}

export interface ComposedDocument {
  status: DocumentStatus;
  /** Addresses of the style sheets that a rendered page may need at once, in order. */
  sheets: string[];
  /** Writes a skeleton if there is no page. */
  write(page?: DocumentPage): { html: string; headers: Record<string, string> };
}

/** Returns the routes of the releases that visitors without a number get. */
export const routesOfMap = (map: ReleaseMap): RouteContract[] => routesOf(remoteEntries(map, null));

export const routeOfAddress = (map: ReleaseMap, address: string, visitor?: number | null): RouteContract | null =>
  findRoute(routesOf(remoteEntries(map, visitor)), pathOf(address));

/** Returns the path of the page that the shell shows: '/home' for '/', '/404' for an unknown address. */
export function shownPathname(route: RouteContract | null, address: string): string {
  const path = pathOf(address);
  if (path === '/') return HOME;
  return route || path === '/403' ? path : '/404';
}

/** Throws when no shell is live. */
export function composeDocument(map: ReleaseMap, options: ComposeOptions): ComposedDocument {
  const { site, visitor, refusedPreview, description = {}, pictureOrigins = [] } = options;
  const { language = DEFAULT_LANGUAGE, dark = false, origin = '' } = options;
  const shell = selectEntry(map.microFrontends[SHELL], visitor);
  if (!shell) throw new Error('no shell is live; run: npm run release -- promote shell');
  const remotes = remoteEntries(map, visitor);
  const boot = bootCode(site);
  const preview = map.preview ? `${map.preview.name}@${map.preview.version}` : '';

  const path = pathOf(options.path);
  const routes = remotes.flatMap((entry) => routesOf([entry]).map((route) => ({ ...route, entry })));
  const match = findRoute(routes, path);
  const route = path === '/403' || path === '/404' ? null : match;
  const metadata = describedMetadata(route, path, language, description, routes, site);

  const shellFiles = preloadsOf(shell.extras, shell.extras.initial);
  const pageFiles = route ? pagePreloads(route.entry.extras, route.page) : [];
  const shareFiles = route ? sharePreloads(shell.extras, route.entry.extras, route.page) : [];

  const bootAttributes = (page: PageElements | null) => {
    // The failure of a previewed shell must show, so it has no fallback.
    const fallback = map.preview?.name === SHELL ? null : shell.extras.fallback;
    const values = {
      preview,
      rendered: page?.attribute,
      user: page?.user,
      theme: dark ? 'dark' : '',
      calls: route ? routeCallsAttribute(route) : '',
      shell: shell.metadata.version,
      before: fallback ? previousShellAttribute(fallback) : '',
    };
    return Object.entries(values)
      .map(([name, value]) => value && ` data-${name}="${escapeHtml(value)}"`)
      .join('');
  };

  function html(page: PageElements | null): string {
    const pageStyles = page ? pageFiles.filter(isStyle) : [];
    const sheets = [...shellFiles.filter(isStyle), ...pageStyles].map(
      page?.isStyled ? lateStylesheetElement : stylesheetElement,
    );
    const scripts = shellFiles.filter((file) => !isStyle(file));
    const preloads = [...pageFiles.filter((file) => !pageStyles.includes(file)), ...shareFiles];

    // The shell's style sheet precedes those that pages add to the head, so that a page's rule wins.
    return `<!doctype html>
<html lang="${language}"${bootAttributes(page)}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
${page ? WHOLE_PAGE : ''}${page?.head ?? ''}${titleElements(metadata, site)}
<meta name="theme-color" content="${site.themeColor.light}">
${page?.user === undefined ? '' : `${SCRIPT}>${boot.userScript}</script>\n`}${SCRIPT}>${boot.script}</script>
<style>${BOOT_STYLE}</style>
${page?.style ? `<style id="page-style">${page.style}</style>` : ''}
${lines(sheets)}
${lines(scripts.map((file) => scriptElement(file, page !== null)))}
${lines(preloads.map((file) => preloadElement(file, page !== null)))}
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="${site.appleTouchIcon}">
<link rel="manifest" href="/manifest.webmanifest">
${lines(metadataElements(metadata, site, origin))}
</head>
<body>
<div id="root">${page ? page.html : skeleton(route, remotes, site)}</div>
${page ? pageData(page) + NO_SCRIPT_LINE[language] : noScriptMessage(site)}
<div class="boot-failed" role="alert"><p>${bilingual(site.failed)}</p><a href="">${bilingual(site.again)}</a></div>
${preview && `${previewBadge(preview)}\n`}${refusedPreview ? `${refusedBadge(refusedPreview)}\n` : ''}<script type="application/json" id="release-map">${scriptJson(toPageMap(map))}</script>
</body>
</html>
`;
  }

  return {
    status: description.status ?? (match || path === '/' || path === '/403' ? 200 : 404),
    // A page may show any part of the shell, such as form fields, whose styles load with their code. So all of its style sheets are listed.
    sheets: [...shellFiles, ...lateStyles(shell), ...pageFiles].filter(isStyle).map(({ href }) => href),
    write(rendered) {
      const rendering = [shell.metadata.version, language, dark ? 'dark' : 'light', shownPathname(match, path)];
      const page = rendered ? pageElements(rendered, rendering.join(' ')) : null;
      const policy = contentPolicy(site, page, pictureOrigins);
      const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
      return { html: html(page), headers };
    },
  };
}

const isStyle = ({ as }: Preload) => as === 'style';
const lines = (elements: string[]) => elements.join('\n');

/**
 * Blocks the first paint until the whole page is there: content that arrives later would shift elements in the middle. The link
 * expects the element after the page, so that the page itself has arrived.
 */
const WHOLE_PAGE = '<link rel="expect" href="#page-data" blocking="render">\n';

const noScriptMessage = ({ needsScript }: Site) =>
  `<noscript><div class="boot-noscript">${needsScript['zh-CN']}<br>${needsScript.en}</div></noscript>`;

const pageData = ({ data }: PageElements) => `<script type="application/json" id="page-data">${data}</script>\n`;

const noScriptLine = (text: string, other: DocumentLanguage, name: string) =>
  `<noscript><div class="boot-noscript boot-noscript--line">${text}<br><a href="?lang=${other}">${name}</a></div></noscript>`;
const NO_SCRIPT_LINE: Record<DocumentLanguage, string> = {
  'zh-CN': noScriptLine('登录和下单需要启用 JavaScript。', 'en', 'English'),
  en: noScriptLine('Signing in and ordering need JavaScript.', 'zh-CN', '中文'),
};

const badge = (text: string, leave: string) =>
  `<div class="preview-badge" role="status"><span>${escapeHtml(text)}</span><a href="?release=live">${leave}</a></div>`;
const previewBadge = (preview: string) => badge(preview, '退出预览 · Leave preview');
const REFUSALS: Record<RefusedPreview['why'], [string, string]> = {
  frozen: ['已冻结', 'is frozen'],
  withdrawn: ['已撤回', 'was withdrawn'],
};
const refusedBadge = ({ release, why }: RefusedPreview) => {
  const [chinese, english] = REFUSALS[why];
  return badge(`${release} ${chinese}，现显示线上版本 · ${english}, this is the live release`, '关闭 · Close');
};

const blocks = ['boot-block boot-block--tall', 'boot-block boot-block--line', 'boot-block', 'boot-block'];

function skeleton(route: RouteContract | null, remotes: readonly MapEntry[], { name }: Pick<Site, 'name'>): string {
  const flags = route?.flags ?? {};
  if (flags.layout === false) return '';
  const title = flags.showTitle && route ? route.title : name;
  const topBar = `<div class="boot-top${flags.transparent ? ' boot-top--clear' : ''}">${bilingual(title)}</div>`;
  const labels = remotes
    .flatMap(({ extras }) => extras.remote?.tabBar ?? [])
    .sort((left, right) => left.order - right.order)
    .map(({ label }) => `<span>${bilingual(label)}</span>`)
    .join('');
  const tabBar = `<div class="boot-tabs">${labels}</div>`;
  const main = `<div class="boot-main">${blocks.map((names) => `<div class="${names}"></div>`).join('')}</div>`;
  return `<div class="boot" aria-hidden="true">${flags.topBar === false ? '' : topBar}${main}${flags.tabBar && labels ? tabBar : ''}</div>`;
}

/**
 * The document's Content-Security-Policy. It names every kind of request, so that a page can send its data only to the site
 * (docs/adr/0003-isolation-and-recovery.md).
 */
function contentPolicy(site: Site, page: PageElements | null, pictureOrigins: readonly string[]): string {
  const boot = bootCode(site);
  const pictures = pictureOrigins.map((origin) => ` ${origin}`).join('');
  return [
    `default-src 'none'`,
    `script-src 'self' ${boot.scriptHash}${page?.user === undefined ? '' : ` ${boot.userScriptHash}`}`,
    `style-src 'self' ${BOOT_STYLE_HASH}${page?.style ? ` ${policyHash(page.style)}` : ''}`,
    // The content of "data:" and "blob:" addresses is already in the page.
    `img-src 'self' data: blob:${pictures}`,
    `media-src 'self'${pictures}`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `frame-src 'none'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    // A redirect of the site leads to other sites, not a form.
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
    `trusted-types ${['releases', ...site.trustedTypes].join(' ')} 'allow-duplicates'`,
  ].join('; ');
}

function lateStyles({ extras }: MapEntry): Preload[] {
  const css = Object.keys(extras.integrity).filter(
    (file) => file.endsWith('.css') && !extras.initial.css.includes(file),
  );
  return preloadsOf(extras, { js: [], css: css.sort() });
}

function remoteEntries(map: ReleaseMap, visitor: number | null | undefined): MapEntry[] {
  const names = Object.keys(map.microFrontends).filter((name) => name !== SHELL);
  return names.sort().flatMap((name) => selectEntry(map.microFrontends[name], visitor) ?? []);
}

const findRoute = <R extends RouteContract>(routes: readonly R[], path: string) =>
  matchRoute(routes, path === '/' ? HOME : path);

const routesOf = (entries: readonly MapEntry[]): RouteContract[] =>
  entries.flatMap(({ extras }) => extras.remote?.routes ?? []);

/**
 * Removes query, hash and trailing slashes. The lookbehind matches only the start of a run of slashes, because an address may
 * consist of 16,000 of them.
 */
const pathOf = (address: string) => (address.split(/[?#]/)[0] || '/').replace(/(?<=^\/|[^/])\/+$/, '');
