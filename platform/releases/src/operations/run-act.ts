import type { ActBodies, ActName, ActRequest } from '../act';
import { isReleaseName } from '../contract';
import type { ServerContract } from '../gate/check-uses';
import { type Check, type GateContext, GateError, type GateStep } from '../gate/verdict';
import { canaryEntry, liveVersion } from '../map';
import { type Store, StoreError } from '../store/store';
import type { Change, ChangeOptions } from './change-map';
import { gate } from './check-release';
import { freeze, unfreeze } from './freeze';
import { promote } from './promote';
import { promoteTogether } from './promote-together';
import { renderingOff, renderingOn } from './rendering';
import { restore, rollback } from './rollback';

/** The limits of a squad. */
export interface ActLimits {
  maxTraffic?: number;
  onlyEarlier: boolean;
}

export interface ActContext extends ChangeOptions {
  server: ServerContract;
  /** The gate's steps besides its own checks. */
  steps?: (skip: readonly string[]) => Promise<readonly GateStep[]>;
  say?: GateContext['say'];
  onCheck?: (check: Check) => void;
  limits?: ActLimits;
}

interface Named {
  name: string;
  version?: string;
}

type Given<Name extends ActName> = [store: Store, act: ActRequest<Name>, context: ActContext];

/** An action that turns something of a release on or off. */
const turning =
  (turn: (store: Store, options: ChangeOptions & Named) => Promise<Change>, outcome: string) =>
  async (store: Store, { name, version }: Named, context: ActContext) => {
    const { map, dryRun, warnings } = await turn(store, { ...changeOf(context), name, version });
    return { name, version: version ?? null, outcome, rev: map.rev, dryRun, warnings };
  };

const acts = {
  promote: promoteOne,
  async 'promote-together'(...[store, act, context]: Given<'promote-together'>) {
    const releases = await Promise.all(
      act.releases.map(async ({ name, version }) => ({ name, version: version ?? (await newest(store, name)) })),
    );
    const options = { ...changeOf(context), releases, replace: act.replace, onCheck: context.onCheck };
    const { map, dryRun, warnings } = await promoteTogether(store, options);
    const { from, to } = map.changed;
    return { name: '*', outcome: 'promoted together', from, to, rev: map.rev, dryRun, warnings };
  },
  async gate(...[store, act, { channel, by, server, steps: stepsOf, say, onCheck }]: Given<'gate'>) {
    const { name, version = await newest(store, name), skip = [] } = act;
    const steps = await stepsOf?.(skip);
    const verdict = await gate(store, { name, version, channel, by, server, steps, say, onCheck });
    if (!verdict.passed) throw new GateError(verdict);
    return verdict;
  },
  async rollback(...[store, act, context]: Given<'rollback'>) {
    const { act: _, ...wanted } = act;
    const options = { ...changeOf(context), ...wanted, onlyEarlier: context.limits?.onlyEarlier };
    const { map, before: _before, ...result } = await rollback(store, options);
    return { ...result, rev: map.rev };
  },
  async restore(...[store, act, context]: Given<'restore'>) {
    const { rev, anyway } = act;
    const { map, before, ...change } = await restore(store, { ...changeOf(context), rev, anyway });
    const outcome = map === before ? ('already' as const) : ('restored' as const);
    return { ...change, name: '*', outcome, from: String(before.rev), to: String(rev), rev: map.rev };
  },
  freeze: turning(freeze, 'frozen'),
  unfreeze: turning(unfreeze, 'not frozen'),
  'render-off': turning(renderingOff, 'not rendered'),
  'render-on': turning(renderingOn, 'rendered'),
};

/** The result of each action; the commands print it. */
export type ActResults = { [Name in ActName]: Awaited<ReturnType<(typeof acts)[Name]>> };

const actOf: { [Name in ActName]: (...given: Given<Name>) => Promise<ActResults[Name]> } = acts;

/**
 * Runs one action. The command line and the API both call this function, so they behave the same. Throws GateError,
 * ConflictError, MapError, StoreError.
 */
export async function runAct<Name extends ActName>(...given: Given<Name>): Promise<ActResults[Name]> {
  const [, act] = given;
  for (const name of namesIn(act)) if (!isReleaseName(name)) throw new StoreError(`"${name}" is not a release name`);
  return actOf[act.act](...given);
}

function changeOf({
  steps: _steps,
  limits: _limits,
  say: _say,
  onCheck: _onCheck,
  ...change
}: ActContext): ChangeOptions {
  return change;
}

function namesIn(body: ActBodies[ActName]): string[] {
  if ('releases' in body) return body.releases.map(({ name }) => name);
  return 'name' in body ? [body.name] : [];
}

async function promoteOne(...[store, act, context]: Given<'promote'>) {
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
  throw new StoreError(`no release of ${name} is published; run: npm run release -- publish ${name}`);
}
