import { isReleaseName, isReleaseVersion } from '@platform/releases';

/** The kinds of failure of a visit. A visit fails once, independent of later reports. */
export const FAILURES = ['load', 'render', 'error', 'rejection', 'freeze', 'slow', 'empty'] as const;
/**
 * A request that the Content-Security-Policy refused. It does not fail the visit, but an operator should find out where it would have gone.
 */
export const REFUSED = 'refused';
export const METRICS = ['LCP', 'INP', 'CLS'] as const;
const KINDS: readonly string[] = ['visit', 'vital', REFUSED, ...FAILURES];

export type FailureKind = (typeof FAILURES)[number];
export type HealthKind = 'visit' | 'vital' | typeof REFUSED | FailureKind;
export type Metric = (typeof METRICS)[number];

export interface HealthEvent {
  name: string;
  version: string;
  /** Random, 16 hexadecimal digits. */
  visit: string;
  kind: HealthKind;
  metric?: Metric;
  /** Milliseconds; for CLS the score. */
  value?: number;
  /** Position of an error: file of the release, line and column, both from 1. */
  at?: string;
}

/** "main.3f9c2ab1.js:1:2345" */
const PLACE = /^([\w@./-]{1,60}):\d{1,6}:\d{1,7}$/;
export const fileOfPlace = (at: string): string => PLACE.exec(at)?.[1] ?? '';

export interface VisitContext {
  language: 'zh-CN' | 'en';
  device: 'phone' | 'desktop';
  signedIn: boolean;
}

export const isFailure = (kind: HealthKind): kind is FailureKind => (FAILURES as readonly string[]).includes(kind);

/** A missing or unknown value becomes the most common one. */
export function toContext(value: unknown): VisitContext {
  const { language, device, signedIn } = (value ?? {}) as Record<string, unknown>;
  return {
    language: language === 'en' ? 'en' : 'zh-CN',
    device: device === 'desktop' ? 'desktop' : 'phone',
    signedIn: signedIn === true,
  };
}

export function toEvent(value: unknown): HealthEvent | null {
  const { name, version, kind, visit, metric, value: measured, at } = (value ?? {}) as Record<string, unknown>;
  if (typeof name !== 'string' || !isReleaseName(name)) return null;
  if (typeof version !== 'string' || !isReleaseVersion(version)) return null;
  if (typeof kind !== 'string' || !KINDS.includes(kind)) return null;
  if (typeof visit !== 'string' || !/^[0-9a-f]{16}$/.test(visit)) return null;
  const event: HealthEvent = { name, version, visit, kind: kind as HealthKind };
  if (kind !== 'vital') return typeof at === 'string' && PLACE.test(at) ? { ...event, at } : event;
  const limit = metric === 'CLS' ? 100 : 600_000;
  if (!METRICS.includes(metric as Metric) || typeof measured !== 'number' || !(measured >= 0 && measured <= limit))
    return null;
  return { ...event, metric: metric as Metric, value: measured };
}
