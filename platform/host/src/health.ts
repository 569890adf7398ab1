/**
 * Health reports per release and visit, batched and sent with sendBeacon. They carry no personal data: no query string,
 * no user, no stack, no text of a message.
 */
import type { DocumentFlags } from '@platform/releases/contract';
import { natives } from './natives';

export type HealthKind =
  | 'visit'
  | 'load'
  | 'render'
  | 'error'
  | 'rejection'
  | 'freeze'
  | 'slow'
  | 'empty'
  | 'refused'
  | 'vital';

/** A visit of one page of one release. The page './main' is the visit of the document by the shell. */
export interface Visit {
  name: string;
  version: string;
  page: string;
  /** Random: 16 hexadecimal characters. */
  visit: string;
}

export interface HealthDetails {
  metric?: 'LCP' | 'INP' | 'CLS';
  /** In milliseconds; for CLS the score. */
  value?: number;
  /** File within the release, line and column of an error; at most 80 characters. */
  at?: string;
}

export type HealthEvent = Visit & HealthDetails & { kind: HealthKind };

const reportUrl = '/api/health/report';
const tokenUrl = '/api/health/token';
const tokenTimeoutMs = 3_000;
const flushAfterMs = 2_000;
/** The server refuses larger batches. */
const maxBatch = 20;
/** This is less than the lifetime of a token. */
const tokenLifetimeMs = 60 * 60_000;

const queue: HealthEvent[] = [];
let timer: number | undefined;
const sent = new WeakMap<Visit, Set<string>>();
/** The last visit of each release in this document. The keys are `name@version`. */
const visits = new Map<string, Visit>();
let first: Visit | null = null;
let shown: Visit | null = null;
let isClaimed = false;
const listeners: Array<(visit: Visit) => void> = [];
let requested: { token?: string; at: number } | null = null;

export function report(visit: Visit, kind: HealthKind, details: HealthDetails = {}): void {
  const reported = sent.get(visit) ?? new Set();
  sent.set(visit, reported);
  const key = kind + (details.metric ?? '');
  if (reported.has(key)) return;
  reported.add(key);
  queue.push({ ...visit, ...details, kind });
  if (queue.length >= maxBatch) flush();
  else timer ??= natives.setTimeout(() => void loadToken().then(flush), flushAfterMs);
}

export function flush(): void {
  natives.clearTimeout(timer);
  timer = undefined;
  while (queue.length > 0) {
    const batch = queue.splice(0, maxBatch);
    const body = JSON.stringify({ token: visitToken(), context: healthContext(), events: batch });
    if (natives.sendBeacon(reportUrl, new Blob([body], { type: 'application/json' }))) continue;
    const headers = { 'content-type': 'application/json' };
    void natives
      .fetch(reportUrl, { method: 'POST', body, headers, keepalive: true, credentials: 'omit' })
      .catch(() => {});
  }
}

/** The token proves that the server has sent this document. The shop's own server sets it as a cookie with the document. */
function visitToken(): string | undefined {
  return /(?:^|;\s*)visit_token=([^;]+)/.exec(document.cookie)?.[1] ?? requested?.token;
}

async function loadToken(): Promise<void> {
  const isFresh = requested !== null && natives.now() - requested.at < tokenLifetimeMs;
  if (isFresh || /visit_token=/.test(document.cookie)) return;
  requested = { at: natives.now() };
  try {
    const response = await natives.fetch(tokenUrl, { method: 'POST', signal: natives.timeoutSignal(tokenTimeoutMs) });
    const { token } = (await response.json()) as { token?: unknown };
    if (typeof token === 'string') requested.token = token;
  } catch {
    // An offline tab gets no token: the report goes without one.
  }
}

function newVisit(name: string, version: string, page: string): Visit {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  const visit = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const opened = { name, version, page, visit };
  visits.set(`${name}@${version}`, opened);
  return opened;
}

/** A visit starts with the navigation, before the page's code runs. */
export function openVisit(name: string, version: string, page: string): Visit {
  shown = newVisit(name, version, page);
  first ??= shown;
  isClaimed = false;
  for (const listener of listeners) listener(shown);
  return shown;
}

/** Returns the visit that the navigation has opened, or a new one for a page that is shown again or with another release. */
export function claimVisit(name: string, version: string, page: string): Visit {
  const isOpened = !isClaimed && shown?.name === name && shown.version === version && shown.page === page;
  const visit = isOpened && shown ? shown : openVisit(name, version, page);
  isClaimed = true;
  return visit;
}

/** Returns the last visit of a release. A release that ran without being shown gets its own. */
export function visitOf(name: string, version: string, page = ''): Visit {
  return visits.get(`${name}@${version}`) ?? newVisit(name, version, page);
}

export function onVisit(listener: (visit: Visit) => void): void {
  listeners.push(listener);
}

export const shownVisit = (): Visit | null => shown;
export const firstVisit = (): Visit | null => first;

/** Each batch carries this context, so that a fault that affects only some visitors can be recognized. */
const healthContext = () => ({
  language: document.documentElement.lang === 'en' ? 'en' : 'zh-CN',
  device: window.matchMedia('(min-width: 960px)').matches ? 'desktop' : 'phone',
  signedIn: natives.localStorage.read('token') !== '',
});

export function shellVisit(): Visit | null {
  const { shell, rescued }: DocumentFlags = document.documentElement.dataset;
  const version = rescued ?? shell;
  return version ? visitOf('shell', version, './main') : null;
}

export function reportShell(kind: HealthKind): void {
  const visit = shellVisit();
  if (visit) report(visit, kind);
}

/** A fallback shell is not counted: the visit belongs to the shell that failed. */
export function reportShellVisit(): void {
  if (document.documentElement.dataset.rescued === undefined) reportShell('visit');
}
