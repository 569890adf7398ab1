import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { exportSite, withStaticSite } from '@shop/document';
import * as release from '@shop/release';
import { browserGateOrReason } from './browser-gate';
import { COMMANDS, helpOf } from './help';
import { checkLine, print } from './print';

const EXIT = { ok: 0, failed: 1, usage: 2, gate: 3, conflict: 4, frozen: 5 } as const;
const root = path.resolve(__dirname, '..', '..');

class UsageError extends Error {}

const OPTIONS = {
  channel: { type: 'string' },
  store: { type: 'string' },
  by: { type: 'string' },
  why: { type: 'string' },
  to: { type: 'string' },
  map: { type: 'string' },
  traffic: { type: 'string' },
  skip: { type: 'string', multiple: true },
  from: { type: 'string' },
  against: { type: 'string' },
  limit: { type: 'string' },
  keep: { type: 'string' },
  days: { type: 'string' },
  all: { type: 'boolean' },
  together: { type: 'boolean' },
  json: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message.split('. ')[0] : String(error));
  }
}

type Values = ReturnType<typeof parse>['values'];

function account(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}

function whole(values: Values, option: 'limit' | 'keep' | 'days' | 'map', least: number): number | undefined {
  const given = values[option];
  if (given === undefined) return undefined;
  const number = Number(given);
  if (!Number.isInteger(number) || number < least)
    throw new UsageError(`--${option} takes a whole number from ${least}, not "${given}"`);
  return number;
}

function trafficOf({ traffic }: Values): number | undefined {
  if (traffic === undefined) return undefined;
  const number = Number(traffic);
  if (!Number.isFinite(number) || number <= 0 || number > 100) {
    throw new UsageError(`--traffic takes more than 0 and at most 100 per cent, not "${traffic}"`);
  }
  return number;
}

/** 'mfe-catalog@1.0.0-3f9c2ab1' */
function target(given: string): { name: string; version?: string } {
  const [name = '', ...rest] = given.split('@');
  const version = rest.join('@') || undefined;
  if (!release.isReleaseName(name))
    throw new UsageError(`"${given}" is not a name such as catalog or catalog@1.0.0-3f9c2ab1`);
  if (version && !release.isReleaseVersion(version))
    throw new UsageError(`"${version}" is not a version such as 1.0.0-3f9c2ab1`);
  return { name: release.releaseName(name), version };
}

const targets = (given: string[], command: string) => {
  if (given.length === 0)
    throw new UsageError(`${command} needs a name: npm run release -- ${COMMANDS[command]?.usage}`);
  return given.map(target);
};
const onlyTarget = (given: string[], command: string) => {
  const [first, second] = targets(given, command);
  if (!first || second)
    throw new UsageError(`${command} takes one name: npm run release -- ${COMMANDS[command]?.usage}`);
  return first;
};

/** Where a shop runs on this data folder; `npm start` leaves its address there. */
function runningShop(): string | null {
  if (process.env.SHOP_URL !== undefined) return process.env.SHOP_URL || null;
  try {
    return readFileSync(path.join(process.env.DATA_DIR || '.data', 'shop-url'), 'utf8').trim();
  } catch {
    return null;
  }
}

/** Once this is over, every server that reads the store has the change; only a bucket is not asked with every request. */
async function untilServed(store: release.Store, { dryRun }: { dryRun: boolean }): Promise<void> {
  if (!dryRun) await new Promise((resolve) => setTimeout(resolve, store.blobs.readAgainMs));
}

