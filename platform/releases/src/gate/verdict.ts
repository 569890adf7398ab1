import type { ReleaseMap } from '../contract';
import type { ReleaseManifest } from '../manifest';
import type { Store } from '../store/store';

/** Must be raised when the gate gets stricter: the server renders no preview of a release that only an earlier gate has passed. */
export const GATE_VERSION = 8;

/**
 * The checks in a browser. 'browser' itself covers errors, rejected promises, violations of the Content-Security-Policy and second copies.
 */
export const BROWSER_CHECKS = [
  'browser',
  'sign-in',
  'ready',
  'layout-shift',
  'accessibility',
  'presses',
  'head',
  'isolation',
  'flows',
] as const;
export type BrowserCheck = (typeof BROWSER_CHECKS)[number];

export interface Check {
  /** 'manifest', 'files', 'contract', 'singletons', 'runtime', 'routes', 'links', 'calls', 'size', or a BrowserCheck. */
  check: string;
  outcome: 'passed' | 'failed' | 'skipped';
  /** One line; for a failure, with what to do. */
  detail: string;
}

export interface Verdict {
  name: string;
  version: string;
  passed: boolean;
  checks: Check[];
}

export interface GateContext {
  store: Store;
  manifest: ReleaseManifest;
  map: ReleaseMap;
  /** Called with one line before something slow starts. */
  say?: (line: string) => void;
  /** Aborted when the step has exceeded its limit: it must then close what it opened. */
  signal?: AbortSignal;
}

/** A further check, such as opening every route in a real browser. */
export interface GateStep {
  check: string;
  run(context: GateContext): Promise<Check[]>;
}

/** Ten times the duration of a step for the largest release. */
const STEP_LIMIT_MS = 30 * 60_000;

/** Ends after the limit even if the step does not, so that the gate can check the next release. */
export function runStep(step: GateStep, context: GateContext, limitMs = STEP_LIMIT_MS): Promise<Check[]> {
  const signal = AbortSignal.timeout(limitMs);
  const late = new Promise<Check[]>((resolve) => {
    signal.onabort = () => resolve([failed(step.check, `the step did not end within ${limitMs / 60_000} minutes`)]);
  });
  return Promise.race([step.run({ ...context, signal }), late]);
}

export class GateError extends Error {
  constructor(readonly verdict: Verdict) {
    super(
      `${verdict.name}@${verdict.version} did not pass the gate: ${verdict.checks
        .filter(({ outcome }) => outcome === 'failed')
        .map(({ check, detail }) => `${check} (${detail})`)
        .join('; ')}`,
    );
    this.name = 'GateError';
  }
}

export const failed = (check: string, detail: string): Check => ({ check, outcome: 'failed', detail });
export const passed = (check: string, detail: string): Check => ({ check, outcome: 'passed', detail });
export const skipped = (check: string, detail: string): Check => ({ check, outcome: 'skipped', detail });

export const checkOf = (check: string, faults: readonly string[], detail: string): Check =>
  faults.length > 0 ? failed(check, faults.join('; ')) : passed(check, detail);

export function toVerdict({ name, version }: ReleaseManifest, checks: Check[]): Verdict {
  return { name, version, passed: checks.every(({ outcome }) => outcome !== 'failed'), checks };
}

/** Throws GateError. */
export function requirePassed(verdict: Verdict): void {
  if (!verdict.passed) throw new GateError(verdict);
}
