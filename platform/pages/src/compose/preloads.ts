import type { FileGroup, ReleaseFiles } from '@platform/releases/contract';
import { escapeHtml, SCRIPT } from '../site/html';

export interface Preload {
  href: string;
  as: 'script' | 'style';
  integrity?: string;
}

export function preloadsOf({ base, integrity }: Pick<ReleaseFiles, 'base' | 'integrity'>, files: FileGroup): Preload[] {
  const preload = (as: Preload['as']) => (file: string) => ({ href: base + file, as, integrity: integrity[file] });
  return [...files.js.map(preload('script')), ...files.css.map(preload('style'))];
}

export function pagePreloads(release: ReleaseFiles, page: string): Preload[] {
  const { js, css } = release.exposes[page] ?? { js: [], css: [] };
  return preloadsOf(release, { js: [release.entry, ...js.filter((file) => file !== release.entry)], css });
}

/** Returns the lazy singletons that a page cannot run without. Without preloads the shell would request them only after it has started. */
export function sharePreloads(shell: ReleaseFiles, release: ReleaseFiles, page: string): Preload[] {
  const shares = release.exposes[page]?.shares ?? [];
  return shares.flatMap((name) => {
    const files = shell.exposes[name];
    return files ? preloadsOf(shell, files) : [];
  });
}

const attributes = ({ integrity }: Preload) =>
  integrity ? ` integrity="${escapeHtml(integrity)}" crossorigin="anonymous"` : '';

/** `low` files load after the content of the page. */
const fetchPriority = (isLow: boolean) => (isLow ? ' fetchpriority="low"' : '');

export const preloadElement = (preload: Preload, isLow: boolean) =>
  `<link rel="preload" as="${preload.as}"${fetchPriority(isLow)} href="${escapeHtml(preload.href)}"${attributes(preload)}>`;

export const stylesheetElement = (file: Preload) =>
  `<link rel="stylesheet" href="${escapeHtml(file.href)}"${attributes(file)}>`;

/** Does not block the first paint: the boot script applies it when it has loaded (platform/pages/src/boot/late-styles.ts). */
export const lateStylesheetElement = (file: Preload) =>
  `${preloadElement(file, true)}<link rel="stylesheet" media="print" data-late href="${escapeHtml(file.href)}"${attributes(file)}>`;

export const scriptElement = (file: Preload, isLow: boolean) =>
  `${SCRIPT} defer${fetchPriority(isLow)} src="${escapeHtml(file.href)}"${attributes(file)}></script>`;
