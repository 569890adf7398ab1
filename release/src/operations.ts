/**
 * What squads and operators do to a channel. The terminal, /ops and the watcher all come through here. Every change is
 * computed by a pure function of map.ts and written once, conditionally.
 */
import {
  type Check,
  checkAgainstMap,
  checkFiles,
  checkSize,
  type GateContext,
  type GateStep,
  toVerdict,
  type Verdict,
} from './gate/gate';
import { AT_ONCE } from './in-parallel';
import type { ReleaseManifest } from './manifest';
import {
  type Author,
  abandonInMap,
  canaryEntry,
  canaryInMap,
  fallbackAfterRollback,
  freezeInMap,
  liveEntry,
  liveVersion,
  MapError,
  promoteInMap,
  promoteTogetherInMap,
  type ReleaseMap,
  restoreInMap,
  rollbackInMap,
  rollbackTarget,
  unfreezeInMap,
  versionsInMap,
} from './map';
import { ConflictError, type Store, StoreError } from './store/store';

export const DEFAULT_CHANNEL = 'production';
const TRIES = 60;

export interface ChangeOptions extends Author {
  channel?: string;
  dryRun?: boolean;
}

export interface Change {
  map: ReleaseMap;
  before: ReleaseMap;
  dryRun: boolean;
  /** False when the change is live but the static pages could not be written. */
  exported?: boolean;
}

/** The gate said no. */
export class GateError extends Error {
  constructor(readonly verdict: Verdict) {
    super(
      `${verdict.name}@${verdict.version} did not pass the gate: ${verdict.checks
        .filter(({ outcome }) => outcome === 'failed')
        .map(({ check, detail }) => `${check} (${detail})`)
        .join('; ')}`,
    );
    this.name = 'GateError';
  }
}

/** The change is made by now: static pages that could not be written are told, and mended by the next change or by `export`. */
const exportedSite = (store: Store, channel: string): Promise<boolean> =>
  Promise.resolve(store.afterMapChange?.(channel)).then(
    () => true,
    () => false,
  );

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/**
 * Computes and writes the next map. When another change came first it is computed again on top of that one, unless it
 * touched what this change is about: then ConflictError. `about` is a release's name, or '*' for the whole map.
 */
export async function changeMap(
  store: Store,
  options: ChangeOptions,
  about: string,
  compute: (map: ReleaseMap) => Promise<ReleaseMap> | ReleaseMap,
): Promise<Change> {
  const channel = options.channel ?? DEFAULT_CHANNEL;
  const first = await store.readMap(channel);
  const state = (map: ReleaseMap) =>
    about === '*' ? String(map.rev) : JSON.stringify([map.microFrontends[about], map.ops.frozen[about]]);
  let before = first;
  for (let attempt = 1; ; attempt += 1) {
    if (state(before) !== state(first)) {
      const { by, action, name, to } = before.changed;
      const what = about === '*' ? 'the map' : about;
      throw new ConflictError(
        `${what} was changed meanwhile (last: ${action} ${name} to ${to ?? 'none'} by ${by}, revision ${before.rev}). Look at "status" and decide again`,
        before,
      );
    }
    const map = await compute(before);
    if (options.dryRun) return { map, before, dryRun: true };
    try {
      await store.writeMap(map);
      return { map, before, dryRun: false, exported: await exportedSite(store, channel) };
    } catch (error) {
      if (!(error instanceof ConflictError) || attempt === TRIES) throw error;
      await pause(Math.random() * 20 * Math.min(attempt, 5));
      before = await store.readMap(channel);
    }
  }
}

async function manifestOf(store: Store, name: string, version: string): Promise<ReleaseManifest> {
  const manifest = await store.readManifest(name, version);
  if (manifest) return manifest;
  const known = await store.publications(name);
  const hint =
    known.length > 0
      ? `published are ${known
          .slice(0, 5)
          .map((one) => one.version)
          .join(', ')}`
      : `publish it first: npm run release -- publish ${name}`;
  throw new StoreError(`${name}@${version} is not in the store; ${hint}`);
}

