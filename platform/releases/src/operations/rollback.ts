import type { ReleaseMap } from '../contract';
import { checksOfMap } from '../gate/check-against-map';
import { checkContents, checkFiles, isCode } from '../gate/check-files';
import type { MapStep } from '../gate/check-uses';
import { type Check, failed, GateError, requirePassed, toVerdict } from '../gate/verdict';
import type { ReleaseManifest } from '../manifest';
import {
  abandonInMap,
  addFreeze,
  canaryEntry,
  fallbackAfterRollback,
  liveVersion,
  MapError,
  restoreInMap,
  rollbackInMap,
  rollbackTarget,
} from '../map';
import { ConflictError, type Store, StoreError } from '../store/store';
import { type Change, type ChangeOptions, changeMap, requireManifest } from './change-map';

export interface RollbackOptions extends ChangeOptions {
  name: string;
  /** Any published version; default: the last one that was live. */
  to?: string;
  /** The release to replace, live or the canary. Throws ConflictError if it serves no visitors and was not rolled back. */
  from?: string;
  /** Accepts earlier live releases only, for authors who may not make a new release live for all visitors. */
  onlyEarlier?: boolean;
  /** Continues although more checks fail than with the live release. */
  anyway?: boolean;
  freeze?: boolean;
}

interface Plan {
  from: string;
  /** Null if the first release of a name is abandoned, so that no release of it is live. */
  to: string | null;
  /** 'abandoned': a canary was running, and only the canary was removed. 'already': nothing was left to do. */
  outcome: 'rolled back' | 'abandoned' | 'already';
}

/**
 * Makes an earlier release live again. With a canary running and no target, it removes the canary. Repeating the same rollback
 * changes nothing. Throws GateError, ConflictError, MapError, StoreError.
 */
export async function rollback(store: Store, options: RollbackOptions) {
  const { name } = options;
  let plan: Plan | undefined;
  try {
    const change = await changeMap(store, options, name, async (map, warn) => {
      plan = planRollback(map, options);
      const { from, to, outcome } = plan;
      if (outcome === 'already') return map;
      const next =
        outcome === 'abandoned' || to === null
          ? abandonInMap(map, name, options)
          : await rolledBack(store, map, to, options, warn);
      if (options.freeze) addFreeze(next, name, from, options);
      return next;
    });
    if (!plan) throw new StoreError('the rollback did not run');
    return { ...change, ...plan, name };
  } catch (error) {
    if (!(error instanceof ConflictError) || !plan) throw error;
    // Another process may have made the same rollback at the same time.
    const map = await store.readMap();
    const done = map.ops.rolledBack?.[name];
    if (done?.from !== plan.from || done.to !== plan.to) throw error;
    return { map, before: map, dryRun: false, warnings: [], ...plan, name, outcome: 'already' as const };
  }
}

/** Throws ConflictError, MapError. */
function planRollback(map: ReleaseMap, { name, from, to, onlyEarlier }: RollbackOptions): Plan {
  const live = liveVersion(map, name);
  const canary = canaryEntry(map, name)?.metadata.version;
  const done = map.ops.rolledBack?.[name];
  const isServed = from === undefined || from === live || from === canary;
  if (done && (to === undefined || to === done.to) && (isServed ? from === undefined : from === done.from))
    return { ...done, outcome: 'already' };
  if (!isServed) throw new ConflictError(`${name}@${from} is no longer live; nothing was changed`, map);
  if (canary && from !== live && (to === undefined || to === live))
    return { from: canary, to: live, outcome: 'abandoned' };
  if (!live) throw new MapError(`no release of ${name} is live; see: npm run release -- status`);
  const target = to ?? rollbackTarget(map, name);
  if (!target) {
    throw new MapError(
      `no earlier release of ${name} was live; name one with --to (see: npm run release -- history ${name})`,
    );
  }
  if (target === live) return { from: live, to: live, outcome: 'already' };
  if (onlyEarlier && !map.ops.trail[name]?.includes(target)) {
    throw new MapError(`${name}@${target} was not live before; promote it, or ask ops`);
  }
  return { from: live, to: target, outcome: 'rolled back' };
}

