import type { FileGroup, ReleaseFiles } from '@shop/release/contract';
import { escapeHtml } from '../site/html';

export interface Preload {
  href: string;
  as: 'script' | 'style';
  integrity?: string;
}

export function preloadsOf({ base, integrity }: Pick<ReleaseFiles, 'base' | 'integrity'>, files: FileGroup): Preload[] {
  const preload = (as: Preload['as']) => (file: string) => ({ href: base + file, as, integrity: integrity[file] });
  return [...files.js.map(preload('script')), ...files.css.map(preload('style'))];
}

/** The entry of a remote and the files of one of its pages. */
export function pagePreloads(release: ReleaseFiles, page: string): Preload[] {
  const { js, css } = release.exposes[page] ?? { js: [], css: [] };
  return preloadsOf(release, { js: [release.entry, ...js.filter((file) => file !== release.entry)], css });
}

const attributes = ({ integrity }: Preload) =>
  integrity ? ` integrity="${escapeHtml(integrity)}" crossorigin="anonymous"` : '';

export const preloadElement = (preload: Preload) =>
  `<link rel="preload" as="${preload.as}" href="${escapeHtml(preload.href)}"${attributes(preload)}>`;

export const stylesheetElement = (file: Preload) =>
  `<link rel="stylesheet" href="${escapeHtml(file.href)}"${attributes(file)}>`;

export const scriptElement = (file: Preload) =>
  `<script defer src="${escapeHtml(file.href)}"${attributes(file)}></script>`;

/** Value of a `Link` header. */
export const earlyHint = ({ href, as, integrity }: Preload) =>
  `<${href}>; rel=preload; as=${as}${integrity ? `; crossorigin=anonymous; integrity="${integrity}"` : ''}`;