/** A fallback that is gone from the store is no reason to stop a change. */
const optionalManifest = (store: Store, name: string, version: string | null) =>
  version === null ? null : store.readManifest(name, version);

export interface PromoteOptions extends ChangeOptions {
  name: string;
  /** Default: the one that was published last. */
  version?: string;
  /** Per cent of the visitors; 100 or absent makes it live for all. */
  traffic?: number;
  /** Checks to leave out, with `why` as the reason that goes into the history. */
  skip?: string[];
  steps?: GateStep[];
  /** Told of each check as it is done. The checks against the map come again when the map changed meanwhile. */
  onCheck?: (check: Check) => void;
  say?: GateContext['say'];
}

export interface Promotion extends Change {
  verdict: Verdict;
  name: string;
  version: string;
  outcome: 'promoted' | 'canary' | 'already live';
}

const SKIPPABLE = ['size', 'browser'];

/** Runs the gate and makes a published release live, or gives it a share. Throws GateError, ConflictError, MapError, StoreError. */
export async function promote(store: Store, options: PromoteOptions): Promise<Promotion> {
  const { name, skip = [], steps = [], onCheck, say } = options;
  const unknown = skip.find((check) => !SKIPPABLE.includes(check));
  if (unknown) throw new StoreError(`"${unknown}" cannot be skipped; only ${SKIPPABLE.join(' and ')} can`);
  if (skip.length > 0 && !options.why) throw new StoreError('--skip needs a reason: --why "…"');
  const version = options.version ?? (await store.publications(name))[0]?.version;
  if (!version) throw new StoreError(`nothing of ${name} is published; run: npm run release -- publish ${name}`);
  const manifest = await manifestOf(store, name, version);
  const canary = options.traffic !== undefined && options.traffic < 100;

  const skipped = (check: string): Check => ({ check, outcome: 'skipped', detail: options.why ?? '' });
  const own: Check[] = [...(await checkFiles(store, manifest))];
  own.push(skip.includes('size') ? skipped('size') : await checkSize(store, manifest));
  for (const check of own) onCheck?.(check);
  if (own.some(({ outcome }) => outcome === 'failed')) throw new GateError(toVerdict(manifest, own));
  let verdict = toVerdict(manifest, own);
  const why = [options.why, skip.length > 0 ? `(skipped: ${skip.join(', ')})` : ''].filter(Boolean).join(' ');
  const author: Author = { by: options.by, why, at: options.at };

  let browser: Check[] | null = null;
  try {
    const change = await changeMap(store, options, name, async (map) => {
      const current = await optionalManifest(store, name, liveVersion(map, name));
      const would =
        canary && current
          ? canaryInMap(map, manifest, current, options.traffic ?? 0, author)
          : promoteInMap(map, manifest, current, author);
      const against = checkAgainstMap(map, manifest);
      for (const check of against) onCheck?.(check);
      verdict = toVerdict(manifest, [...own, ...against]);
      if (!verdict.passed) throw new GateError(verdict);
      if (!browser) {
        browser = [];
        for (const step of steps) {
          const rows = skip.includes(step.check)
            ? [skipped(step.check)]
            : await step.run({ store, manifest, map: would, say });
          browser.push(...rows);
        }
        if (skip.includes('browser') && !steps.some(({ check }) => check === 'browser'))
          browser.push(skipped('browser'));
        for (const check of browser) onCheck?.(check);
      }
      verdict = toVerdict(manifest, [...own, ...against, ...browser]);
      // What could not be looked at is said in the history too.
      for (const { check, outcome, detail } of browser) {
        if (outcome === 'skipped' && !skip.includes(check)) {
          would.changed.why = [would.changed.why, `(${check} not checked: ${detail})`].filter(Boolean).join(' ');
        }
      }
      if (!verdict.passed) throw new GateError(verdict);
      return would;
    });
    return {
      ...change,
      verdict,
      name,
      version,
      outcome: canary && liveVersion(change.before, name) ? 'canary' : 'promoted',
    };
  } catch (error) {
    if (!(error instanceof MapError) || error.code !== 'already-live') throw error;
    const channel = options.channel ?? DEFAULT_CHANNEL;
    const map = await store.readMap(channel);
    const dryRun = options.dryRun ?? false;
    // Whoever made it live may have died before the static pages were written: promoting again mends them.
    const exported = dryRun || (await exportedSite(store, channel));
    return { map, before: map, dryRun, exported, verdict, name, version, outcome: 'already live' };
  }
}

