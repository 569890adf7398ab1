import type { ReleaseMap } from '../contract';
import { checksOfMap } from '../gate/check-against-map';
import { checksOfRelease } from '../gate/check-files';
import {
  BROWSER_CHECKS,
  type Check,
  type GateContext,
  GateError,
  type GateStep,
  requirePassed,
  toVerdict,
  type Verdict,
} from '../gate/verdict';
import type { ReleaseManifest } from '../manifest';
import {
  type Author,
  canaryEntry,
  canaryInMap,
  canaryPlan,
  DEFAULT_STEPS,
  liveVersion,
  MapError,
  nextStep,
  promoteInMap,
  promoteTogetherInMap,
  refuseOtherCanary,
  tooMuch,
} from '../map';
import { ConflictError, type Store, StoreError } from '../store/store';
import {
  type Change,
  type ChangeOptions,
  changeMap,
  newestVersion,
  optionalManifest,
  requireManifest,
} from './change-map';
import { recordVerdict, runSteps } from './check-release';

export interface PromoteOptions extends ChangeOptions {
  name: string;
  /** Default: the one that was published last; refused if it was rolled back. */
  version?: string;
  /** Also ends a canary of another role, which is refused otherwise. */
  replace?: boolean;
  /** Per cent of the visitors; 100 or absent makes the release live for all. */
  traffic?: number;
  /** Per cent that this author may give at once; absent: all. */
  maxTraffic?: number;
  /**
   * A canary that the watcher raises while it is healthy: its shares in per cent, or 'auto' for the remote's own plan. Excludes
   * `traffic`.
   */
  canary?: readonly number[] | 'auto';
  /** Checks to skip; needs `why`, which goes into the history. */
  skip?: readonly string[];
  steps?: readonly GateStep[];
  /** Called with each result. The checks against the map run again if the map changed meanwhile. */
  onCheck?: (check: Check) => void;
  say?: GateContext['say'];
}

export interface Promotion extends Change {
  verdict: Verdict;
  name: string;
  version: string;
  outcome: 'promoted' | 'canary' | 'already live';
}

/** Skipping 'browser' skips all of BROWSER_CHECKS. */
export const SKIPPABLE: readonly string[] = ['size', ...BROWSER_CHECKS];

/**
 * Runs the gate and makes a published release live, for all visitors or for a share of them. Throws GateError, ConflictError,
 * MapError, StoreError.
 */
export async function promote(store: Store, options: PromoteOptions): Promise<Promotion> {
  const { name } = options;
  requireSkippable(options);
  const version = options.version ?? (await versionToPromote(store, options));
  const manifest = await requireManifest(store, name, version);
  const record = async (result: Verdict) => {
    if (!options.dryRun) await recordVerdict(store, result, options);
  };

  let verdict = toVerdict(manifest, []);
  let stepChecks: Check[] | null = null;
  let lastMap: ReleaseMap | undefined;
  try {
    const ownChecks = requireChecks(manifest, await checksOfRelease(store, manifest, options), options.onCheck);
    verdict = toVerdict(manifest, ownChecks);
    const change = await changeMap(store, options, name, async (map) => {
      const nextMap = await nextMapOf(store, map, manifest, options);
      lastMap = nextMap;
      const mapChecks = await checksOfMap(store, { before: map, next: nextMap, manifest, server: options.server });
      for (const check of mapChecks) options.onCheck?.(check);
      requirePassed(toVerdict(manifest, [...ownChecks, ...mapChecks]));
      // The steps are slow, so they run only once, even if the map changed meanwhile.
      stepChecks ??= await runSteps({ store, manifest, map: nextMap, say: options.say }, options);
      verdict = toVerdict(manifest, [...ownChecks, ...mapChecks, ...stepChecks]);
      nextMap.changed.why = [nextMap.changed.why, ...uncheckedNotes(stepChecks, options)].filter(Boolean).join(' ');
      requirePassed(verdict);
      await record(verdict);
      return nextMap;
    });
    const outcome = canaryEntry(change.map, name) ? 'canary' : 'promoted';
    return { ...change, verdict, name, version, outcome };
  } catch (error) {
    if (error instanceof GateError) await record(error.verdict);
    const isLive = error instanceof MapError && error.code === 'already-live';
    // Another server may have made the same promote at the same time.
    const winner = error instanceof ConflictError && error.winner?.microFrontends[name];
    const isDone = winner && JSON.stringify(winner) === JSON.stringify(lastMap?.microFrontends[name]);
    if (!isLive && !isDone) throw error;
    const outcome = isDone && lastMap && canaryEntry(lastMap, name) ? 'canary' : 'already live';
    const map = await store.readMap();
    return { map, before: map, dryRun: options.dryRun ?? false, warnings: [], verdict, name, version, outcome };
  }
}

async function versionToPromote(store: Store, { name }: PromoteOptions): Promise<string> {
  const version = await newestVersion(store, name);
  const { ops } = await store.readMap();
  if (!ops.withdrawn?.[name]?.includes(version)) return version;
  throw new StoreError(
    `${name}@${version} was rolled back (see: npm run release -- history ${name}); to promote it again, name it: npm run release -- promote ${name}@${version}`,
  );
}

