/**
 * Watches the releases of this tab: uncaught errors, rejected promises, refused requests, freezes, slow and empty pages. It loads
 * after the first page has had its time, or at the first error.
 */
import { type Emptiness, PAGES_ON_SCREEN, pageEmptiness } from '@platform/releases/contract';
import { blame, isOurs, releaseOf } from './attribution';
import { listenToErrors, type RawError } from './early-errors';
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
    const at = `${release.file}:${lineNumber}:${columnNumber}`.slice(-80);
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
