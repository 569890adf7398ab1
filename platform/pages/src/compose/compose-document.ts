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
import { BOOT_STYLE_HASH, bootCode } from '../boot/boot-code';
import { DEFAULT_LANGUAGE, type DocumentLanguage } from '../metadata/languages';
import { type DocumentStatus, describedMetadata, HOME, type PageDescription } from '../metadata/page-metadata';
import { policyHash } from '../site/html';
import type { Site } from '../site/site';
import { documentHtml, type RefusedPreview } from './document-html';
import { type DocumentPage, type PageElements, pageElements } from './page-elements';
import { type Preload, pagePreloads, preloadsOf, sharePreloads } from './preloads';

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

  const path = pathOf(options.path);
  const routes = remotes.flatMap((entry) => routesOf([entry]).map((route) => ({ ...route, entry })));
  const match = findRoute(routes, path);
  const route = path === '/403' || path === '/404' ? null : match;

  const shellFiles = preloadsOf(shell.extras, shell.extras.initial);
  const pageFiles = route ? pagePreloads(route.entry.extras, route.page) : [];
  return {
    status: description.status ?? (match || path === '/' || path === '/403' ? 200 : 404),
    // A page may show any part of the shell, such as form fields, whose styles load with their code. So all of its style sheets are listed.
    sheets: [...shellFiles, ...lateStyles(shell), ...pageFiles]
      .filter(({ as }) => as === 'style')
      .map(({ href }) => href),
    write(rendered) {
      const rendering = [shell.metadata.version, language, dark ? 'dark' : 'light', shownPathname(match, path)];
      const page = rendered ? pageElements(rendered, rendering.join(' ')) : null;
      const html = documentHtml({
        site,
        route,
        metadata: describedMetadata(route, path, language, description, routes, site),
        origin,
        shell,
        // The failure of a previewed shell must show, so it has no fallback.
        fallback: map.preview?.name === SHELL ? null : shell.extras.fallback,
        shellFiles,
        pageFiles,
        shareFiles: route ? sharePreloads(shell.extras, route.entry.extras, route.page) : [],
        tabs: remotes.flatMap((entry) => entry.extras.remote?.tabBar ?? []),
        pageMap: toPageMap(map),
        refusedPreview,
        dark,
        page,
      });
      const policy = contentPolicy(site, page, pictureOrigins);
      return { html, headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy } };
    },
  };
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
