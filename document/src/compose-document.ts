/**
 * One HTML document for any address, with the map inlined and preloads for exactly the files that the address
 * needs. It depends on the map, the route and the visitor's canaries only, never on the address's own text.
 */

import {
  type FileGroup,
  type LocalText,
  type MapEntry,
  matchRoute,
  type ReleaseMap,
  type RouteContract,
  SHELL,
  selectEntry,
  toPageMap,
} from '@shop/release';
import { callsAttribute, HEAD_SCRIPT, HEAD_SCRIPT_HASH, HEAD_STYLE, HEAD_STYLE_HASH } from './boot/head-script';
import { previousShellAttribute } from './boot/shell-fallback';
import { APPLE_TOUCH_ICON, SITE } from './site';

export interface ComposeOptions {
  /** Path of the address, with or without its query. */
  path: string;
  /** Number in [0, 100), if the browser sent one. */
  visitor?: number | null;
  /** Remote or shell to the origin of its development server, which answers in the place of the live release. */
  devOrigins?: Record<string, string>;
  /** For static hosting: the policy stands in the document as well. */
  metaPolicy?: boolean;
}

export interface ComposedDocument {
  html: string;
  /** 404 for an address that no route claims, with the same document. */
  status: 200 | 404;
  csp: string;
  headers: Record<string, string>;
  /** Values for `Link` headers of a 103. */
  earlyHints: string[];
  /** Pages with the same key are the same page. */
  key: string;
  route: string | null;
}

/** Addresses that the shell draws by itself. */
const SHELL_PATHS = ['/', '/403', '/404'];
/** Where the shell goes from the root, so its files are worth preloading. */
const HOME = '/home';

