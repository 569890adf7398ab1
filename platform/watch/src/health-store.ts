import type { Tally } from './confidence';
import type { FailureKind, Metric, REFUSED } from './health-event';
import type { Reach } from './judge-steps';
import type { RecordedEvent, ReleaseEvent, WatcherKind } from './release-event';
import type { NotedVisit } from './step-counts';

/** All visitors, or one segment of them. */
export const GROUPS = ['all', 'zh-CN', 'en', 'phone', 'desktop', 'guest', 'signed in'] as const;
export type Group = (typeof GROUPS)[number];
export type Tallies = Record<Group, Tally>;

export const noVisits = (): Tallies =>
  Object.fromEntries(GROUPS.map((group) => [group, { visits: 0, failures: 0 }])) as Tallies;

export interface ServedRelease {
  name: string;
  kind: 'live' | 'canary';
  version: string;
  /** Per cent of the visitors. */
  traffic: number;
  /** Changes when the same version starts again. */
  mark: string;
}

export interface Period extends Omit<ServedRelease, 'mark'> {
  /** By the store's clock, with its full precision. */
  since: string;
  seconds: number;
}

/** The visits to sum: of one version or of all, at one share or at any. */
export interface Selection {
  id: string;
  name: string;
  version?: string;
  traffic?: number;
  /** By the store's clock. `from` defaults to now, `to` to no end. */
  from?: string;
  to?: string;
  /** Moves `from`, in seconds. */
  shift: number;
  /** For funnel steps: only an equal part of the others, with which a canary is compared. */
  control?: boolean;
}

/** `id`: of the selection. A group without visits may be missing. */
export interface SelectedVisits extends Tally {
  id: string;
  visitors: Group;
}
export interface SelectedSteps extends Reach {
  id: string;
  path: string;
  word: string;
}

export function talliesOf(rows: readonly SelectedVisits[], selection: string): Tallies {
  const tallies = noVisits();
  for (const { id, visitors, visits, failures } of rows) {
    if (id === selection) tallies[visitors] = { visits, failures };
  }
  return tallies;
}

export interface Funnel extends NamedRelease, Reach {
  path: string;
}

export interface NamedRelease {
  name: string;
  version: string;
}

export interface Segment extends NamedRelease {
  traffic: number;
  language: string;
  device: string;
  signed_in: boolean;
}
export interface CountedMinute extends Segment {
  visits: number;
  failures: number;
  /** Seconds ago. */
  age: number;
}
export interface Vote extends Segment {
  network: string;
  visit: string;
  failed: boolean;
  /** Seconds ago. */
  age: number;
  added: Array<{ minute: string; visits: number; failures: number }>;
}
export interface Samples extends NamedRelease {
  metric: Metric | typeof REFUSED;
  bucket: number;
  samples: number;
}
/** Visits that failed first with this error. */
export interface CountedError extends NamedRelease {
  kind: FailureKind;
  /** File of the release, line and column; '' if unknown. */
  at: string;
  visits: number;
}
export interface Counts {
  /** By a key that samples refer to. */
  minutes: ReadonlyMap<string, CountedMinute>;
  votes: readonly Vote[];
  vitals: readonly Samples[];
  errors: readonly CountedError[];
}

export interface DueMessage extends RecordedEvent {
  target: string;
}
export interface FailingTarget {
  target: string;
  /** Messages that were tried at least three times. */
  messages: number;
  /** When the oldest of these events happened, ISO 8601. */
  since: string;
  error: string;
}

/** The store that all servers share: their counts, and the events of releases. Its clock is authoritative. */
export interface HealthStore {
  /** Adds all counts or none. Counts of the same visits by another server are left out. */
  add(counts: Counts): Promise<void>;
  /** Since when each release is served. The first server that sees a change records it: the promoter's clock is not used. */
  recordPeriods(rev: number, served: readonly ServedRelease[]): Promise<Period[]>;
  /** One visit for each network. */
  votes(selections: readonly Selection[]): Promise<SelectedVisits[]>;
  /** All visits within the budgets of their networks. */
  counted(selections: readonly Selection[]): Promise<SelectedVisits[]>;
  /** Samples of the last six hours. */
  vitals(releases: readonly NamedRelease[]): Promise<Samples[]>;
  /** Errors of the last six hours, most frequent first, at most `most` for each release. */
  errors(releases: readonly NamedRelease[], most: number): Promise<CountedError[]>;
  /** Each step of a visit counts once, even if several servers saw it. */
  addSteps(noted: readonly NotedVisit[]): Promise<void>;
  /** Of visits that represent their network. */
  steps(selections: readonly Selection[]): Promise<SelectedSteps[]>;
  /** The last `minutes` by release and path, of visits that represent their network. */
  funnels(minutes: number): Promise<Funnel[]>;

  /** Records an event and its receivers in one transaction. Resolves to false if it was recorded already. */
  recordEvent(event: ReleaseEvent, targets: readonly string[]): Promise<boolean>;
  /** Newest first. */
  watcherEvents(limit: number): Promise<RecordedEvent<WatcherKind>[]>;
  /** Claims due messages, so that several servers do not send the same message at once. A claim moves the next attempt into the future. */
  claimMessages(targets: readonly string[], attempts: number, most: number): Promise<DueMessage[]>;
  /** Records the result of an attempt; `error` is null if the receiver accepted the message. */
  messageSent(message: Pick<DueMessage, 'id' | 'target'>, error: string | null): Promise<void>;
  /** Receivers with messages that were tried at least `tries` times. */
  failingTargets(targets: readonly string[], tries: number): Promise<FailingTarget[]>;
  /** The last revision whose changes are recorded; `rev` without records. */
  reportedUntil(rev: number): Promise<number>;
  setReportedUntil(rev: number): Promise<void>;
}
