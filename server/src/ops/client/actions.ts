import type { OpsAction, OpsRelease } from '../ops-state';

/** Carries out an action; `undo` is offered for a while afterwards. */
export type Act = (wanted: OpsAction, undo?: OpsAction | null) => void;

export interface Undoable {
  wanted: OpsAction;
  undo: OpsAction | null;
}

/** Puts the present canary back, or else the present live version; null where nothing is live. */
const undoOf = ({ name, canary, version }: OpsRelease): OpsAction | null => {
  if (canary) return { action: 'promote', name, version: canary.version, traffic: canary.traffic };
  return version ? { action: 'rollback', name, version } : null;
};

/** Ends the canary, or goes back to the version that the button names, even if the target changes meanwhile. */
export function rollBack(release: OpsRelease): Undoable {
  const { name, canary, version, target } = release;
  if (canary) return { wanted: { action: 'rollback', name }, undo: undoOf(release) };
  return {
    wanted: { action: 'rollback', name, version: target ?? undefined },
    undo: { action: 'promote', name, version: version ?? undefined },
  };
}

/** `traffic` in per cent of the visitors. */
export function promoteRelease(release: OpsRelease, version: string, traffic: number): Undoable {
  return { wanted: { action: 'promote', name: release.name, version, traffic }, undo: undoOf(release) };
}

/** Gives the canary to all visitors. */
export function finishCanary({ name, canary, version }: OpsRelease): Undoable {
  return {
    wanted: { action: 'promote', name, version: canary?.version },
    undo: version ? { action: 'rollback', name, version } : null,
  };
}
