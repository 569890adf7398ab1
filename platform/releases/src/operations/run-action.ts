import { isReleaseName, type ReleaseMap } from '../contract';
import type { ServerContract } from '../gate/check-uses';
import { GateError, type GateStep } from '../gate/verdict';
import {
  type Author,
  canaryEntry,
  freezeInMap,
  liveVersion,
  renderingOffInMap,
  renderingOnInMap,
  unfreezeInMap,
} from '../map';
import { type Store, StoreError } from '../store/store';
import { type ChangeOptions, changeMap, newestVersion } from './change-map';
import { gate } from './check-release';
import { type PromoteOptions, promote, promoteTogether } from './promote';
import { type RollbackOptions, restore, rollback } from './rollback';

export interface ReleaseNamed {
  name: string;
  version?: string;
}

export interface ActionBodies {
  promote: Pick<PromoteOptions, 'name' | 'version' | 'traffic' | 'canary' | 'skip' | 'replace'>;
  'promote-together': { releases: ReleaseNamed[]; replace?: boolean };
  gate: Pick<PromoteOptions, 'name' | 'version' | 'skip'>;
  rollback: Pick<RollbackOptions, 'name' | 'to' | 'from' | 'anyway'>;
  restore: { rev: number; anyway?: boolean };
  freeze: ReleaseNamed;
  unfreeze: ReleaseNamed;
  'render-off': { name: string };
  'render-on': { name: string };
}
export type ActionName = keyof ActionBodies;

/** An action on releases, as the command line and the API both accept it: all actions, or the named ones. */
export type ActionRequest<Name extends ActionName = ActionName> = {
  [One in Name]: { action: One } & ActionBodies[One];
}[Name];

/** What a squad may do depends on the live releases. */
export type ActionLimits = Pick<PromoteOptions, 'maxTraffic'> & Pick<RollbackOptions, 'onlyEarlier'>;

export interface ActionContext extends ChangeOptions, ActionLimits, Pick<PromoteOptions, 'say' | 'onCheck'> {
  server: ServerContract;
  /** The gate's step in a browser; asked for only if it is not skipped. */
  browserGate?: () => Promise<GateStep>;
}

type ActionArguments<Name extends ActionName> = [store: Store, request: ActionRequest<Name>, context: ActionContext];

const stepsOf = async ({ browserGate }: ActionContext, skip: readonly string[] = []): Promise<GateStep[]> =>
  browserGate && !skip.includes('browser') ? [await browserGate()] : [];

type Switch = (map: ReleaseMap, name: string, version: string | null, author: Author) => ReleaseMap;

const switchAction =
  (outcome: string, change: Switch, { needsReason = false } = {}) =>
  async (store: Store, request: ReleaseNamed & { action: ActionName }, context: ActionContext) => {
    const { action, name, version = null } = request;
    if (needsReason && !context.why) throw new StoreError(`${action} needs a reason: --why "…"`);
    const next = (map: ReleaseMap) => change(map, name, version, context);
    const { map, dryRun, warnings } = await changeMap(store, context, name, next);
    return { name, version, outcome, rev: map.rev, dryRun, warnings };
  };

const operations = {
  async promote(...[store, request, context]: ActionArguments<'promote'>) {
    const { action: _, ...body } = request;
    const steps = await stepsOf(context, request.skip);
    const { map, before, ...result } = await promote(store, { ...body, ...context, steps });
    const share = canaryEntry(map, request.name)?.deployment.traffic ?? 100;
    const then = map.ops.plans?.[request.name]?.steps.filter((step) => step > share);
    return { ...result, rev: map.rev, from: liveVersion(before, request.name), traffic: share, then };
  },
  async 'promote-together'(...[store, request, context]: ActionArguments<'promote-together'>) {
    const releases = await Promise.all(
      request.releases.map(async ({ name, version }) => ({
        name,
        version: version ?? (await newestVersion(store, name)),
      })),
    );
    const { map, dryRun, warnings } = await promoteTogether(store, { ...context, releases, replace: request.replace });
    const { from, to } = map.changed;
    return { name: '*', outcome: 'promoted together', from, to, rev: map.rev, dryRun, warnings };
  },
  async gate(...[store, request, context]: ActionArguments<'gate'>) {
    const { name, version = await newestVersion(store, name), skip } = request;
    const steps = await stepsOf(context, skip);
    const verdict = await gate(store, { ...context, name, version, steps });
    if (!verdict.passed) throw new GateError(verdict);
    return verdict;
  },
  async rollback(...[store, request, context]: ActionArguments<'rollback'>) {
    const { action: _, ...body } = request;
    const { map, before: _before, ...result } = await rollback(store, { ...body, ...context });
    return { ...result, rev: map.rev };
  },
  async restore(...[store, request, context]: ActionArguments<'restore'>) {
    const { rev, anyway } = request;
    const { map, before, ...change } = await restore(store, { ...context, rev, anyway });
    const outcome = map === before ? ('already' as const) : ('restored' as const);
    return { ...change, name: '*', outcome, from: String(before.rev), to: String(rev), rev: map.rev };
  },
  freeze: switchAction('frozen', freezeInMap, { needsReason: true }),
  unfreeze: switchAction('not frozen', unfreezeInMap),
  'render-off': switchAction('not rendered', (map, name, _, author) => renderingOffInMap(map, name, author), {
    needsReason: true,
  }),
  'render-on': switchAction('rendered', (map, name, _, author) => renderingOnInMap(map, name, author)),
};

/** The actions that the command line and the API accept. */
export const ACTIONS = Object.keys(operations) as readonly ActionName[];

/** The result of each action; the commands print it. */
export type ActionResults = { [Name in ActionName]: Awaited<ReturnType<(typeof operations)[Name]>> };

const operationOf: { [Name in ActionName]: (...args: ActionArguments<Name>) => Promise<ActionResults[Name]> } =
  operations;

/**
 * Runs one action, and resolves when every server that reads the store serves the change. The command line and the API both call
 * this function, so they behave the same. Throws GateError, ConflictError, MapError, StoreError.
 */
export async function runAction<Name extends ActionName>(...args: ActionArguments<Name>): Promise<ActionResults[Name]> {
  const [store, request, { dryRun }] = args;
  for (const name of namesIn(request))
    if (!isReleaseName(name)) throw new StoreError(`"${name}" is not a release name`);
  const result = operationOf[request.action](...args);
  await result;
  const { readAgainMs } = store.blobs;
  if (!dryRun && request.action !== 'gate') await new Promise((resolve) => setTimeout(resolve, readAgainMs));
  return result;
}

function namesIn(body: ActionBodies[ActionName]): string[] {
  if ('releases' in body) return body.releases.map(({ name }) => name);
  return 'name' in body ? [body.name] : [];
}
