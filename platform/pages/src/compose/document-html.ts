import type { FallbackRelease, MapEntry, NavigationEntry, PageMap, RouteContract } from '@platform/releases/contract';
import { BOOT_STYLE, bootCode } from '../boot/boot-code';
import { previousShellAttribute, routeCallsAttribute } from '../boot/document-attributes';
import { metadataElements, titleElements } from '../metadata/head-elements';
import type { DocumentLanguage } from '../metadata/languages';
import type { PageMetadata } from '../metadata/page-metadata';
import { bilingual, escapeHtml, SCRIPT, scriptJson } from '../site/html';
import type { Site } from '../site/site';
import type { PageElements } from './page-elements';
import { lateStylesheetElement, type Preload, preloadElement, scriptElement, stylesheetElement } from './preloads';

/** Why a release is not previewed: it is frozen, or was rolled back. */
export type PreviewRefusal = 'frozen' | 'withdrawn';

export interface RefusedPreview {
  release: string;
  why: PreviewRefusal;
}

interface DocumentParts {
  site: Site;
  route: RouteContract | null;
  metadata: PageMetadata;
  /** The site's origin, without a path; '' when it is unknown. */
  origin: string;
  shell: MapEntry;
  fallback: FallbackRelease | null;
  shellFiles: readonly Preload[];
  pageFiles: readonly Preload[];
  shareFiles: readonly Preload[];
  tabs: readonly NavigationEntry[];
  pageMap: PageMap;
  refusedPreview?: RefusedPreview;
  dark: boolean;
  page: PageElements | null;
}

export function documentHtml(parts: DocumentParts): string {
  const { route, metadata, origin, shellFiles, pageFiles, tabs, pageMap, refusedPreview, page, site } = parts;
  const boot = bootCode(site);
  const preview = pageMap.preview ? `${pageMap.preview.name}@${pageMap.preview.version}` : '';
  const lines = (elements: string[]) => elements.join('\n');
  const styles = shellFiles.filter(({ as }) => as === 'style');
  const scripts = shellFiles.filter(({ as }) => as === 'script');
  const pageStyles = page ? pageFiles.filter(({ as }) => as === 'style') : [];
  const sheets = [...styles, ...pageStyles].map(page?.isStyled ? lateStylesheetElement : stylesheetElement);
  const preloads = [...pageFiles.filter((file) => !pageStyles.includes(file)), ...parts.shareFiles];

  // The shell's style sheet precedes those that pages add to the head, so that a page's rule wins.
  return `<!doctype html>
<html lang="${metadata.language}"${bootAttributes(parts, preview)}>
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
<div id="root">${page ? page.html : skeleton(route, tabs, site)}</div>
${page ? pageData(page) + NO_SCRIPT_LINE[metadata.language] : noScriptMessage(site)}
<div class="boot-failed" role="alert"><p>${bilingual(site.failed)}</p><a href="">${bilingual(site.again)}</a></div>
${preview && `${previewBadge(preview)}\n`}${refusedPreview ? `${refusedBadge(refusedPreview)}\n` : ''}<script type="application/json" id="release-map">${scriptJson(pageMap)}</script>
</body>
</html>
`;
}

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

function bootAttributes({ route, shell, fallback, page, dark }: DocumentParts, preview: string): string {
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
}

const badge = (text: string, leave: string) =>
  `<div class="preview-badge" role="status"><span>${escapeHtml(text)}</span><a href="?release=live">${leave}</a></div>`;
const previewBadge = (preview: string) => badge(preview, '退出预览 · Leave preview');
const REFUSALS: Record<PreviewRefusal, [string, string]> = {
  frozen: ['已冻结', 'is frozen'],
  withdrawn: ['已撤回', 'was withdrawn'],
};
const refusedBadge = ({ release, why }: RefusedPreview) => {
  const [chinese, english] = REFUSALS[why];
  return badge(`${release} ${chinese}，现显示线上版本 · ${english}, this is the live release`, '关闭 · Close');
};

const blocks = ['boot-block boot-block--tall', 'boot-block boot-block--line', 'boot-block', 'boot-block'];

function skeleton(route: RouteContract | null, tabs: readonly NavigationEntry[], { name }: Pick<Site, 'name'>): string {
  const flags = route?.flags ?? {};
  if (flags.layout === false) return '';
  const title = flags.showTitle && route ? route.title : name;
  const topBar = `<div class="boot-top${flags.transparent ? ' boot-top--clear' : ''}">${bilingual(title)}</div>`;
  const labels = [...tabs]
    .sort((left, right) => left.order - right.order)
    .map(({ label }) => `<span>${bilingual(label)}</span>`)
    .join('');
  const tabBar = `<div class="boot-tabs">${labels}</div>`;
  const main = `<div class="boot-main">${blocks.map((names) => `<div class="${names}"></div>`).join('')}</div>`;
  return `<div class="boot" aria-hidden="true">${flags.topBar === false ? '' : topBar}${main}${flags.tabBar && labels ? tabBar : ''}</div>`;
}