interface Preload {
  href: string;
  as: 'script' | 'style';
  integrity?: string;
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
/** JSON inside a script element: no `<`, so that neither a closing tag nor a comment can begin. */
const scriptJson = (value: unknown) =>
  JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029');

const textIn = (text: LocalText, language: 'zh-CN' | 'en') => (typeof text === 'string' ? text : text[language]);
const bilingual = (text: LocalText) =>
  `<span lang="zh-CN">${escapeHtml(textIn(text, 'zh-CN'))}</span><span lang="en">${escapeHtml(textIn(text, 'en'))}</span>`;

function filesOf(entry: MapEntry, { js, css }: FileGroup): Preload[] {
  const { base, integrity } = entry.extras;
  const preload = (as: Preload['as']) => (file: string) => ({ href: base + file, as, integrity: integrity[file] });
  return [...js.map(preload('script')), ...css.map(preload('style'))];
}

const attributes = ({ integrity }: Preload) =>
  integrity ? ` integrity="${escapeHtml(integrity)}" crossorigin="anonymous"` : '';
const linkPreload = (preload: Preload) =>
  `<link rel="preload" as="${preload.as}" href="${escapeHtml(preload.href)}"${attributes(preload)}>`;

export function contentPolicy(devOrigins: string[] = []): string {
  const more = devOrigins.map((origin) => ` ${origin}`).join('');
  const sockets = devOrigins.map((origin) => ` ${origin.replace(/^http/, 'ws')}`).join('');
  // Development builds inject styles from script and have no policy for Trusted Types.
  const development = devOrigins.length > 0;
  return [
    `default-src 'self'`,
    `script-src 'self' ${HEAD_SCRIPT_HASH}${more}`,
    development ? `style-src 'self' 'unsafe-inline'${more}` : `style-src 'self' ${HEAD_STYLE_HASH}`,
    `img-src 'self' data: blob: https:${more}`,
    `connect-src 'self'${more}${sockets}`,
    `font-src 'self'${more}`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    ...(development
      ? []
      : [`require-trusted-types-for 'script'`, `trusted-types shop-loader shop-html dompurify 'allow-duplicates'`]),
  ].join('; ');
}

function skeleton(map: ReleaseMap, visitor: number | null | undefined, route: RouteContract | null): string {
  const flags = route?.flags ?? {};
  if (flags.layout === false) return '';
  const title = flags.showTitle && route ? route.title : SITE.name;
  const top =
    flags.topBar === false
      ? ''
      : `<div class="boot-top${flags.transparent ? ' boot-top--clear' : ''}">${bilingual(title)}</div>`;
  const tabs = Object.keys(map.microFrontends)
    .flatMap((name) => selectEntry(map.microFrontends[name], visitor)?.extras.remote?.tabBar ?? [])
    .sort((left, right) => left.order - right.order)
    .map(({ label }) => `<span>${bilingual(label)}</span>`)
    .join('');
  const bar = flags.tabBar && tabs ? `<div class="boot-tabs">${tabs}</div>` : '';
  const blocks = ['boot-block--tall', 'boot-block--line', '', ''].map(
    (kind) => `<div class="boot-block${kind && ` ${kind}`}"></div>`,
  );
  return `<div class="boot" aria-hidden="true">${top}<div class="boot-main">${blocks.join('')}</div>${bar}</div>`;
}

/** `map` with development servers in the place of live releases. Nothing of them is known beforehand, not even a hash. */
function withDevOrigins(map: ReleaseMap, devOrigins: Record<string, string>): ReleaseMap {
  const copy = structuredClone(map);
  for (const [name, origin] of Object.entries(devOrigins)) {
    const live = selectEntry(copy.microFrontends[name]);
    if (!live) continue;
    const base = `${origin.replace(/\/$/, '')}/`;
    const entry = name === SHELL ? 'main.js' : 'remoteEntry.js';
    const version = `dev-${live.metadata.version}`;
    copy.microFrontends[name] = [
      {
        url: base + entry,
        metadata: { version, integrity: '' },
        deployment: { traffic: 100, default: true },
        extras: {
          ...live.extras,
          base,
          entry,
          initial: { js: [entry], css: [] },
          exposes: {},
          integrity: {},
          previous: null,
          fallback: null,
        },
      },
    ];
  }
  return copy;
}

/** Throws when no shell is live: then there is nothing to show. */
export function composeDocument(live: ReleaseMap, options: ComposeOptions): ComposedDocument {
  const devOrigins = options.devOrigins ?? {};
  const map = Object.keys(devOrigins).length > 0 ? withDevOrigins(live, devOrigins) : live;
  const { visitor } = options;
  const shell = selectEntry(map.microFrontends[SHELL], visitor);
  if (!shell) throw new Error(`no shell is live in ${map.channel}; run: npm run release -- promote shell`);

  const remotes = Object.keys(map.microFrontends)
    .filter((name) => name !== SHELL)
    .sort();
  const chosen = remotes.map((name) => ({ name, entry: selectEntry(map.microFrontends[name], visitor) }));
  const routes = chosen.flatMap(({ entry }) =>
    (entry?.extras.remote?.routes ?? []).map((route) => ({ ...route, entry })),
  );
  const pathname = options.path.split(/[?#]/)[0] || '/';
  const clean = pathname.replace(/(?<=.)\/+$/, '');
  const route = matchRoute(routes, clean === '/' ? HOME : clean);
  const shellDraws = SHELL_PATHS.includes(clean);
  const preloaded = clean === '/403' || clean === '/404' ? null : route;

  const shellFiles = filesOf(shell, shell.extras.initial);
  const routeFiles: Preload[] = [];
  if (preloaded?.entry) {
    const { entry } = preloaded;
    const page = entry.extras.exposes[preloaded.page] ?? { js: [], css: [] };
    routeFiles.push(
      ...filesOf(entry, {
        js: [entry.extras.entry, ...page.js.filter((file) => file !== entry.extras.entry)],
        css: page.css,
      }),
    );
  }

  const calls = preloaded && callsAttribute(preloaded);
  const csp = contentPolicy([...new Set(Object.values(devOrigins).map((origin) => new URL(origin).origin))]);
  const title = preloaded ? `${textIn(preloaded.title, 'zh-CN')} - ${SITE.name['zh-CN']}` : SITE.name['zh-CN'];
  const preview = map.preview ? `${map.preview.name}@${map.preview.version}` : null;
  // Who previews a shell must see it fail, and so must who develops one.
  const before = map.preview?.name === SHELL ? null : shell.extras.fallback;
  const rescue = devOrigins[SHELL]
    ? ''
    : ` data-shell="${escapeHtml(shell.metadata.version)}"${before ? ` data-before="${escapeHtml(previousShellAttribute(before))}"` : ''}`;
  const styles = shellFiles.filter(({ as }) => as === 'style');
  const scripts = shellFiles.filter(({ as }) => as === 'script');
  const policy = options.metaPolicy
    ? `<meta http-equiv="content-security-policy" content="${escapeHtml(csp.replace("; frame-ancestors 'none'", ''))}">`
    : '';

  // The stylesheet comes before those that pages add to the head, so that a page's rule wins over the kit's.
  const html = `<!doctype html>
<html lang="zh-CN"${preview ? ` data-preview="${escapeHtml(preview)}"` : ''}${calls ? ` data-calls="${escapeHtml(calls)}"` : ''}${rescue}>
<head>
<meta charset="utf-8">${policy}
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(SITE.description['zh-CN'])}">
<meta name="theme-color" content="${SITE.themeColor.light}">
<script>${HEAD_SCRIPT}</script>
<style>${HEAD_STYLE}</style>
${styles.map((file) => `<link rel="stylesheet" href="${escapeHtml(file.href)}"${attributes(file)}>`).join('\n')}
${scripts.map((file) => `<script defer src="${escapeHtml(file.href)}"${attributes(file)}></script>`).join('\n')}
${routeFiles.map(linkPreload).join('\n')}
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="${APPLE_TOUCH_ICON}">
<link rel="manifest" href="/manifest.webmanifest">
</head>
<body>
<div id="root">${skeleton(map, visitor, preloaded)}</div>
<noscript><div class="boot-noscript">请启用 JavaScript 后使用本商店。<br>This shop needs JavaScript.</div></noscript>
<div class="boot-failed" role="alert"><p>${bilingual(SITE.failed)}</p><a href="">${bilingual(SITE.again)}</a></div>
${preview ? `<div class="preview-badge" role="status"><span>${escapeHtml(preview)}</span><a href="?release=live">退出预览 · Leave preview</a></div>\n` : ''}<script type="application/json" id="release-map">${scriptJson(toPageMap(map))}</script>
</body>
</html>
`;

  const versions = [shell, ...chosen.map(({ entry }) => entry)].map((entry) => entry?.metadata.version ?? '').join(',');
  return {
    html,
    status: route || shellDraws ? 200 : 404,
    csp,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': csp,
    },
    earlyHints: [...shellFiles, ...routeFiles].map(
      ({ href, as, integrity }) =>
        `<${href}>; rel=preload; as=${as}${integrity ? `; crossorigin=anonymous; integrity="${integrity}"` : ''}`,
    ),
    key: `${map.channel}|${map.rev}|${preview ?? ''}|${shellDraws ? clean : (route?.path ?? 'none')}|${versions}`,
    route: route?.path ?? null,
  };
}
