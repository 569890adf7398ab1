import { type CanaryPlan, type MapEntry, type ReleaseMap, SHELL } from '../contract';
import type { ReleaseManifest } from '../manifest';
import { type Author, MapError, nextRevision, refuseFrozen, setEntries, setRolledBack, withdraw } from './map-change';
import { toEntry } from './map-entry';
import { canaryEntry, liveEntry, liveVersion } from './read-map';

export const DEFAULT_STEPS = [10, 25, 50, 100];
export const DEFAULT_STEP_MINUTES = 10;

/** Throws MapError. The last step is always 100. */
export function canaryPlan(steps: readonly number[], minutes = DEFAULT_STEP_MINUTES): CanaryPlan {
  const whole = steps.at(-1) === 100 ? [...steps] : [...steps, 100];
  const rises = whole.every((step, index) => step > (whole[index - 1] ?? 0) && step <= 100);
  if (!rises || whole.length < 2) {
    throw new MapError(`the steps of a canary rise from above 0 to 100, not "${steps.join(',')}"`);
  }
  return { steps: whole, minutes };
}

export const nextStep = ({ steps }: CanaryPlan, traffic: number): number => steps.find((step) => step > traffic) ?? 100;

/**
 * The map in which `traffic` per cent of the visitors get `manifest`. The others get the live release, or nothing for a new name.
 * It also changes the share of a running canary. Without a `plan` the share stays until a user changes it. Throws MapError.
 */
export function canaryInMap(
  map: ReleaseMap,
  manifest: ReleaseManifest,
  current: ReleaseManifest | null,
  traffic: number,
  author: Author,
  plan?: CanaryPlan,
): ReleaseMap {
  const { name, version } = manifest;
  if (!Number.isFinite(traffic) || traffic <= 0 || traffic >= 100) {
    throw new MapError(`a canary takes more than 0 and less than 100 per cent, not ${traffic}`);
  }
  const live = liveEntry(map, name);
  if (!live && name === SHELL) {
    throw new MapError('no shell is live, and without one the other visitors would see nothing');
  }
  if (live?.metadata.version === version) throw new MapError(`${name}@${version} is already live`, 'already-live');
  refuseFrozen(map, name, version);
  const from = canaryEntry(map, name)?.metadata.version === version ? version : (live?.metadata.version ?? null);
  const next = nextRevision(map, { action: 'canary', name, from, to: version }, author);
  next.changed.why = [`${traffic} % of the visitors`, next.changed.why].filter(Boolean).join(': ');
  setEntries(next, name, [
    ...liveWith(next, name, 100 - traffic),
    toEntry(manifest, current, { traffic, default: false }),
  ]);
  if (plan) next.ops.plans = { ...next.ops.plans, [name]: plan };
  if (author.role) next.ops.canaryRoles = { ...next.ops.canaryRoles, [name]: author.role };
  return next;
}

/** The live entry with this share in per cent; none if no release of the name is live. */
function liveWith(map: ReleaseMap, name: string, traffic: number): MapEntry[] {
  const live = liveEntry(map, name);
  return live ? [{ ...live, deployment: { traffic, default: true } }] : [];
}

/**
 * A promote replaces a canary of the same role, so that two merges in a row need no decision. Throws MapError if
 * another role runs another version as the canary.
 */
export function refuseOtherCanary(map: ReleaseMap, name: string, version: string, { role }: Author): void {
  const canary = canaryEntry(map, name);
  const owner = map.ops.canaryRoles?.[name];
  if (!canary || canary.metadata.version === version || owner === role) return;
  const running = `${name}@${canary.metadata.version}`;
  throw new MapError(
    `${running} has ${canary.deployment.traffic} % of the visitors${owner ? ` by ${owner}` : ''}. Finish it (promote ${running}), end it (rollback ${name}), or put ${name}@${version} in its place with --replace`,
  );
}

/** The map without the canary of `name`, or without the name if no other release of it is live. Throws MapError. */
export function abandonInMap(map: ReleaseMap, name: string, author: Author): ReleaseMap {
  const canary = canaryEntry(map, name);
  if (!canary) throw new MapError(`${name} has no canary`);
  const change = { from: canary.metadata.version, to: liveVersion(map, name) };
  const next = nextRevision(map, { action: 'abandon', name, ...change }, author);
  setEntries(next, name, liveWith(next, name, 100));
  withdraw(next, name, [change.from]);
  setRolledBack(next, name, change);
  return next;
}

export const tooMuch = (maxTraffic: number): string =>
  `at most ${maxTraffic} % of the visitors at once: promote with --traffic ${maxTraffic} or --canary auto, or ask ops`;
