/** What each command does; main.ts parses the arguments and print.ts prints the results. */

import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import * as release from '@platform/releases';
import {
  ReleaseApiClient,
  type ReleaseService,
  serviceOfApi,
  serviceOfStore,
  UsageError,
} from '@platform/releases/service';
import { directoryOf, presentNames } from '../project';
import { openShopStore } from '../shop-store';
import { canaryOf, grantOf, onlyTarget, shareOf, targets, type Values, wholeNumber } from './arguments';
import { checkLine } from './print';
import { browserGateOrReason } from './shop-gate';

export interface CommandResult {
  result: unknown;
  ok: boolean;
}

interface Context {
  command: string;
  names: string[];
  values: Values;
  service: ReleaseService;
  given: { channel?: string; why?: string; dryRun: boolean };
}

type Command = (context: Context) => Promise<CommandResult>;

const done = (result: unknown, ok = true): CommandResult => ({ result, ok });

/** Runs one command. Throws UsageError and the errors of @platform/releases. */
export async function run(command: string, names: string[], values: Values): Promise<CommandResult> {
  if (command === 'build') return build(names, values);
  const execute = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (!execute) throw new UsageError(`"${command}" is not a command`);
  const given = { channel: values.channel, why: values.why, dryRun: values['dry-run'] ?? false };
  return execute({ command, names, values, service: serviceOf(command, values), given });
}

/** On the machine of the shop a command works on the store itself; elsewhere through the shop's API. */
function serviceOf(command: string, values: Values): ReleaseService {
  const shop = values.shop ?? process.env.RELEASE_SHOP;
  if (!shop || values.store) {
    if (values.shop) throw new UsageError('--shop and --store exclude each other');
    const by = values.by ?? process.env.RELEASE_BY ?? account();
    return serviceOfStore(openShopStore({ place: values.store }), by, (skip) => gateSteps(values, skip));
  }
  if (values.by) throw new UsageError('--by is for work on the store itself; with --shop the key says who acts');
  if (values.against)
    throw new UsageError('--against is for work on the store itself; the shop of --shop gates against itself');
  if (ON_THE_STORE.includes(command)) throw new UsageError(`${command} works on the store itself, without --shop`);
  return serviceOfApi(new ReleaseApiClient(shop), shop);
}

const ON_THE_STORE = ['prune'];

async function build(names: string[], values: Values): Promise<CommandResult> {
  // Loaded only here: the builder is heavy and needs a checkout.
  const { buildWorkspaces } = require('../build') as typeof import('../build');
  const wanted = names.length > 0 ? targets(names, 'build').map(({ name }) => name) : presentNames();
  progress(values).say(`${values['dry-run'] ? 'would build' : 'building'} ${wanted.join(', ')} …`);
  return done(values['dry-run'] ? [] : await buildWorkspaces(wanted));
}

const publish: Command = async ({ command, names, values, service, given }) => {
  const wanted = targets(names, command);
  if (values.from && wanted.length > 1) throw new UsageError('--from takes one name');
  const results: unknown[] = [];
  for (const { name } of wanted) {
    const dist = values.from ? path.resolve(values.from) : path.join(directoryOf(name), 'dist');
    progress(values).say(`compressing and storing ${name} in ${service.name} …`);
    const result = (await service.publish(dist, given.dryRun)) as release.PublishResult;
    if (result.name !== name) {
      throw new release.StoreError(`${dist} holds a release of ${result.name}, not of ${name}; build again`);
    }
    results.push({ ...result, preview: previewLink(values, `${name}@${result.version}`) });
  }
  return done(results);
};

const promote: Command = async ({ command, names, values, service, given }) => {
  if (values.together && (values.traffic || values.canary || values.skip))
    throw new UsageError('--together goes with none of --traffic, --canary and --skip');
  const wanted = targets(names, command);
  const { replace, skip } = values;
  if (values.together) {
    return done(await service.act({ act: 'promote-together', releases: wanted, replace }, given, progress(values)));
  }
  const traffic = shareOf(values, 'traffic');
  const canary = canaryOf(values);
  const results: unknown[] = [];
  for (const { name, version } of wanted) {
    progress(values).say(`checking ${name}${version ? `@${version}` : ''} …`);
    const act = { act: 'promote', name, version, traffic, canary, skip, replace } as const;
    results.push(await service.act(act, given, progress(values)));
  }
  return done(results);
};