async function rolledBack(
  store: Store,
  map: ReleaseMap,
  target: string,
  options: RollbackOptions,
  warn: (text: string) => void,
): Promise<ReleaseMap> {
  const { name, anyway } = options;
  const manifest = await requireManifest(store, name, target);
  if (map.ops.trail[name]?.includes(target)) await warnOfDamage(store, manifest, warn);
  else if (!anyway) requirePassed(toVerdict(manifest, await checkFiles(store, manifest)));
  const fallback = fallbackAfterRollback(map, name, target);
  const previous = fallback === null ? null : await store.readManifest(name, fallback).catch(() => null);
  const next = rollbackInMap(map, manifest, previous, options);
  if (!anyway) await refuseWorse(store, { before: map, next, manifest, server: options.server }, warn);
  return next;
}

/** Damage must not block a rollback: browsers refuse a damaged script by its hash and use the fallback. */
async function warnOfDamage(store: Store, manifest: ReleaseManifest, warn: (text: string) => void): Promise<void> {
  const { name, version } = manifest;
  try {
    const { outcome, detail } = await checkContents(store, manifest, isCode);
    if (outcome === 'failed') warn(`${name}@${version}: ${detail}`);
  } catch (error) {
    warn(`the files of ${name}@${version} were not checked: ${error instanceof Error ? error.message : error}`);
  }
}

/** Restores the whole map of revision `rev`. Throws GateError, and StoreError if one of its releases was pruned. */
export async function restore(
  store: Store,
  options: ChangeOptions & { rev: number; anyway?: boolean },
): Promise<Change> {
  const earlier = await store.readRevision(options.rev);
  if (!earlier) {
    throw new StoreError(`the map has no revision ${options.rev} that can be read; see: npm run release -- history`);
  }
  const manifests: ReleaseManifest[] = [];
  for (const [name, entries] of Object.entries(earlier.microFrontends)) {
    for (const entry of entries) manifests.push(await requireManifest(store, name, entry.metadata.version));
  }
  return changeMap(store, options, '*', async (map, warn) => {
    if (JSON.stringify(map.microFrontends) === JSON.stringify(earlier.microFrontends)) return map;
    const next = restoreInMap(map, earlier, options);
    const isServed = ({ name, version }: ReleaseManifest) =>
      map.microFrontends[name]?.some(({ metadata }) => metadata.version === version);
    for (const manifest of manifests.filter((release) => !isServed(release))) {
      await warnOfDamage(store, manifest, warn);
      if (!options.anyway) await refuseWorse(store, { before: map, next, manifest, server: options.server }, warn);
    }
    return next;
  });
}

/** The check that fails if a rollback is worse than the live release. */
export const WORSE = 'rollback';

const placesOf = (check: Check | undefined) => (check?.outcome === 'failed' ? check.detail.split('; ').length : 0);

/**
 * Throws GateError if a check against the other releases and the server fails in more places than with the live releases. Checks
 * that cannot run do not stop a rollback: `warn` reports them.
 */
async function refuseWorse(store: Store, step: MapStep, warn: (text: string) => void): Promise<void> {
  const worse = await worseChecks(store, step).catch((error: unknown) => {
    const { name, version } = step.manifest;
    warn(`${name}@${version} was not checked against the rest: ${error instanceof Error ? error.message : error}`);
    return [];
  });
  if (worse.length === 0) return;
  const hint = failed(WORSE, 'this is worse than the live releases; to continue: --anyway');
  throw new GateError(toVerdict(step.manifest, [...worse, hint]));
}

async function worseChecks(store: Store, { before, next, manifest, server }: MapStep): Promise<Check[]> {
  const checksOf = (map: ReleaseMap, release: ReleaseManifest) =>
    checksOfMap(store, { before, next: map, manifest: release, server });
  const failing = (await checksOf(next, manifest)).filter(({ outcome }) => outcome === 'failed');
  const version = liveVersion(before, manifest.name);
  const live = failing.length > 0 && version ? await store.readManifest(manifest.name, version) : null;
  const now = live ? await checksOf(before, live) : [];
  return failing.filter((check) => placesOf(check) > placesOf(now.find((earlier) => earlier.check === check.check)));
}
