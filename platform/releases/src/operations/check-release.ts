import { checksOfMap } from '../gate/check-against-map';
import { checksOfRelease } from '../gate/check-files';
import type { ServerContract } from '../gate/check-uses';
import {
  type Check,
  GATE_VERSION,
  type GateContext,
  type GateStep,
  runStep,
  skipped,
  toVerdict,
  type Verdict,
} from '../gate/verdict';
import { liveVersion, promoteInMap } from '../map';
import type { Store } from '../store/store';
import { optionalManifest, requireManifest } from './change-map';

interface GateOptions {
  name: string;
  version: string;
  by?: string;
  server?: ServerContract;
  steps?: readonly GateStep[];
  onCheck?: (check: Check) => void;
  say?: GateContext['say'];
}

/** Runs the gate against the live map. Stores the verdict with the release and changes nothing else. */
export async function gate(store: Store, options: GateOptions): Promise<Verdict> {
  const { name, version, server, steps = [], onCheck, say } = options;
  const manifest = await requireManifest(store, name, version);
  const map = await store.readMap();
  const current = await optionalManifest(store, name, liveVersion(map, name));
  // A frozen release can be checked too.
  const unfrozen = { ...map, ops: { ...map.ops, frozen: {} } };
  const nextMap = current?.version === version ? map : promoteInMap(unfrozen, manifest, current, { by: 'gate' });
  const checks = [
    ...(await checksOfRelease(store, manifest)),
    ...(await checksOfMap(store, { before: map, next: nextMap, manifest, server })),
  ];
  for (const check of checks) onCheck?.(check);
  checks.push(...(await runSteps({ store, manifest, map: nextMap, say }, { steps, onCheck })));
  const verdict = toVerdict(manifest, checks);
  await recordVerdict(store, verdict, options);
  return verdict;
}

/** Runs the steps but for the checks to skip, for the reason `why`, and reports each check. */
export async function runSteps(
  context: GateContext,
  {
    skip = [],
    steps = [],
    why = '',
    onCheck,
  }: Pick<GateOptions, 'steps' | 'onCheck'> & { skip?: readonly string[]; why?: string },
): Promise<Check[]> {
  const checks: Check[] = [];
  for (const step of steps) {
    const results = skip.includes(step.check) ? [skipped(step.check, why)] : await runStep(step, context);
    checks.push(...results.map((result) => (skip.includes(result.check) ? skipped(result.check, why) : result)));
  }
  if (skip.includes('browser') && !steps.some(({ check }) => check === 'browser')) {
    checks.push(skipped('browser', why));
  }
  for (const check of checks) onCheck?.(check);
  return checks;
}

/** Stores a verdict with the release; the last one counts. */
export const recordVerdict = (
  store: Store,
  verdict: Verdict,
  { by = 'gate', at = new Date().toISOString() }: { by?: string; at?: string },
): Promise<void> => store.recordVerdict({ ...verdict, gate: GATE_VERSION, at, by });

/**
 * Whether the release passed the current gate with every check. A skipped check counts as not passed, except the signed-in
 * visits, for which an operator need not provide an account.
 */
export async function hasPassedGate(store: Store, name: string, version: string): Promise<boolean> {
  const verdict = await store.readVerdict(name, version);
  if (!verdict?.passed || verdict.gate < GATE_VERSION) return false;
  return verdict.checks.every(({ check, outcome }) => outcome === 'passed' || check === 'sign-in');
}