/** Runs one command and gives what it found; printing the result is elsewhere. */
async function run(command: string, names: string[], values: Values): Promise<{ result: unknown; ok: boolean }> {
  const done = (result: unknown, ok = true) => ({ result, ok });
  // Progress: what is done is told on standard output as it is done, what is about to take long on standard error.
  const say = (text: string) => {
    if (!values.json) console.error(`  ...   ${text}`);
  };
  const onCheck = (check: release.Check) => {
    if (!values.json && check.outcome !== 'failed') console.log(checkLine(check));
  };
  if (command === 'build') {
    // The builder is heavy and belongs to the checkout; the other commands work without it.
    const { buildWorkspaces, presentNames } = require('../build') as typeof import('../build');
    const wanted = names.length > 0 ? targets(names, command).map(({ name }) => name) : presentNames();
    say(`${values['dry-run'] ? 'would build' : 'building'} ${wanted.join(', ')} …`);
    return done(values['dry-run'] ? [] : await buildWorkspaces(wanted));
  }

  const store = withStaticSite(release.openStore({ place: values.store }));
  const { channel } = values;
  const change = {
    channel,
    by: values.by ?? process.env.RELEASE_BY ?? account(),
    why: values.why,
    dryRun: values['dry-run'] ?? false,
  };
  switch (command) {
    case 'publish': {
      const results: release.PublishResult[] = [];
      const wanted = targets(names, command);
      if (values.from && wanted.length > 1) throw new UsageError('--from takes one name');
      for (const { name } of wanted) {
        const dist = values.from ? path.resolve(values.from) : path.join(root, release.workspaceOf(name), 'dist');
        say(`compressing and storing ${name} in ${store.blobs.place} …`);
        const result = await release.publish(store, { dist, by: change.by, dryRun: change.dryRun });
        if (result.name !== name)
          throw new release.StoreError(`${dist} holds a release of ${result.name}, not of ${name}; build again`);
        results.push(result);
      }
      return done(results);
    }
    case 'promote': {
      if (values.together) {
        if (values.traffic || values.skip) throw new UsageError('--together goes with neither --traffic nor --skip');
        const releases = await Promise.all(
          targets(names, command).map(async ({ name, version }) => {
            const chosen = version ?? (await store.publications(name))[0]?.version;
            if (!chosen) throw new release.StoreError(`nothing of ${name} is published; publish it first`);
            return { name, version: chosen };
          }),
        );
        const { map, dryRun, exported } = await release.promoteTogether(store, { ...change, releases, onCheck });
        await untilServed(store, change);
        const { from, to } = map.changed;
        return done({ name: '*', outcome: 'promoted together', from, to, rev: map.rev, dryRun, exported });
      }
      const traffic = trafficOf(values);
      const steps = values.skip?.includes('browser')
        ? []
        : [await browserGateOrReason(values.against ?? runningShop())];
      const results: unknown[] = [];
      for (const { name, version } of targets(names, command)) {
        say(`checking ${name}${version ? `@${version}` : ''} …`);
        const { map, before, ...result } = await release.promote(store, {
          ...change,
          name,
          version,
          traffic,
          skip: values.skip,
          steps,
          onCheck,
          say,
        });
        results.push({ ...result, rev: map.rev, from: release.liveVersion(before, name), traffic: traffic ?? 100 });
      }
      await untilServed(store, change);
      return done(results);
    }
    case 'rollback': {
      const rev = whole(values, 'map', 1);
      if (rev !== undefined) {
        const { map, dryRun, exported } = await release.restore(store, { ...change, rev });
        await untilServed(store, change);
        return done({ name: '*', outcome: 'restored', to: rev, rev: map.rev, dryRun, exported });
      }
      const { name, version } = onlyTarget(names, command);
      const {
        map,
        before: _,
        ...result
      } = await release.rollback(store, { ...change, name, to: values.to ?? version });
      await untilServed(store, change);
      return done({ ...result, rev: map.rev });
    }
    case 'status':
      return done(await release.status(store, channel));
    case 'history': {
      const name = names.length > 0 ? onlyTarget(names, command).name : undefined;
      return done(await release.history(store, { channel, name, limit: whole(values, 'limit', 1) }));
    }
    case 'gate': {
      const { name, version } = onlyTarget(names, command);
      const chosen = version ?? (await store.publications(name))[0]?.version;
      if (!chosen)
        throw new release.StoreError(`nothing of ${name} is published; run: npm run release -- publish ${name}`);
      const verdict = await release.gate(store, {
        name,
        version: chosen,
        channel,
        steps: [await browserGateOrReason(values.against ?? runningShop())],
        onCheck,
        say,
      });
      if (!verdict.passed) throw new release.GateError(verdict);
      return done(verdict);
    }
    case 'verify': {
      const result = await release.verify(store, { channel, all: values.all });
      return done(result, result.ok);
    }
    case 'export':
      return done(await exportSite(store, channel ?? release.DEFAULT_CHANNEL));
    case 'prune':
      return done(
        await release.prune(store, {
          keep: whole(values, 'keep', 1),
          days: whole(values, 'days', 0),
          dryRun: change.dryRun,
        }),
      );
    case 'freeze':
    case 'unfreeze': {
      const { name, version } = onlyTarget(names, command);
      const act = command === 'freeze' ? release.freeze : release.unfreeze;
      const { map, dryRun } = await act(store, { ...change, name, version });
      return done({
        name,
        version: version ?? null,
        outcome: command === 'freeze' ? 'frozen' : 'not frozen',
        rev: map.rev,
        dryRun,
      });
    }
    default:
      throw new UsageError(`"${command}" is not a command`);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof release.GateError) return EXIT.gate;
  if (error instanceof release.ConflictError) return EXIT.conflict;
  if (error instanceof release.MapError && error.code === 'frozen') return EXIT.frozen;
  return EXIT.failed;
}

/** Returns the exit code. */
export async function main(args: string[]): Promise<number> {
  const json = args.includes('--json');
  try {
    const { values, positionals } = parse(args);
    const [command, ...names] = positionals;
    if (values.help || !command) {
      console.log(helpOf(command));
      return values.help ? EXIT.ok : EXIT.usage;
    }
    const { result, ok } = await run(command, names, values);
    if (json) console.log(JSON.stringify(result, null, 2));
    else print(command, result);
    return ok ? EXIT.ok : EXIT.failed;
  } catch (error) {
    const code = exitCodeOf(error);
    const message = error instanceof Error ? error.message : String(error);
    if (json) {
      const verdict = error instanceof release.GateError ? { verdict: error.verdict } : {};
      console.log(JSON.stringify({ error: message, code, ...verdict }, null, 2));
    } else {
      if (error instanceof release.GateError) {
        const { name, version, checks } = error.verdict;
        for (const check of checks) if (check.outcome === 'failed') console.error(checkLine(check));
        console.error(`release: ${name}@${version} did not pass the gate; nothing was changed`);
      } else console.error(`release: ${message}`);
      if (error instanceof UsageError) console.error('Help: npm run release -- --help');
    }
    return code;
  }
}
