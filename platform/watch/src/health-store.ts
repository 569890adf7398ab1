import type { ReleaseMap } from '@platform/releases';
import type { Tally } from './confidence';
import type { FailureKind, Metric, REFUSED } from './health-event';
import type { Reach, Reaches } from './judge-steps';
import type { RecordedEvent, ReleaseEvent } from './release-event';
import type { NotedVisit } from './step-counts';
import type { Histogram } from './vitals';

/** Everybody, or one segment of the visitors. */
export const GROUPS = ['all', 'zh-CN', 'en', 'phone', 'desktop', 'guest', 'signed in'] as const;
export type Group = (typeof GROUPS)[number];
export type Tallies = Record<Group, Tally>;

export const noVisits = (): Tallies =>
  Object.fromEntries(GROUPS.map((group) => [group, { visits: 0, failures: 0 }])) as Tallies;

/** A release in the map, live or as a canary. */
export interface ServedRelease {
  name: string;
  kind: 'live' | 'canary';
  version: string;
  /** Per cent of the visitors. */
  traffic: number;
  /** Another one where the same version has begun anew. */
  mark: string;
}

export interface Period extends Omit<ServedRelease, 'mark'> {
  /** By the store's clock, with its full precision. */
  since: string;
  seconds: number;
}

/** Which visits to sum: of one version or of all, at one share or at any. */
export interface Selection {
  id: string;
  name: string;
  version?: string;
  traffic?: number;
  /** Times of the store; by default now, and no end. */
  from?: string;
  to?: string;
  /** Moves `from`, in seconds. */
  shift: number;
}

/** Which visits' steps to sum: of an equal part of the others that a canary is compared with, or of all. */
export interface StepSelection extends Selection {
  control?: boolean;
}

/** Of visits that stand for their network, in one minute. */
export interface StepMinute extends NamedRelease, Reach {
  /** ISO 8601, by the store's clock. */
  minute: string;
  traffic: number;
  control: boolean;
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
/** The visit of a network that stands for it. */
export interface Vote extends Segment {
  network: string;
  visit: string;
  failed: boolean;
  /** Seconds ago. */
  age: number;
  /** What this visit has added to which of the minutes. */
  added: Array<{ minute: string; visits: number; failures: number }>;
}
export interface Samples extends NamedRelease {
  metric: Metric | typeof REFUSED;
  bucket: number;
  samples: number;
}
/** Visits that failed first with this. */
export interface CountedError extends NamedRelease {
  kind: FailureKind;
  /** File of the release, line and column; '' where none is known. */
  at: string;
  visits: number;
}
/** What one server has counted since it last told the store. */
export interface Counts {
  /** By a key that votes name. */
  minutes: ReadonlyMap<string, CountedMinute>;
  votes: readonly Vote[];
  vitals: readonly Samples[];
  errors: readonly CountedError[];
}

export interface Vitals {
  refused: number;
  metrics: Partial<Record<Metric, Histogram>>;
}

/** A message for one receiver. */
export interface DueMessage extends RecordedEvent {
  target: string;
}
export interface FailingTarget {
  target: string;
  messages: number;
  since: string;
  error: string;
}

/** Where all servers meet: what they have counted, and what has happened to releases. Its clock is the one that counts. */
export interface HealthStore {
  /** All of it or nothing. What another server has counted of the same visits is left out. */
  add(counts: Counts): Promise<void>;
  /** Since when each is served. The first server that sees a change records it: the promoter's clock is not asked. */
  recordPeriods(map: Pick<ReleaseMap, 'channel' | 'rev'>, served: readonly ServedRelease[]): Promise<Period[]>;
  /** One visit for each network. */
  votes(selections: readonly Selection[]): Promise<Map<string, Tallies>>;
  /** All visits within the budgets of their networks. */
  counted(selections: readonly Selection[]): Promise<Map<string, Tallies>>;
  /** Samples of the last six hours by `name@version`. */
  vitals(releases: readonly NamedRelease[]): Promise<Map<string, Vitals>>;
  /** Of the last six hours by `name@version`, the most frequent first, `most` of each release. */
  errors(releases: readonly NamedRelease[], most: number): Promise<Map<string, CountedError[]>>;
  /** Each step of a visit counts once, whichever server saw it. */
  addSteps(noted: readonly NotedVisit[]): Promise<void>;
  /** By selection and path, of visits that stand for their network. */
  steps(selections: readonly StepSelection[]): Promise<Map<string, Map<string, Reaches>>>;
  /** Of the last so many minutes, oldest first. */
  stepMinutes(length: number): Promise<StepMinute[]>;

  /** Records what happened and for whom, in one transaction. False when it was known already. */
  recordEvent(event: ReleaseEvent, targets: readonly string[]): Promise<boolean>;
  /** What one has done, newest first. */
  events(channel: string, who: string, limit: number): Promise<RecordedEvent[]>;
  /** Claims messages that are due, so that several servers do not send the same at once; a claim moves the next attempt into the future. */
  claimMessages(targets: readonly string[], attempts: number, most: number): Promise<DueMessage[]>;
  /** How it went; `error` is null when it was taken. */
  messageSent(message: Pick<DueMessage, 'id' | 'target'>, error: string | null): Promise<void>;
  /** Receivers with messages that were tried so often. */
  failingTargets(targets: readonly string[], tries: number): Promise<FailingTarget[]>;
  /** Up to which revision the changes of a map are recorded; `rev` for a channel of which none were. */
  toldUntil(channel: string, rev: number): Promise<number>;
  setToldUntil(channel: string, rev: number): Promise<void>;
}
