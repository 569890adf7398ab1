import type { MapAction } from '@platform/releases';

export const WATCHER = 'watcher';
export const WATCHER_KINDS = ['rollback', 'canary-back', 'canary-step', 'alert'] as const;
export type WatcherKind = (typeof WATCHER_KINDS)[number];
export type EventKind = WatcherKind | MapAction;

export interface ReleaseEvent<Kind extends EventKind = EventKind> {
  /** Equal on all servers that see the same event. */
  id: string;
  who: string;
  channel: string;
  kind: Kind;
  /** '*' for the whole map. */
  name: string;
  /** '' if the event has no version. */
  version: string;
  why: string;
  evidence: object;
}
export interface RecordedEvent<Kind extends EventKind = EventKind> extends ReleaseEvent<Kind> {
  /** ISO 8601, by the store's clock. */
  at: string;
}
