/** What each command does; main.ts parses the arguments and print.ts prints the results. */
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { exportSite, withStaticSite } from '@shop/document';
import * as release from '@shop/release';
import { renderGate } from '@shop/server/render-gate';
import { canaryOf, onlyTarget, targets, trafficOf, UsageError, type Values, wholeNumber } from './arguments';
import { browserGateOrReason } from './browser-gate';
import { missedAims } from './drill/drill-table';
import { drillNames } from './drill/drills';
import { checkLine } from './print';

export interface CommandResult {
  result: unknown;
  ok: boolean;
}

interface Context {
  command: string;
  names: string[];
  values: Values;
  store: release.Store;
  change: release.ChangeOptions & { dryRun: boolean };
}

type Command = (context: Context) => Promise<CommandResult>;

const root = path.resolve(__dirname, '..', '..');
const done = (result: unknown, ok = true): CommandResult => ({ result, ok });

/** Runs one command. Throws UsageError and the errors of @shop/release. */
export async function run(command: string, names: string[], values: Values): Promise<CommandResult> {
  if (command === 'build') return build(names, values);
  if (command === 'drill') return drill(values);
  const execute = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (!execute) throw new UsageError(`"${command}" is not a command`);
  const store = withStaticSite(release.openStore({ place: values.store }));
  const change = {
    channel: values.channel,
    by: values.by ?? process.env.RELEASE_BY ?? account(),
    why: values.why,
    dryRun: values['dry-run'] ?? false,
  };
  return execute({ command, names, values, store, change });
}

async function build(names: string[], values: Values): Promise<CommandResult> {
  // Loaded only here: the builder is heavy and needs a checkout.
  const { buildWorkspaces, presentNames } = require('../build') as typeof import('../build');
  const wanted = names.length > 0 ? targets(names, 'build').map(({ name }) => name) : presentNames();
  progress(values).say(`${values['dry-run'] ? 'would build' : 'building'} ${wanted.join(', ')} …`);
  return done(values['dry-run'] ? [] : await buildWorkspaces(wanted));
}

/** In a shop of its own: it neither reads nor changes the store of the other commands. */
async function drill(values: Values): Promise<CommandResult> {
  const only = values.only?.split(',').filter(Boolean);
  const unknown = only?.find((name) => !drillNames.includes(name));
  if (unknown !== undefined || only?.length === 0) {
    throw new UsageError(`--only takes names of drills with commas, not "${unknown ?? ''}": ${drillNames.join(', ')}`);
  }
  if (values['dry-run']) return done({ only: only ?? drillNames });
  // Loaded only here: it needs the server and the builder.
  const { runDrills } = require('./drill/run-drills') as typeof import('./drill/run-drills');
  const report = await runDrills({ only, say: progress(values).say });
  return done(report, missedAims(report).length === 0);
}

const publish: Command = async ({ command, names, values, store, change }) => {
  const wanted = targets(names, command);
  if (values.from && wanted.length > 1) throw new UsageError('--from takes one name');
  const results: release.PublishResult[] = [];
  for (const { name } of wanted) {
    const dist = values.from ? path.resolve(values.from) : path.join(root, release.workspaceOf(name), 'dist');
    progress(values).say(`compressing and storing ${name} in ${store.blobs.place} …`);
    const result = await release.publish(store, { dist, by: change.by, dryRun: change.dryRun });
    if (result.name !== name) {
      throw new release.StoreError(`${dist} holds a release of ${result.name}, not of ${name}; build again`);
    }
    results.push(result);
  }
  return done(results);
};

const promote: Command = async (context) => {
  if (context.values.together) return promoteTogether(context);
  const { command, names, values, store, change } = context;
  const traffic = trafficOf(values);
  const canary = canaryOf(values);
  const steps = await gateSteps(values);
  const results: unknown[] = [];
  for (const { name, version } of targets(names, command)) {
    progress(values).say(`checking ${name}${version ? `@${version}` : ''} …`);
    const { skip, replace } = values;
    const options = { ...change, name, version, traffic, canary, skip, replace, steps, ...progress(values) };
    const { map, before, ...result } = await release.promote(store, options);
    const share = release.canaryEntry(map, name)?.deployment.traffic ?? 100;
    const then = map.ops.plans?.[name]?.steps.filter((step) => step > share);
    results.push({ ...result, rev: map.rev, from: release.liveVersion(before, name), traffic: share, then });
  }
  await untilServed(store, change);
  return done(results);
};

async function promoteTogether({ command, names, values, store, change }: Context): Promise<CommandResult> {
  if (values.traffic || values.canary || values.skip)
    throw new UsageError('--together goes with none of --traffic, --canary and --skip');
  const releases = await Promise.all(
    targets(names, command).map(async ({ name, version }) => {
      const chosen = version ?? (await store.publications(name))[0]?.version;
      if (!chosen) throw new release.StoreError(`nothing of ${name} is published; publish it first`);
      return { name, version: chosen };
    }),
  );
  const { onCheck } = progress(values);
  const { map, dryRun, exported } = await release.promoteTogether(store, {
    ...change,
    releases,
    replace: values.replace,
    onCheck,
  });
  await untilServed(store, change);
  const { from, to } = map.changed;
  return done({ name: '*', outcome: 'promoted together', from, to, rev: map.rev, dryRun, exported });
}

