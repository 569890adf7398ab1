/**
 * How the pages of this tab were loaded: map, entry, chunk, shown. It is put together when somebody asks, from what the browser has noted
 * of each request, and from the mark that a shell leaves of a page whose release did not load: 'catalog@1.2.0-3f9c2ab1 ./home: why'.
 */
import type { PageMap } from '@platform/releases/contract';

export interface TraceStep {
  step: 'map' | 'entry' | 'chunk' | 'failed' | 'fallback' | 'shown';
  /** Milliseconds since the document was asked for. */
  at: number;
  /** Milliseconds; absent for what happens at one moment. */
  took?: number;
  name?: string;
  version?: string;
  /** Of the release, of the page, or an address. */
  file?: string;
  /** Of the response, where the browser tells it. */
  status?: number;
  /** Sent over the network; 0 from a cache. */
  bytes?: number;
  /** From 1 on, a retry. */
  attempt?: number;
  reason?: string;
}

/** What is read of a performance entry. */
export interface NotedRequest {
  name: string;
  startTime: number;
  responseEnd: number;
  responseStatus?: number;
  transferSize?: number;
}

export interface NotedMark {
  name: string;
  startTime: number;
}

export interface ShownPage {
  name: string;
  path: string;
  at: number;
}

export interface Noted {
  origin: string;
  map: PageMap;
  /** Of the document. */
  navigation?: NotedRequest;
  requests: readonly NotedRequest[];
  marks: readonly NotedMark[];
  shown: readonly ShownPage[];
}

const releaseFile = /^\/r\/([a-z][a-z0-9-]*)\/([^/]+)\/(.+\.(?:js|css))$/;
const failedLoad = /^([a-z][a-z0-9-]*)@(\S+) (\.\/\S+): ([\s\S]*)$/;
/** No mark tells these two apart. */
const NOTHING_FAILED = 'the page threw while it was drawn, or this release is live again';

export function loadingTrace({ origin, map, navigation, requests, marks, shown }: Noted): TraceStep[] {
  const steps = [
    ...(navigation ? [stepOf(navigation, { step: 'map', file: new URL(navigation.name).pathname })] : []),
    ...requests.flatMap((request) => requestStep(request, origin, map)),
    ...marks.flatMap(markStep),
  ].sort(byTime);
  const all = [...steps, ...fallbackSteps(steps, map), ...shown.map((page) => shownStep(page, steps))];
  return all.sort(byTime);
}

const byTime = (one: TraceStep, other: TraceStep) => one.at - other.at;
const rounded = (milliseconds: number) => Math.round(milliseconds * 10) / 10;

function stepOf(
  { startTime, responseEnd, responseStatus, transferSize }: NotedRequest,
  rest: Partial<TraceStep> & Pick<TraceStep, 'step'>,
): TraceStep {
  return {
    at: rounded(startTime),
    took: rounded(Math.max(0, responseEnd - startTime)),
    // Browsers that do not tell it say 0.
    ...(responseStatus ? { status: responseStatus } : {}),
    ...(transferSize === undefined ? {} : { bytes: transferSize }),
    ...rest,
  };
}

function requestStep(request: NotedRequest, origin: string, map: PageMap): TraceStep[] {
  const url = new URL(request.name);
  if (url.origin !== origin) return [];
  if (/^\/releases\/[a-z0-9-]+\.json$/.test(url.pathname))
    return [stepOf(request, { step: 'map', file: url.pathname })];
  const [, name, version, file] = releaseFile.exec(url.pathname) ?? [];
  if (!name || !version || !file) return [];
  const attempt = Number(url.searchParams.get('retry'));
  const step = isEntry(map, name, file) ? 'entry' : 'chunk';
  return [stepOf(request, { step, name, version, file, ...(attempt > 0 && { attempt }) })];
}

const isEntry = (map: PageMap, name: string, file: string): boolean =>
  (map.microFrontends[name] ?? []).some(({ extras }) => file === extras.entry || file === extras.fallback?.entry);

function markStep({ name: text, startTime }: NotedMark): TraceStep[] {
  const [, name, version, file, reason] = failedLoad.exec(text) ?? [];
  return name && reason !== undefined ? [{ step: 'failed', at: rounded(startTime), name, version, file, reason }] : [];
}

/** Where files of the release before are loaded, it stands in for the one that the map names. */
function fallbackSteps(steps: readonly TraceStep[], map: PageMap): TraceStep[] {
  const entries = Object.entries(map.microFrontends).flatMap(([name, ofName]) =>
    ofName.map(({ metadata, extras }) => ({ name, version: metadata.version, instead: extras.previous })),
  );
  return entries.flatMap(({ name, version, instead }) => {
    const first = steps.find((step) => step.step === 'entry' && step.name === name && step.version === instead);
    if (!first || instead === null || instead === version) return [];
    // A failure is told once the other release is there.
    const failed = steps.findLast((step) => step.step === 'failed' && step.name === name && step.version === version);
    const at = Math.max(first.at, failed?.at ?? 0);
    return [{ step: 'fallback', at, name, version: instead, reason: failed?.reason ?? NOTHING_FAILED }];
  });
}

/** With the release whose entry came last. */
function shownStep({ name, path, at }: ShownPage, steps: readonly TraceStep[]): TraceStep {
  const entry = steps.findLast((step) => step.step === 'entry' && step.name === name && step.at <= at);
  return { step: 'shown', at: rounded(at), name, version: entry?.version, file: path };
}
