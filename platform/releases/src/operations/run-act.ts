import type { Act, PromoteAct } from '../act';
import { isReleaseName } from '../contract';
import { type Check, type GateContext, GateError, type GateStep } from '../gate/verdict';
import { canaryEntry, liveVersion } from '../map';
import { type Store, StoreError } from '../store/store';
import type { ChangeOptions } from './change-map';
import { gate } from './check-release';
import { freeze, unfreeze } from './freeze';
import { promote } from './promote';
import { promoteTogether } from './promote-together';
import { renderingOff, renderingOn } from './rendering';
import { restore, rollback } from './rollback';
import { changeSettings } from './settings';

/** What a squad may not go beyond. */
export interface ActLimits {
  maxTraffic?: number;
  onlyEarlier: boolean;
}

export interface ActContext extends ChangeOptions {
  /** The gate's steps beside its own checks. */
  steps?: (skip: readonly string[]) => Promise<readonly GateStep[]>;
  say?: GateContext['say'];
  onCheck?: (check: Check) => void;
  limits?: ActLimits;
}

/**
 * Does one act; the result is what the commands print. The command line and the API call this function, so that both do
 * the same. Throws GateError, ConflictError, MapError, StoreError.
 */
export async function runAct(store: Store, act: Act, context: ActContext): Promise<unknown> {
  const { steps: _, limits, say, onCheck, ...change } = context;
  for (const name of namesIn(act)) if (!isReleaseName(name)) throw new StoreError(`"${name}" is no name of a release`);
  switch (act.act) {
    case 'promote':
      return promoteOne(store, act, context);
    case 'promote-together': {
      const releases = await Promise.all(
        act.releases.map(async ({ name, version }) => ({ name, version: version ?? (await newest(store, name)) })),
      );
      const options = { ...change, releases, replace: act.replace, onCheck };
      const { map, dryRun, exported } = await promoteTogether(store, options);
      const { from, to } = map.changed;
      return { name: '*', outcome: 'promoted together', from, to, rev: map.rev, dryRun, exported };
    }
    case 'gate': {
      const { name, version = await newest(store, name), skip = [] } = act;
      const { channel, by } = change;
      const steps = await context.steps?.(skip);
      const verdict = await gate(store, { name, version, channel, by, steps, say, onCheck });
      if (!verdict.passed) throw new GateError(verdict);
      return verdict;
    }
    case 'rollback': {
      const options = { ...change, name: act.name, to: act.to, onlyEarlier: limits?.onlyEarlier };
      const { map, before: _before, ...result } = await rollback(store, options);
      return { ...result, rev: map.rev };
    }
    case 'restore': {
      const { map, dryRun, exported } = await restore(store, { ...change, rev: act.rev });
      return { name: '*', outcome: 'restored', to: act.rev, rev: map.rev, dryRun, exported };
    }
    case 'freeze':
    case 'unfreeze': {
      const { name, version } = act;
      const { map, dryRun } = await (act.act === 'freeze' ? freeze : unfreeze)(store, { ...change, name, version });
      const outcome = act.act === 'freeze' ? 'frozen' : 'not frozen';
      return { name, version: version ?? null, outcome, rev: map.rev, dryRun };
    }
    case 'render-off':
    case 'render-on': {
      const apply = act.act === 'render-off' ? renderingOff : renderingOn;
      const { map, dryRun } = await apply(store, { ...change, name: act.name });
      const outcome = act.act === 'render-off' ? 'not rendered' : 'rendered';
      return { name: act.name, version: null, outcome, rev: map.rev, dryRun };
    }
    case 'settings': {
      const { provenance } = act;
      const { map, dryRun } = await changeSettings(store, { ...change, provenance });
      return { channel: map.channel, provenance, rev: map.rev, dryRun };
    }
  }
}

function namesIn(act: Act): string[] {
  if (act.act === 'promote-together') return act.releases.map(({ name }) => name);
  return 'name' in act ? [act.name] : [];
}

async function promoteOne(store: Store, act: PromoteAct, context: ActContext): Promise<unknown> {
  const { steps: stepsOf, limits, ...change } = context;
  const { act: _, ...wanted } = act;
  const steps = await stepsOf?.(act.skip ?? []);
  const options = { ...change, ...wanted, steps, maxTraffic: limits?.maxTraffic };
  const { map, before, ...result } = await promote(store, options);
  const share = canaryEntry(map, act.name)?.deployment.traffic ?? 100;
  const then = map.ops.plans?.[act.name]?.steps.filter((step) => step > share);
  return { ...result, rev: map.rev, from: liveVersion(before, act.name), traffic: share, then };
}

async function newest(store: Store, name: string): Promise<string> {
  const [latest] = await store.publications(name);
  if (latest) return latest.version;
  throw new StoreError(`nothing of ${name} is published; run: npm run release -- publish ${name}`);
}
