import type { OpsRelease } from '@shop/backoffice/wire';
import type { ReleaseCall } from './releases.api';

export interface UndoableAct {
  wanted: ReleaseCall;
  /** Offered for a while afterwards. */
  undo: ReleaseCall | null;
}

/** Restores the current canary, or else the current live version; null if nothing is live. */
const undoOf = ({ name, canary, version }: OpsRelease): ReleaseCall | null => {
  if (canary) return { act: 'promote', name, version: canary.version, traffic: canary.traffic };
  return version ? { act: 'rollback', name, to: version } : null;
};

/** Ends the canary, or rolls back to the version that the button names, even if the target changes meanwhile. */
export function rollBack(release: OpsRelease): UndoableAct {
  const { name, canary, version, target } = release;
  if (canary) return { wanted: { act: 'rollback', name, from: canary.version }, undo: undoOf(release) };
  return {
    wanted: { act: 'rollback', name, from: version ?? undefined, to: target ?? undefined },
    undo: version ? { act: 'promote', name, version } : null,
  };
}

/** `traffic` in per cent of the visitors. */
export function promoteRelease(release: OpsRelease, version: string, traffic: number): UndoableAct {
  return { wanted: { act: 'promote', name: release.name, version, traffic }, undo: undoOf(release) };
}

/** Promotes the canary to all visitors. */
export function finishCanary({ name, version }: OpsRelease, canary: { version: string }): UndoableAct {
  return {
    wanted: { act: 'promote', name, version: canary.version },
    undo: version ? { act: 'rollback', name, to: version } : null,
  };
}