function requireSkippable({ skip = [], why }: PromoteOptions): void {
  const unknown = skip.find((check) => !SKIPPABLE.includes(check));
  if (unknown) throw new StoreError(`"${unknown}" cannot be skipped; only ${SKIPPABLE.join(', ')} can`);
  if (skip.length > 0 && !why?.trim()) throw new StoreError('--skip needs a reason: --why "…"');
}

/** Reports each check. Throws GateError if one has failed. */
function requireChecks(manifest: ReleaseManifest, checks: Check[], onCheck?: (check: Check) => void): Check[] {
  for (const check of checks) onCheck?.(check);
  requirePassed(toVerdict(manifest, checks));
  return checks;
}

async function nextMapOf(
  store: Store,
  map: ReleaseMap,
  manifest: ReleaseManifest,
  options: PromoteOptions,
): Promise<ReleaseMap> {
  const { name, skip = [], canary, maxTraffic = 100 } = options;
  const steps = canary === 'auto' ? (manifest.remote?.canary ?? DEFAULT_STEPS) : canary;
  const plan = steps && canaryPlan(steps);
  const traffic = plan?.steps[0] ?? options.traffic ?? 100;
  if (!(traffic <= maxTraffic)) throw new MapError(tooMuch(maxTraffic));
  if (!options.replace) refuseOtherCanary(map, name, manifest.version, options);
  const ended = canaryEntry(map, name)?.metadata.version ?? manifest.version;
  const notes = [
    options.why,
    skip.length > 0 && `(skipped: ${skip.join(', ')})`,
    ended !== manifest.version && `(ends the canary ${ended})`,
  ];
  const author: Author = { by: options.by, role: options.role, why: notes.filter(Boolean).join(' '), at: options.at };
  const current = await optionalManifest(store, name, liveVersion(map, name));
  return traffic < 100
    ? canaryInMap(map, manifest, current, traffic, author, plan)
    : promoteInMap(map, manifest, current, author);
}

/** A note for the history: checks that could not run although they were not skipped. */
const uncheckedNotes = (checks: readonly Check[], { skip = [] }: PromoteOptions) =>
  checks
    .filter(({ check, outcome }) => outcome === 'skipped' && !skip.includes(check))
    .map(({ check, detail }) => `(${check} not checked: ${detail})`);

export interface TogetherOptions extends ChangeOptions, Pick<PromoteOptions, 'replace' | 'onCheck'> {
  releases: ReadonlyArray<{ name: string; version: string }>;
}

/**
 * Makes several releases live in one revision. Each is checked against the others, but not in a browser. Throws GateError for the
 * first that does not pass; then nothing has changed.
 */
export async function promoteTogether(store: Store, options: TogetherOptions): Promise<Change> {
  const manifests = await Promise.all(
    options.releases.map(({ name, version }) => requireManifest(store, name, version)),
  );
  for (const manifest of manifests) requireChecks(manifest, await checksOfRelease(store, manifest), options.onCheck);
  return changeMap(store, options, '*', async (map) => {
    if (!options.replace) for (const { name, version } of manifests) refuseOtherCanary(map, name, version, options);
    const nextMap = promoteTogetherInMap(map, manifests, options);
    for (const manifest of manifests) {
      const step = { before: map, next: nextMap, manifest, server: options.server };
      requireChecks(manifest, await checksOfMap(store, step), options.onCheck);
    }
    return nextMap;
  });
}

export interface AdvanceOptions extends ChangeOptions {
  name: string;
  /** The canary and its share as the caller saw them; ConflictError if they have changed. */
  version: string;
  traffic: number;
}

/**
 * Gives a canary its next share, or makes it live for all visitors after the last one. The gate has run at its promote; only the
 * checks against the map run again. Throws GateError, ConflictError, MapError, StoreError.
 */
export async function advanceCanary(store: Store, options: AdvanceOptions): Promise<Change & { traffic: number }> {
  const { name, version, traffic } = options;
  const manifest = await requireManifest(store, name, version);
  let next = traffic;
  const change = await changeMap(store, options, name, async (map) => {
    const canary = canaryEntry(map, name);
    if (canary?.metadata.version !== version || canary.deployment.traffic !== traffic) {
      throw new ConflictError(`${name}@${version} no longer has ${traffic} % of the visitors`, map);
    }
    const plan = map.ops.plans?.[name];
    if (!plan) throw new MapError(`${name}@${version} has no plan`);
    next = nextStep(plan, traffic);
    const author = { ...options, role: map.ops.canaryRoles?.[name] };
    const current = await optionalManifest(store, name, liveVersion(map, name));
    const nextMap =
      next < 100
        ? canaryInMap(map, manifest, current, next, author, plan)
        : promoteInMap(map, manifest, current, author);
    const checks = await checksOfMap(store, { before: map, next: nextMap, manifest, server: options.server });
    requirePassed(toVerdict(manifest, checks));
    return nextMap;
  });
  return { ...change, traffic: next };
}