const rollback: Command = async ({ command, names, values, store, change }) => {
  const rev = wholeNumber(values, 'map', 1);
  if (rev !== undefined) {
    const { map, dryRun, exported } = await release.restore(store, { ...change, rev });
    await untilServed(store, change);
    return done({ name: '*', outcome: 'restored', to: rev, rev: map.rev, dryRun, exported });
  }
  const { name, version } = onlyTarget(names, command);
  const options = { ...change, name, to: values.to ?? version };
  const { map, before: _, ...result } = await release.rollback(store, options);
  await untilServed(store, change);
  return done({ ...result, rev: map.rev });
};

const gate: Command = async ({ command, names, values, store, change: { channel, by } }) => {
  const { name, version } = onlyTarget(names, command);
  const chosen = version ?? (await store.publications(name))[0]?.version;
  if (!chosen) {
    throw new release.StoreError(`nothing of ${name} is published; run: npm run release -- publish ${name}`);
  }
  const steps = await gateSteps(values);
  const options = { name, version: chosen, channel, by, steps, ...progress(values) };
  const verdict = await release.gate(store, options);
  if (!verdict.passed) throw new release.GateError(verdict);
  return done(verdict);
};

const freeze: Command = async ({ command, names, store, change }) => {
  const { name, version } = onlyTarget(names, command);
  const apply = command === 'freeze' ? release.freeze : release.unfreeze;
  const { map, dryRun } = await apply(store, { ...change, name, version });
  const outcome = command === 'freeze' ? 'frozen' : 'not frozen';
  return done({ name, version: version ?? null, outcome, rev: map.rev, dryRun });
};

const rendering: Command = async ({ command, names, store, change }) => {
  const { name, version } = onlyTarget(names, command);
  if (version) throw new UsageError(`${command} takes a name without a version`);
  const apply = command === 'render-off' ? release.renderingOff : release.renderingOn;
  const { map, dryRun } = await apply(store, { ...change, name });
  await untilServed(store, change);
  return done({
    name,
    version: null,
    outcome: command === 'render-off' ? 'not rendered' : 'rendered',
    rev: map.rev,
    dryRun,
  });
};

const commands: Record<string, Command> = {
  publish,
  promote,
  rollback,
  gate,
  freeze,
  unfreeze: freeze,
  'render-off': rendering,
  'render-on': rendering,
  status: async ({ values, store }) => done(await release.status(store, values.channel)),
  history: async ({ command, names, values, store }) => {
    const name = names.length > 0 ? onlyTarget(names, command).name : undefined;
    return done(
      await release.history(store, { channel: values.channel, name, limit: wholeNumber(values, 'limit', 1) }),
    );
  },
  verify: async ({ values, store }) => {
    const result = await release.verify(store, { channel: values.channel, all: values.all });
    return done(result, result.ok);
  },
  export: async ({ values, store }) => done(await exportSite(store, values.channel ?? release.DEFAULT_CHANNEL)),
  prune: async ({ values, store, change: { dryRun } }) =>
    done(
      await release.prune(store, {
        keep: wholeNumber(values, 'keep', 1),
        days: wholeNumber(values, 'days', 0),
        dryRun,
      }),
    ),
};

/** Finished checks go to standard output, announcements of slow steps to standard error; neither with --json. */
const progress = ({ json }: Values) => ({
  say(text: string) {
    if (!json) console.error(`  ...   ${text}`);
  },
  onCheck(check: release.Check) {
    if (!json && check.outcome !== 'failed') console.log(checkLine(check));
  },
});

async function gateSteps(values: Values): Promise<release.GateStep[]> {
  const against = values.against ?? runningShop();
  // Chromium is not looked for where it is not wanted.
  const inBrowser = values.skip?.includes('browser') ? [] : [await browserGateOrReason(against)];
  return [renderGate({ against }), ...inBrowser];
}

function account(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

/** The shop that runs on this data folder; `npm start` writes its address there. */
function runningShop(): string | null {
  if (process.env.SHOP_URL !== undefined) return process.env.SHOP_URL || null;
  try {
    return readFileSync(path.join(process.env.DATA_DIR || '.data', 'shop-url'), 'utf8').trim();
  } catch {
    return null;
  }
}

/** Waits until every server that reads the store serves the change. Servers read a bucket at intervals, a folder every time. */
async function untilServed(store: release.Store, { dryRun }: { dryRun: boolean }): Promise<void> {
  if (!dryRun) await new Promise((resolve) => setTimeout(resolve, store.blobs.readAgainMs));
}
