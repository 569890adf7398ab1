import type { MapAction } from '@platform/releases';

export const WATCHER = 'watcher';
export const WATCHER_KINDS = ['rollback', 'canary-back', 'canary-step', 'alert'] as const;
export type WatcherKind = (typeof WATCHER_KINDS)[number];
/** What the watcher did, and what others did, by the history's word. */
export type EventKind = WatcherKind | MapAction;

export interface ReleaseEvent<Kind extends EventKind = EventKind> {
  /** The same for every server that sees the same. */
  id: string;
  who: string;
  channel: string;
  kind: Kind;
  /** '*' for the whole map. */
  name: string;
  /** '' where none is meant. */
  version: string;
  why: string;
  evidence: object;
}
export interface RecordedEvent<Kind extends EventKind = EventKind> extends ReleaseEvent<Kind> {
  /** ISO 8601, by the store's clock. */
  at: string;
}
