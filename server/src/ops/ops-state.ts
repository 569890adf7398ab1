import type { Revision, Status, StatusRow } from '@shop/release';
import type { Metric, Totals } from '../health/health-counts';

/** What /ops/state.json answers and the page behind /ops draws. */
export interface OpsState extends Omit<Status, 'releases'> {
  /** The share of failures at which the watcher rolls back, 0 to 1. */
  bound: number;
  releases: OpsRelease[];
  /** Newest first. */
  history: Revision[];
}

export interface OpsRelease extends StatusRow {
  health: ReleaseHealth | null;
  healthBefore: ReleaseHealth | null;
  healthCanary: ReleaseHealth | null;
  published: Array<{ version: string; at: string; by: string }>;
}

export interface ReleaseHealth extends Totals {
  /** Share of failures per minute, oldest first; null without a visit. */
  series: Array<number | null>;
  /** The 75th percentile: milliseconds, for CLS the score. */
  vitals: Partial<Record<Metric, number>>;
}

/** What /ops/act takes. */
export type OpsAction =
  | {
      action: 'promote' | 'rollback' | 'freeze' | 'unfreeze';
      name: string;
      version?: string;
      /** Per cent of the visitors; all when left out. */
      traffic?: number;
      why?: string;
    }
  | { action: 'restore'; rev: number; why?: string };
