import type { ServerContract } from '../gate/check-uses';
import { checksOfMap, checksOfRelease } from '../gate/checks';
import { type Check, type GateContext, type GateStep, runStep, toVerdict, type Verdict } from '../gate/verdict';
import { liveVersion, promoteInMap } from '../map';
import type { Store } from '../store/store';
import { optionalManifest, requireManifest } from './change-map';
import { recordVerdict } from './gated';

export interface GateOptions {
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
  for (const step of steps) {
    for (const check of await runStep(step, { store, manifest, map: nextMap, say })) {
      onCheck?.(check);
      checks.push(check);
    }
  }
  const verdict = toVerdict(manifest, checks);
  await recordVerdict(store, verdict, options);
  return verdict;
}
