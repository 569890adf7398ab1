import type { OpsRelease } from '@shop/backoffice/wire';
import type { ReleaseCall } from './releases.api';

export interface UndoableAction {
  call: ReleaseCall;
  /** It is offered after the action. */
  undo?: ReleaseCall | null;
}

/** Restores the current canary, or else the current live version; null if nothing is live. */
const undoOf = ({ name, canary, version }: OpsRelease): ReleaseCall | null => {
  if (canary) return { action: 'promote', name, version: canary.version, traffic: canary.traffic };
  return version ? { action: 'rollback', name, to: version } : null;
};

/** Ends the canary, or rolls back to the version that the button names, even if the target changes meanwhile. */
export function rollBack(release: OpsRelease): UndoableAction {
  const { name, canary, version, target } = release;
  if (canary) return { call: { action: 'rollback', name, from: canary.version }, undo: undoOf(release) };
  return {
    call: { action: 'rollback', name, from: version ?? undefined, to: target ?? undefined },
    undo: version ? { action: 'promote', name, version } : null,
  };
}

/** `traffic` in per cent of the visitors. */
export function promoteRelease(release: OpsRelease, version: string, traffic: number): UndoableAction {
  return { call: { action: 'promote', name: release.name, version, traffic }, undo: undoOf(release) };
}

export function finishCanary({ name, version }: OpsRelease, canary: { version: string }): UndoableAction {
  return {
    call: { action: 'promote', name, version: canary.version },
    undo: version ? { action: 'rollback', name, to: version } : null,
  };
}
