/** Finds the release that an error belongs to: the one whose file is topmost on the stack, else the one whose page is on screen. */
import type { ScriptError } from './early-errors';
import { shownVisit, type Visit, visitOf } from './health';

const frame = /((?:[a-z-]+):\/\/[^\s()]+?)(?::(\d+))?(?::(\d+))?(?=[\s)]|$)/g;
const releaseFile = /^\/r\/([a-z][a-z0-9-]*)\/([^/]+)\/(.+)$/;
const longestAt = 80;

export function releaseOf(url: string): { name: string; version: string; file: string } | null {
  const { origin, pathname } = new URL(url, window.location.href);
  const [, name, version, file] = (origin === window.location.origin && releaseFile.exec(pathname)) || [];
  return name && version && file ? { name, version, file } : null;
}

/** Whether a script belongs to a release or the document. A CDN adds scripts to the site's origin. */
export function isOurs(url: string): boolean {
  const { origin, pathname } = new URL(url, window.location.href);
  return origin === window.location.origin && (releaseOf(url) !== null || pathname === loadedPath());
}

/** The path from which the document was loaded, which its inline scripts keep. */
function loadedPath(): string {
  const [navigation] = performance.getEntriesByType?.('navigation') ?? [];
  return new URL(navigation?.name ?? window.location.href).pathname;
}

/**
 * Returns null for an error that no release causes: one of an extension, of a script of another origin or of a CDN, or of the
 * network.
 * @param isCallError whether it is an error of a call, which the network or the server failed
 */
export function blame(
  event: ScriptError,
  isCallError: (error: unknown) => boolean,
): { visit: Visit; at?: string } | null {
  const error: unknown = 'reason' in event ? event.reason : event.error;
  if (isNotOurs(error, event) || isCallError(error)) return null;
  // The stack begins with the message, which may name any address.
  const stack = error instanceof Error ? (error.stack ?? '').replace(error.message, '') : '';
  const frames = [...stack.matchAll(frame)].map(([, url = '', line, column]) => ({ url, line, column }));
  if (frames.length === 0 && 'filename' in event && event.filename) {
    frames.push({ url: event.filename, line: String(event.lineno), column: String(event.colno) });
  }
  const [top] = frames;
  if (top && !isOurs(top.url)) return null;
  for (const { url, line, column } of frames) {
    const release = isOurs(url) && releaseOf(url);
    if (!release) continue;
    const at = `${release.file}:${line}:${column}`.slice(-longestAt);
    return { visit: visitOf(release.name, release.version), at };
  }
  const visit = shownVisit();
  return visit && { visit };
}

function isNotOurs(error: unknown, event: ScriptError): boolean {
  // A browser reports no details of an error in a script of another origin.
  if ('message' in event && !error && /^Script error|ResizeObserver loop/.test(event.message)) return true;
  // The caller aborted this call on purpose.
  return error instanceof Error && error.name === 'AbortError';
}