/** The gate alone, against what is live now. */
export interface TogetherOptions extends ChangeOptions {
  releases: ReadonlyArray<{ name: string; version: string }>;
  onCheck?: (check: Check) => void;
}

/**
 * Makes several releases live in one revision, each checked against the composition that they make together. No browser
 * looks at them before. Throws GateError for the first that does not pass; then nothing has changed.
 */
export async function promoteTogether(store: Store, options: TogetherOptions): Promise<Change> {
  const manifests = await Promise.all(options.releases.map(({ name, version }) => manifestOf(store, name, version)));
  for (const manifest of manifests) {
    const own = [...(await checkFiles(store, manifest)), await checkSize(store, manifest)];
    for (const check of own) options.onCheck?.(check);
    const verdict = toVerdict(manifest, own);
    if (!verdict.passed) throw new GateError(verdict);
  }
  return changeMap(store, options, '*', (map) => {
    const would = promoteTogetherInMap(map, manifests, options);
    for (const manifest of manifests) {
      const checks = checkAgainstMap(would, manifest);
      for (const check of checks) options.onCheck?.(check);
      const verdict = toVerdict(manifest, checks);
      if (!verdict.passed) throw new GateError(verdict);
    }
    return would;
  });
}

export async function gate(
  store: Store,
  {
    name,
    version,
    channel = DEFAULT_CHANNEL,
    steps = [],
    onCheck,
    say,
  }: {
    name: string;
    version: string;
    channel?: string;
    steps?: GateStep[];
    onCheck?: (check: Check) => void;
    say?: GateContext['say'];
  },
): Promise<Verdict> {
  const manifest = await manifestOf(store, name, version);
  const map = await store.readMap(channel);
  const checks = [
    ...(await checkFiles(store, manifest)),
    await checkSize(store, manifest),
    ...checkAgainstMap(map, manifest),
  ];
  for (const check of checks) onCheck?.(check);
  const current = await optionalManifest(store, name, liveVersion(map, name));
  // What would be live, also while a freeze keeps it from being so.
  const free = { ...map, ops: { ...map.ops, frozen: {} } };
  const would = current?.version === version ? map : promoteInMap(free, manifest, current, { by: 'gate' });
  for (const step of steps) {
    for (const check of await step.run({ store, manifest, map: would, say })) {
      onCheck?.(check);
      checks.push(check);
    }
  }
  return toVerdict(manifest, checks);
}

export interface RollbackOptions extends ChangeOptions {
  name: string;
  /** Default: the last one that was live. Any published one may be named. */
  to?: string;
  /** Only while this version is live, or is the canary; else ConflictError. For who decides by what was true a moment ago. */
  from?: string;
}

export interface RollbackResult extends Change {
  name: string;
  from: string;
  to: string;
  /** 'abandoned': a canary was running and only that was taken away. */
  outcome: 'rolled back' | 'abandoned';
}

