/**
 * Watches over the releases of this tab: uncaught errors, rejected promises, refused requests, files that fail, long tasks, freezes, slow
 * and empty pages.
 * Loaded when the first page has had its time, or at the first error.
 */
import { type Emptiness, PAGES_ON_SCREEN, pageEmptiness } from '@platform/releases/contract';
import { blame, isOurs, releaseOf } from './attribution';
import { listenToErrors, type RawError } from './early-errors';
import { onVisit, report, shellVisit, shownVisit, type Visit, visitOf } from './health';
import { natives } from './natives';
import type { ReleasesStore } from './releases.store';

const slowAfterMs = 5_000;
const readyCheckEveryMs = 500;
const longTaskMs = 500;
/** A task that blocks the page for so long is a failure. */
const freezeMs = 5_000;
/** What stands for a page while its code or its data is on the way. */
const placeholders = '.shell-page-skeleton, [aria-busy="true"]:not(button, output)';
/** Of the document, until the shell has rendered something. */
const skeleton = '#root > .boot';
/** A page that is empty may be changing, so it is looked at so often before that is reported. */
const emptyLooks = 3;

type WatchedReleases = Pick<ReleasesStore, 'current'>;

let isWatching = false;

interface WatchOptions {
  releases: WatchedReleases;
  /** An error of a call, which is no fault of a release. */
  isCallError: (error: unknown) => boolean;
  /** Of a document that arrived rendered: whether the shell has hydrated it. */
  isHydrated?: () => boolean;
}

/** Once a document. */
export function watchHealth({ releases, isCallError, isHydrated = () => true }: WatchOptions): void {
  if (isWatching) return;
  isWatching = true;
  listenToErrors((event) => reportError(event, isCallError));
  watchLongTasks();
  watchPages(releases, isHydrated);
}

function reportError(event: RawError, isCallError: WatchOptions['isCallError']): void {
  if ('violatedDirective' in event) {
    reportRefused(event);
    return;
  }
  const { target } = event;
  if (target instanceof HTMLElement) {
    reportResource(target, event);
    return;
  }
  const blamed = blame(event, isCallError);
  if (blamed) report(blamed.visit, 'reason' in event ? 'rejection' : 'error', blamed.at ? { at: blamed.at } : {});
}

/** A picture, style or script of a release. */
function reportResource(element: HTMLElement, { isTrusted }: Event): void {
  const { src, href } = element as HTMLImageElement & HTMLLinkElement;
  const release = isTrusted && releaseOf(src || href || '');
  if (release) report(visitOf(release.name, release.version), 'resource', { at: release.file.slice(-80) });
}

/**
 * A request that the policy of the document refused: of the release whose file asked, else of the page on screen. What an extension
 * of the browser asks is nobody's.
 */
function reportRefused(event: SecurityPolicyViolationEvent): void {
  const { isTrusted, disposition, blockedURI, sourceFile, lineNumber, columnNumber } = event;
  // A release could make events of another one.
  if (!isTrusted || disposition === 'report' || !/^(https?|wss?):/.test(blockedURI)) return;
  const release = sourceFile ? releaseOf(sourceFile) : null;
  if (release) {
    const at = `${release.file}:${lineNumber}:${columnNumber}`.slice(-80);
    report(visitOf(release.name, release.version), 'refused', { at });
    return;
  }
  const visit = shownVisit();
  if (visit && (!sourceFile || isOurs(sourceFile))) report(visit, 'refused');
}

interface AnimationFrame extends PerformanceEntry {
  scripts: Array<{ sourceURL: string; duration: number }>;
}

function watchLongTasks(): void {
  const types = window.PerformanceObserver?.supportedEntryTypes ?? [];
  // Only an animation frame names its scripts.
  const type = ['long-animation-frame', 'longtask'].find((one) => types.includes(one));
  if (!type) return;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) reportLongTask(entry as AnimationFrame);
  });
  observer.observe({ type, buffered: true });
}

function reportLongTask({ duration, scripts = [] }: AnimationFrame): void {
  const longest = [...scripts].sort((one, other) => other.duration - one.duration)[0];
  // A frame may be long without any script, for example behind another tab's work.
  if (duration < longTaskMs || (longest && longest.duration < longTaskMs)) return;
  const release = longest && releaseOf(longest.sourceURL);
  const visit = release ? visitOf(release.name, release.version) : shownVisit();
  if (visit) report(visit, duration < freezeMs ? 'long-task' : 'freeze', { value: Math.round(duration) });
}

/**
 * The page on screen has five seconds to replace its placeholders and to answer presses, while it is visible and there is a network.
 * Then something of it must be there to be seen.
 */
function watchPages(releases: WatchedReleases, isHydrated: () => boolean): void {
  let timer: number | undefined;
  const watch = (visit: Visit) => {
    natives.clearInterval(timer);
    const since = performance.now();
    let isReady = false;
    let looks = 0;
    timer = natives.setInterval(() => {
      if (document.visibilityState === 'hidden' || !navigator.onLine) return natives.clearInterval(timer);
      isReady ||= isPageReady() && isHydrated();
      if (performance.now() - since < slowAfterMs) return;
      const empty = isReady ? pageEmptiness() : null;
      looks += 1;
      if (empty && looks < emptyLooks) return;
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

/** What is inside of a remote's element is that remote's; around it, it may be the shell's or the page's. */
function reportEmpty(visit: Visit, { cause }: Emptiness, releases: WatchedReleases): void {
  const remote = cause.closest<HTMLElement>('[data-remote]')?.dataset.remote;
  const version = remote && releases.current(remote)?.version;
  if (remote && version) report(remote === visit.name ? visit : visitOf(remote, version), 'empty');
  else for (const blamed of [visit, shellVisit()]) if (blamed) report(blamed, 'empty');
}
