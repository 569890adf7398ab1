import { checkContents, checkFiles } from '../gate/check-files';
import { requirePassed, toVerdict } from '../gate/verdict';
import {
  abandonInMap,
  canaryEntry,
  fallbackAfterRollback,
  liveVersion,
  MapError,
  restoreInMap,
  rollbackInMap,
  rollbackTarget,
} from '../map';
import { ConflictError, type Store, StoreError } from '../store/store';
import {
  type Change,
  type ChangeOptions,
  changeMap,
  DEFAULT_CHANNEL,
  optionalManifest,
  requireManifest,
} from './change-map';

export interface RollbackOptions extends ChangeOptions {
  name: string;
  /** Any published version; default: the last one that was live. */
  to?: string;
  /** Roll back only while this version is live or the canary; else ConflictError. For callers that decided a moment ago. */
  from?: string;
  /** Only to what was live before: for authors who may not make a new release live for everybody. */
  onlyEarlier?: boolean;
}

export interface RollbackResult extends Change {
  name: string;
  from: string;
  /** Null when the first release of a name was abandoned, so that nothing of it is live. */
  to: string | null;
  /** 'abandoned': a canary was running, and only the canary was removed. */
  outcome: 'rolled back' | 'abandoned';
}

/**
 * Makes an earlier release live again. With a canary running and no target, removes the canary.
 * Throws GateError, ConflictError, MapError, StoreError.
 */
export async function rollback(store: Store, options: RollbackOptions): Promise<RollbackResult> {
  const { name, to } = options;
  let result: Pick<RollbackResult, 'from' | 'to' | 'outcome'> | undefined;
  const change = await changeMap(store, options, name, async (map) => {
    const from = liveVersion(map, name);
    const canary = canaryEntry(map, name)?.metadata.version;
    if (options.from && options.from !== (canary ?? from)) {
      throw new ConflictError(`${name}@${options.from} is not live any more; nothing was changed`, map);
    }
    if (canary && (to === undefined || to === from)) {
      result = { from: canary, to: from, outcome: 'abandoned' };
      return abandonInMap(map, name, options);
    }
    if (!from) throw new MapError('nothing-live', `nothing of ${name} is live; see: npm run release -- status`);
    const target = to ?? rollbackTarget(map, name);
    if (!target) {
      throw new MapError(
        'no-earlier',
        `no earlier release of ${name} was live; name one with --to (see: npm run release -- history ${name})`,
      );
    }
    if (options.onlyEarlier && !map.ops.trail[name]?.includes(target)) {
      throw new MapError('no-earlier', `${name}@${target} was not live before this; promote it, or ask ops`);
    }
    const manifest = await requireManifest(store, name, target);
    // What was live is checked for damage only: a way back must not fail by a rule that is younger than the release.
    const wasLive = map.ops.trail[name]?.includes(target);
    const checks = wasLive ? [await checkContents(store, manifest)] : await checkFiles(store, manifest);
    requirePassed(
      toVerdict(
        manifest,
        checks.filter(({ outcome }) => outcome === 'failed'),
      ),
    );
    result = { from, to: target, outcome: 'rolled back' };
    const previous = await optionalManifest(store, name, fallbackAfterRollback(map, name, target));
    return rollbackInMap(map, manifest, previous, options);
  });
  if (!result) throw new StoreError('the rollback did not run');
  return { ...change, ...result, name };
}

/** Restores the whole map of revision `rev`. Throws StoreError when one of its releases was pruned. */
export async function restore(store: Store, options: ChangeOptions & { rev: number }): Promise<Change> {
  const channel = options.channel ?? DEFAULT_CHANNEL;
  const earlier = await store.readRevision(channel, options.rev);
  if (!earlier) {
    throw new StoreError(
      `the ${channel} map has no revision ${options.rev} that can be read; see: npm run release -- history`,
    );
  }
  for (const [name, entries] of Object.entries(earlier.microFrontends)) {
    for (const entry of entries) await requireManifest(store, name, entry.metadata.version);
  }
  return changeMap(store, options, '*', (map) => restoreInMap(map, earlier, options));
}