const rollback: Command = async ({ command, names, values, service, given }) => {
  const rev = wholeNumber(values, 'map', 1);
  const { anyway, from } = values;
  if (rev !== undefined) return done(await service.act({ act: 'restore', rev, anyway }, given, progress(values)));
  const { name, version } = onlyTarget(names, command);
  const act = { act: 'rollback', name, to: values.to ?? version, from, anyway } as const;
  return done(await service.act(act, given, progress(values)));
};

const gate: Command = async ({ command, names, values, service, given }) =>
  done(await service.act({ act: 'gate', ...onlyTarget(names, command), skip: values.skip }, given, progress(values)));

const freeze: Command = async ({ command, names, values, service, given }) => {
  const act = command === 'freeze' ? 'freeze' : 'unfreeze';
  return done(await service.act({ act, ...onlyTarget(names, command) }, given, progress(values)));
};

const rendering: Command = async ({ command, names, values, service, given }) => {
  const { name, version } = onlyTarget(names, command);
  if (version) throw new UsageError(`${command} takes a name without a version`);
  const act = command === 'render-off' ? 'render-off' : 'render-on';
  return done(await service.act({ act, name }, given, progress(values)));
};

const keys: Command = async ({ names, values, service }) => {
  const [what, id, more] = names;
  if (what === 'list' && !id) return done(await service.read('keys', {}));
  if (what === 'revoke' && id && !more) return done(await service.revokeKey(id));
  if (what !== 'make' || id) throw new UsageError('keys takes make, list, or revoke with the id of a key');
  if (!values.name) throw new UsageError('keys make needs --name "…", which the history shows');
  const days = wholeNumber(values, 'days', 1) ?? 90;
  return done(await service.makeKey({ name: values.name, days, ...grantOf(values) }));
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
  keys,
  session: async ({ values }) => {
    const shop = values.shop ?? process.env.RELEASE_SHOP;
    if (!shop) throw new UsageError('session needs --shop https://…');
    return done({ key: await new ReleaseApiClient(shop).session() });
  },
  status: async ({ values, service }) => done(await service.read('status', { channel: values.channel })),
  releases: async ({ command, names, values: { channel }, service }) =>
    done(
      await service.read('releases', { channel, name: names.length > 0 ? onlyTarget(names, command).name : undefined }),
    ),
  history: async ({ command, names, values, service }) => {
    const { channel } = values;
    const name = names.length > 0 ? onlyTarget(names, command).name : undefined;
    return done(await service.read('history', { channel, name, limit: wholeNumber(values, 'limit', 1) }));
  },
  health: async ({ command, names, service }) =>
    done(await service.read('health', { name: names.length > 0 ? onlyTarget(names, command).name : undefined })),
  verify: async ({ values: { channel, all }, service }) => {
    const result = (await service.read('verify', { channel, all })) as release.VerifyResult;
    return done(result, result.ok);
  },
  prune: async ({ values, given: { dryRun } }) =>
    done(
      await release.prune(openShopStore({ place: values.store }), {
        keep: wholeNumber(values, 'keep', 1),
        days: wholeNumber(values, 'days', 0),
        dryRun,
      }),
    ),
};

/** Finished checks go to standard output, announcements of slow steps to standard error; neither with --json. */
const progress = ({ json }: Values) => ({
  say(text: string) {
    if (!json) console.error(`  ...   ${release.terminalText(text, { lines: true })}`);
  },
  onCheck(check: release.Check) {
    if (!json && check.outcome !== 'failed') console.log(checkLine(check));
  },
});

async function gateSteps(values: Values, skip: readonly string[]): Promise<release.GateStep[]> {
  // Chromium is not looked for where it is not wanted.
  return skip.includes('browser') ? [] : [await browserGateOrReason(values.against ?? runningShop())];
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

/** The address that shows a published release in one tab; it has no origin where no shop is known. */
function previewLink(values: Values, published: string): string {
  const address = `/home?release=${published}`;
  const shop = values.shop ?? process.env.RELEASE_SHOP ?? runningShop();
  return shop ? new URL(address, shop).href : address;
}
