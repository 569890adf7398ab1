import { GATE_VERSION, type Verdict } from '../gate/verdict';
import type { Store } from '../store/store';

/** Stores a verdict with the release; the last one counts. */
export async function recordVerdict(
  store: Store,
  { name, version, passed, checks }: Verdict,
  { by = 'gate', at = new Date().toISOString() }: { by?: string; at?: string },
): Promise<void> {
  await store.recordVerdict({ name, version, passed, gate: GATE_VERSION, at, by, checks });
}

/**
 * Whether the release passed the current gate with every check. A skipped check counts as not passed, except the signed-in
 * visits, for which an operator need not provide an account.
 */
export async function hasPassedGate(store: Store, name: string, version: string): Promise<boolean> {
  const verdict = await store.readVerdict(name, version);
  if (!verdict?.passed || verdict.gate < GATE_VERSION) return false;
  return verdict.checks.every(({ check, outcome }) => outcome === 'passed' || check === 'sign-in');
}