/** Makes an earlier release live again. With a canary running and no target, takes the canary away. */
export async function rollback(store: Store, options: RollbackOptions): Promise<RollbackResult> {
  const { name, to } = options;
  let result: Pick<RollbackResult, 'from' | 'to' | 'outcome'> | undefined;
  const change = await changeMap(store, options, name, async (map) => {
    const live = liveEntry(map, name);
    if (!live) throw new MapError('nothing-live', `nothing of ${name} is live; see: npm run release -- status`);
    const from = live.metadata.version;
    const canary = canaryEntry(map, name);
    if (options.from && options.from !== (canary ?? live).metadata.version) {
      throw new ConflictError(`${name}@${options.from} is not what is live any more; nothing was changed`, map);
    }
    if (canary && (to === undefined || to === from)) {
      result = { from: canary.metadata.version, to: from, outcome: 'abandoned' };
      return abandonInMap(map, name, options);
    }
    const target = to ?? rollbackTarget(map, name);
    if (!target) {
      throw new MapError(
        'no-earlier',
        `no earlier release of ${name} was live; name one with --to (see: npm run release -- history ${name})`,
      );
    }
    const manifest = await manifestOf(store, name, target);
    const broken = (await checkFiles(store, manifest)).find(({ outcome }) => outcome === 'failed');
    if (broken) throw new GateError(toVerdict(manifest, [broken]));
    result = { from, to: target, outcome: 'rolled back' };
    const before = await optionalManifest(store, name, fallbackAfterRollback(map, name, target));
    return rollbackInMap(map, manifest, before, options);
  });
  if (!result) throw new StoreError('the rollback did not run');
  return { ...change, ...result, name };
}

/** The whole map as it was at `rev`. Refused when a release of then was pruned. */
export async function restore(store: Store, options: ChangeOptions & { rev: number }): Promise<Change> {
  const channel = options.channel ?? DEFAULT_CHANNEL;
  const earlier = await store.readRevision(channel, options.rev);
  if (!earlier)
    throw new StoreError(`the ${channel} map has no revision ${options.rev}; see: npm run release -- history`);
  for (const [name, entries] of Object.entries(earlier.microFrontends)) {
    for (const entry of entries) await manifestOf(store, name, entry.metadata.version);
  }
  return changeMap(store, options, '*', (map) => restoreInMap(map, earlier, options));
}

export async function freeze(
  store: Store,
  options: ChangeOptions & { name: string; version?: string },
): Promise<Change> {
  if (!options.why) throw new StoreError('freeze needs a reason: --why "…"');
  return changeMap(store, options, options.name, (map) =>
    freezeInMap(map, options.name, options.version ?? null, options),
  );
}

export async function unfreeze(
  store: Store,
  options: ChangeOptions & { name: string; version?: string },
): Promise<Change> {
  return changeMap(store, options, options.name, (map) =>
    unfreezeInMap(map, options.name, options.version ?? null, options),
  );
}

export interface StatusRow {
  name: string;
  version: string | null;
  since: string | null;
  by: string | null;
  /** What a browser falls back to. */
  previous: string | null;
  /** Where a rollback without a target goes. */
  target: string | null;
  canary: { version: string; traffic: number } | null;
  frozen: Array<{ version: string | null; by: string; why: string }>;
  /** The newest published one, when it is not live. */
  waiting: string | null;
}

export interface Status {
  channel: string;
  rev: number;
  changed: ReleaseMap['changed'] | null;
  releases: StatusRow[];
}

export async function status(store: Store, channel = DEFAULT_CHANNEL): Promise<Status> {
  const map = await store.readMap(channel);
  const names = [...new Set([...Object.keys(map.microFrontends), ...(await store.names())])].sort();
  const releases = await Promise.all(
    names.map(async (name): Promise<StatusRow> => {
      const live = liveEntry(map, name);
      const canary = canaryEntry(map, name);
      const newest = (await store.publications(name))[0]?.version ?? null;
      const version = live?.metadata.version ?? null;
      return {
        name,
        version,
        since: map.ops.since[name]?.at ?? null,
        by: map.ops.since[name]?.by ?? null,
        previous: live?.extras.previous ?? null,
        target: live ? rollbackTarget(map, name) : null,
        canary: canary ? { version: canary.metadata.version, traffic: canary.deployment.traffic } : null,
        frozen: (map.ops.frozen[name] ?? []).map(({ version, by, why }) => ({ version, by, why })),
        waiting: newest !== version && newest !== canary?.metadata.version ? newest : null,
      };
    }),
  );
  return { channel, rev: map.rev, changed: map.rev > 0 ? map.changed : null, releases };
}

export interface Revision {
  rev: number;
  at: string;
  by: string;
  action: string;
  name: string;
  from: string | null;
  to: string | null;
  why: string;
}

