/**
 * Watches the releases of this tab: uncaught errors, rejected promises, refused requests, freezes, slow and empty pages. It loads
 * after the first page has had its time, or at the first error.
 */
import { type Emptiness, PAGES_ON_SCREEN, pageEmptiness } from '@platform/releases/contract';
import { listenToErrors, type RawError, type ScriptError } from './early-errors';
import { onVisit, report, shellVisit, shownVisit, type Visit, visitOf } from './health';
import { natives } from './natives';
import type { ReleasesStore } from './releases.store';

const slowAfterMs = 5_000;
const readyCheckEveryMs = 500;
const freezeMs = 5_000;
/** A frame without a script of this duration is long for another reason. */
const scriptMs = 500;
const placeholders = '.shell-page-skeleton, [aria-busy="true"]:not(button, output)';
const skeleton = '#root > .boot';
/** An empty page may be changing, so it is checked this often before it is reported. */
const emptyChecks = 3;
const stackFrame = /((?:[a-z-]+):\/\/[^\s()]+?)(?::(\d+))?(?::(\d+))?(?=[\s)]|$)/g;
const releaseFile = /^\/r\/([a-z][a-z0-9-]*)\/([^/]+)\/(.+)$/;
const longestAt = 80;

let isWatching = false;

interface WatchOptions {
  releases: Pick<ReleasesStore, 'current'>;
  isCallError: (error: unknown) => boolean;
  isHydrated?: () => boolean;
}

/** Only the first call in a document has an effect. */
export function watchHealth({ releases, isCallError, isHydrated = () => true }: WatchOptions): void {
  if (isWatching) return;
  isWatching = true;
  listenToErrors((event) => reportError(event, isCallError));
  watchFreezes();
  watchPages(releases, isHydrated);
}

function reportError(event: RawError, isCallError: WatchOptions['isCallError']): void {
  if ('violatedDirective' in event) {
    reportRefused(event);
    return;
  }
  const blamed = blame(event, isCallError);
  if (blamed) report(blamed.visit, 'reason' in event ? 'rejection' : 'error', blamed.at ? { at: blamed.at } : {});
}

function releaseOf(url: string): { name: string; version: string; file: string } | null {
  const { origin, pathname } = new URL(url, window.location.href);
  const [, name, version, file] = (origin === window.location.origin && releaseFile.exec(pathname)) || [];
  return name && version && file ? { name, version, file } : null;
}

/** Whether a script belongs to a release or the document. A CDN adds scripts to the site's origin. */
function isOurs(url: string): boolean {
  const { origin, pathname } = new URL(url, window.location.href);
  return origin === window.location.origin && (releaseOf(url) !== null || pathname === loadedPath());
}

/** The path from which the document was loaded, which its inline scripts keep. */
function loadedPath(): string {
  const [navigation] = performance.getEntriesByType?.('navigation') ?? [];
  return new URL(navigation?.name ?? window.location.href).pathname;
}

/**
 * Finds the release that an error belongs to: the one whose file is topmost on the stack, else the one whose page is on screen.
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
  const frames = [...stack.matchAll(stackFrame)].map(([, url = '', line, column]) => ({ url, line, column }));
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

/**
 * Reports a request that the policy of the document refused, for the release whose file made it, else for the page on screen. A
 * request of a browser extension, or of an element that a proxy added to the document, belongs to no release.
 */
function reportRefused(event: SecurityPolicyViolationEvent): void {
  const { isTrusted, disposition, blockedURI, sourceFile, lineNumber, columnNumber } = event;
  // A release could dispatch synthetic events that name another one.
  if (!isTrusted || disposition === 'report' || !/^(https?|wss?):/.test(blockedURI)) return;
  const release = sourceFile ? releaseOf(sourceFile) : null;
  if (release) {
    const at = `${release.file}:${lineNumber}:${columnNumber}`.slice(-longestAt);
    report(visitOf(release.name, release.version), 'refused', { at });
    return;
  }
  const visit = shownVisit();
  if (visit && (!sourceFile || isOurs(sourceFile)) && !isOfAddedElement(blockedURI)) report(visit, 'refused');
}

/** Elements of pages are inside the root. The address of a refused request may lack path and query. */
const isOfAddedElement = (address: string): boolean =>
  [...document.querySelectorAll<HTMLScriptElement & HTMLLinkElement>('[src], link[href]')].some(
    (element) => !element.closest('#root') && (element.src || element.href).startsWith(address),
  );

interface AnimationFrame extends PerformanceEntry {
  scripts: Array<{ sourceURL: string; duration: number }>;
}

function watchFreezes(): void {
  const types = window.PerformanceObserver?.supportedEntryTypes ?? [];
  // Only an animation frame names its scripts.
  const type = ['long-animation-frame', 'longtask'].find((candidate) => types.includes(candidate));
  if (!type) return;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) reportFreeze(entry as AnimationFrame);
  });
  observer.observe({ type, buffered: true });
}

function reportFreeze({ duration, scripts = [] }: AnimationFrame): void {
  const longest = [...scripts].sort((left, right) => right.duration - left.duration)[0];
  // A frame may be long without any script, for example behind another tab's work.
  if (duration < freezeMs || (longest && longest.duration < scriptMs)) return;
  if (longest?.sourceURL && !isOurs(longest.sourceURL)) return;
  const release = longest && releaseOf(longest.sourceURL);
  const visit = release ? visitOf(release.name, release.version) : shownVisit();
  if (visit) report(visit, 'freeze', { value: Math.round(duration) });
}

/**
 * The visible page on screen has five seconds to replace its placeholders and to react to clicks, while there is a network. Then
 * it must show some content.
 */
function watchPages(releases: WatchOptions['releases'], isHydrated: () => boolean): void {
  let timer: number | undefined;
  const watch = (visit: Visit) => {
    natives.clearInterval(timer);
    const since = performance.now();
    let isReady = false;
    let checks = 0;
    timer = natives.setInterval(() => {
      if (document.visibilityState === 'hidden' || !navigator.onLine) return natives.clearInterval(timer);
      isReady ||= isPageReady() && isHydrated();
      if (performance.now() - since < slowAfterMs) return;
      const empty = isReady ? pageEmptiness() : null;
      checks += 1;
      if (empty && checks < emptyChecks) return;
      natives.clearInterval(timer);
      if (!isReady) report(visit, 'slow');
      else if (empty) reportEmpty(visit, empty, releases);
    }, readyCheckEveryMs);
  };
  const first = shownVisit() ?? shellVisit();
  if (first) watch(first);
  onVisit(watch);
}

const isPageReady = () =>
  !document.querySelector(skeleton) &&
  ![...document.querySelectorAll(PAGES_ON_SCREEN)].some((page) => page.querySelector(placeholders));

/** The content of a remote's element belongs to that remote; the rest belongs to the shell or the page. */
function reportEmpty(visit: Visit, { cause }: Emptiness, releases: WatchOptions['releases']): void {
  const remote = cause.closest<HTMLElement>('[data-remote]')?.dataset.remote;
  const version = remote && releases.current(remote)?.version;
  if (remote && version) report(remote === visit.name ? visit : visitOf(remote, version), 'empty');
  else for (const blamed of [visit, shellVisit()]) if (blamed) report(blamed, 'empty');
}