/** Newest first. */
export async function history(
  store: Store,
  { channel = DEFAULT_CHANNEL, name, limit = 20 }: { channel?: string; name?: string; limit?: number } = {},
): Promise<Revision[]> {
  const { rev: newest } = await store.readMap(channel);
  const revisions: Revision[] = [];
  for (let rev = newest; rev > 0 && revisions.length < limit; rev -= AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, rev) }, (_, index) => rev - index);
    const maps = await Promise.all(batch.map((each) => store.readRevision(channel, each)));
    for (const map of maps) {
      if (!map) continue;
      if (name && map.changed.name !== name && map.changed.name !== '*') continue;
      revisions.push({ rev: map.rev, ...map.changed });
    }
  }
  return revisions.slice(0, limit);
}

export interface VerifyResult {
  channel: string;
  rev: number;
  ok: boolean;
  releases: Array<{ name: string; version: string; live: boolean; checks: Check[] }>;
}

/** Reads back every release that the map can send a browser to, and the revisions. With `all`, every published one. */
export async function verify(store: Store, { channel = DEFAULT_CHANNEL, all = false } = {}): Promise<VerifyResult> {
  const map = await store.readMap(channel);
  const releases: VerifyResult['releases'] = [];
  for (const name of [...new Set([...Object.keys(map.microFrontends), ...(all ? await store.names() : [])])].sort()) {
    const inMap = versionsInMap(map, name);
    const versions = new Set([
      ...inMap,
      ...(all ? (await store.publications(name)).map(({ version }) => version) : []),
    ]);
    for (const version of versions) {
      const manifest = await store.readManifest(name, version);
      const checks: Check[] = manifest
        ? await checkFiles(store, manifest)
        : [{ check: 'manifest', outcome: 'failed', detail: 'it is not in the store' }];
      const live = liveVersion(map, name) === version;
      if (live && manifest) checks.push(...checkAgainstMap(map, manifest));
      releases.push({ name, version, live, checks });
    }
  }
  const ok = releases.every(({ checks }) => checks.every(({ outcome }) => outcome !== 'failed'));
  return { channel, rev: map.rev, ok, releases };
}

export interface PruneOptions {
  /** How many releases of a name stay besides those in a map. */
  keep?: number;
  /** A release that was live within this many days stays, for open tabs. */
  days?: number;
  dryRun?: boolean;
  now?: number;
}

const DAY = 86_400_000;

/**
 * Removes old releases: not those of any channel's map, its fallbacks or its way back, nor the `keep` newest ones, nor any that
 * was live or published within `days`.
 */
export async function prune(store: Store, { keep = 5, days = 7, dryRun = false, now = Date.now() }: PruneOptions = {}) {
  const needed = new Set<string>();
  for (const channel of await store.channels()) {
    const map = await store.readMap(channel);
    for (const name of Object.keys(map.microFrontends)) {
      for (const version of versionsInMap(map, name)) needed.add(`${name}@${version}`);
    }
    // What was replaced lately may still be open in a tab, which fetches its page chunks only when they are visited.
    for (let rev = map.rev; rev > 0; rev -= 1) {
      const revision = rev === map.rev ? map : await store.readRevision(channel, rev);
      if (!revision) continue;
      for (const name of Object.keys(revision.microFrontends)) {
        for (const version of versionsInMap(revision, name)) needed.add(`${name}@${version}`);
      }
      if (now - Date.parse(revision.changed.at) > days * DAY) break;
    }
  }
  const removed: string[] = [];
  const kept: string[] = [];
  for (const name of await store.names()) {
    for (const [index, { version, at }] of (await store.publications(name)).entries()) {
      const label = `${name}@${version}`;
      if (index < keep || needed.has(label) || now - Date.parse(at) < days * DAY) {
        kept.push(label);
        continue;
      }
      removed.push(label);
      if (!dryRun) await store.removeRelease(name, version);
    }
  }
  if (!dryRun) await store.blobs.sweep();
  return { removed, kept, dryRun };
}
