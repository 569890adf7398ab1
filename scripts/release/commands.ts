import path from 'node:path';
import {
  type ActionResults,
  BROWSER_CHECKS,
  type ListedKey,
  type PublishResult,
  prune,
  StoreError,
} from '@platform/releases';
import { ReleaseApiClient, UsageError } from '@platform/releases/service';
import type { ReleaseReport } from '@platform/watch';
import { directoryOf, presentNames } from '../project';
import { openShopStore } from '../shop-store';
import { canaryOf, grantOf, onlyTarget, optionalTarget, shareOf, targets, wholeNumber } from './arguments';
import { type Command, changing, command, flag, text } from './command';
import { checkLine, dry, type Line, minute, printHealth, printStatus, table } from './print';
import { runningShop } from './service';

type Turned = ActionResults['freeze' | 'unfreeze' | 'render-off' | 'render-on'];
const printTurned = ({ name, version, outcome, rev, dryRun }: Turned, line: Line) =>
  line(`${name}${version ? `@${version}` : ''} is ${outcome}; revision ${rev}${dry(dryRun)}`);

const freezing = (action: 'freeze' | 'unfreeze', usage: string, does: string) =>
  command({
    usage,
    does,
    options: changing,
    run: async (input) => input.runAction({ action, ...onlyTarget(input) }),
    print: printTurned,
  });

const build = command({
  usage: 'build [name…]',
  does: 'builds the named workspaces, or all in this checkout, into <workspace>/dist',
  options: { 'dry-run': flag },
  async run(input) {
    // Loaded on demand: the builder is heavy and needs a checkout.
    const { buildWorkspaces } = await import('../build');
    const { dryRun } = input.change;
    const names = input.names.length > 0 ? targets(input).map(({ name }) => name) : presentNames();
    input.progress.say(`${dryRun ? 'would build' : 'building'} ${names.join(', ')} …`);
    return dryRun ? [] : buildWorkspaces(names);
  },
  print(results, line) {
    for (const { name, version, cached, milliseconds } of results)
      line(`${name}@${version}  ${cached ? 'unchanged' : `built in ${milliseconds} ms`}`);
    const [first] = results;
    if (first) line(`Next: npm run release -- publish ${first.name}`);
  },
});

const publish = command({
  usage: 'publish <name…> [--from folder]',
  does: 'stores the build of <name> permanently and prints its preview link; makes nothing live',
  more: `Publishing the same build again prints "already there". Other content under a known version is refused.
  --from <folder>    a build outside this repository: its release.json, or the mf-manifest.json of Module Federation's own
                     plugin with the remote.json beside it`,
  options: { from: text, 'dry-run': flag },
  async run(input) {
    const { values, env, change, progress } = input;
    const releases = targets(input);
    if (values.from && releases.length > 1) throw new UsageError('--from takes one name');
    const service = input.service();
    const shop = values.shop ?? env.RELEASE_SHOP ?? runningShop(env);
    const results: Array<PublishResult & { preview: string }> = [];
    for (const { name } of releases) {
      const dist = values.from ? path.resolve(values.from) : path.join(directoryOf(name), 'dist');
      progress.say(`compressing and storing ${name} in ${service.name} …`);
      const result = await service.publish(dist, change.dryRun);
      if (result.name !== name)
        throw new StoreError(`${dist} contains a release of ${result.name}, not of ${name}; build again`);
      const preview = `/home?release=${name}@${result.version}`;
      results.push({ ...result, preview: shop ? new URL(preview, shop).href : preview });
    }
    return results;
  },
  print(results, line) {
    for (const { name, version, outcome, files, bytes, dryRun, preview } of results) {
      line(`${name}@${version}  ${outcome}, ${files} files, ${Math.ceil(bytes / 1000)} kB${dry(dryRun)}`);
      if (!dryRun) line(`Preview: ${preview}`);
      line(`Next: npm run release -- promote ${name}@${version}`);
    }
  },
});

const promote = command({
  usage: 'promote <name>[@version]… [--traffic n | --canary auto] [--together] [--replace] [--skip check --why "…"]',
  does: 'runs the gate and makes a published release live',
  more: `Without a version, it promotes the last published release. Without --together, it refuses one that was rolled back since.
  --traffic <n>      release it to n per cent of the visitors; repeat it with another number to change the share, 100 to finish
  --canary auto      a canary that the servers raise while it is healthy (10, 25, 50, 100 per cent, or "canary" in remote.json) and
                     roll back when it is not; --canary 5,20,100 sets the shares
  --together         promote all in one revision, checked against each other but not in a browser: for a change that none can make
                     alone, such as a new major of a singleton. To roll back all: rollback --map <rev>
  --replace          also end a canary of another role; a canary of your own role ends without it
  --skip <check>     skip "size", "browser" (all checks in a browser) or one of them; needs --why:
                     ${BROWSER_CHECKS.filter((check) => check !== 'browser').join(', ')}
  --against <url>    the running shop whose API the browser check uses (default: SHOP_URL, else the shop on DATA_DIR); without
                     a shop the check is skipped with a note in the history, or fails with RELEASE_GATE=strict
                     Chromium uses its sandbox, which does not work as root; GATE_SANDBOX=off disables it
  --why <text>       the reason, for the history`,
  options: {
    ...changing,
    traffic: text,
    canary: text,
    skip: { type: 'string', multiple: true },
    against: text,
    together: flag,
    replace: flag,
  },
  async run(input) {
    const { values, progress } = input;
    const { replace, skip } = values;
    if (values.together && (values.traffic || values.canary || skip))
      throw new UsageError('--together excludes --traffic, --canary and --skip');
    if (values.canary && values.traffic) throw new UsageError('--canary and --traffic exclude each other');
    const releases = targets(input);
    const traffic = shareOf('traffic', values.traffic);
    const canary = canaryOf(values.canary);
    if (values.together) return input.runAction({ action: 'promote-together', releases, replace });
    const results: Array<ActionResults['promote']> = [];
    for (const { name, version } of releases) {
      progress.say(`checking ${name}${version ? `@${version}` : ''} …`);
      results.push(await input.runAction({ action: 'promote', name, version, traffic, canary, skip, replace }));
    }
    return results;
  },
  print(results, line) {
    if (!Array.isArray(results)) {
      const { to, rev, dryRun } = results;
      return line(`${to} are live; revision ${rev}${dry(dryRun)}`);
    }
    for (const { name, version, outcome, traffic, then, from, rev, dryRun } of results) {
      if (outcome === 'already live') {
        line(`${name}@${version} is already live`);
        continue;
      }
      const raised = then ? `, then automatically ${then.join(', ')} %` : '';
      const share =
        outcome === 'canary' ? `has ${traffic} % of the visitors${raised}` : `is live${from ? `, was ${from}` : ''}`;
      line(`${name}@${version} ${share}; revision ${rev}${dry(dryRun)}`);
    }
  },
});

const rollback = command({
  usage: 'rollback <name> [--from version] [--to version] [--anyway]  |  rollback --map <rev> [--anyway]',
  does: 'makes the previous release live again',
  more: `With a canary running and no --to, it removes only the canary. Repeating it changes nothing.
  --from <version>   the release to replace; needed to go back further after a rollback
  --to <version>     any published release
  --map <rev>        restore the whole map of that revision (see history)
  --anyway           continue although more checks against the other releases fail than now
  --why <text>       the reason, for the history`,
  options: { ...changing, from: text, to: text, map: text, anyway: flag },
  async run(input) {
    const { anyway, from, to, map } = input.values;
    const rev = wholeNumber('map', map, 1);
    if (rev !== undefined) return input.runAction({ action: 'restore', rev, anyway });
    const { name, version } = onlyTarget(input);
    return input.runAction({ action: 'rollback', name, to: to ?? version, from, anyway });
  },
  print({ outcome, name, from, to, rev, dryRun }, line) {
    const revision = `revision ${rev}${dry(dryRun)}`;
    if (outcome === 'restored') return line(`The whole map is restored to revision ${to}; ${revision}`);
    if (outcome === 'abandoned')
      return line(`The canary ${name}@${from} is removed, ${to ?? 'no release'} is live for all visitors; ${revision}`);
    if (outcome === 'rolled back') return line(`${name}@${to} is live again, was ${from}; ${revision}`);
    if (name === '*') return line(`Nothing was changed: the map equals revision ${to}`);
    line(`Nothing was changed: ${name}@${from} was replaced with ${to ?? 'nothing'} before`);
    if (to) line(`To go back further: npm run release -- rollback ${name} --from ${to}`);
  },
});

const keys = command({
  usage:
    'keys make --name "…" --role squad --remotes a,b [--max-traffic n] [--days n]  |  keys list  |  keys revoke <id>',
  does: 'makes, lists and revokes keys of the release API',
  more: `A key is shown once; the store has its hash. Roles: viewer (reads), squad (its own remotes), platform (all releases), ops
(also freeze, unfreeze, restore a map, and keys).
  --name <text>      the author in the history
  --remotes <names>  the remotes of a squad
  --max-traffic <n>  per cent of the visitors that a squad can set at once; larger shares need --canary or ops
  --days <n>         days until it expires (default: 90)`,
  options: { name: text, role: text, remotes: text, 'max-traffic': text, days: text },
  async run({ names: [verb, id, more], values, service }) {
    type Result = ListedKey[] | ListedKey | { key: string; identity: ListedKey };
    if (verb === 'list' && !id) return service().read('keys', {}) as Promise<Result>;
    if (verb === 'revoke' && id && !more) return (await service().revokeKey(id)) as Result;
    if (verb !== 'make' || id) throw new UsageError('keys takes make, list, or revoke with the id of a key');
    if (!values.name) throw new UsageError('keys make needs --name "…", which the history shows');
    const days = wholeNumber('days', values.days, 1) ?? 90;
    return (await service().makeKey({ name: values.name, days, ...grantOf(values) })) as Result;
  },
  print(result, line) {
    if ('key' in result) {
      line(result.key);
      line(
        `This key is not shown again. Key ${result.identity.id} is valid until ${minute(result.identity.expiresAt)} UTC.`,
      );
      return;
    }
    if (!Array.isArray(result)) return line(`the key ${result.id} (${result.name}) is revoked`);
    const rows = result.map(({ id, name, role, remotes, maxTraffic, expiresAt, by, revoked }) => [
      id,
      name,
      role,
      [...remotes, ...(maxTraffic === undefined ? [] : [`up to ${maxTraffic} %`])].join(' '),
      revoked ? `revoked ${minute(revoked.at)} by ${revoked.by}` : minute(expiresAt),
      by,
    ]);
    table([['id', 'name', 'role', 'remotes', 'valid until (UTC)', 'made by'], ...rows], line);
  },
});

export const COMMANDS: Record<string, Command> = {
  build,
  publish,
  promote,
  rollback,
  status: command({
    usage: 'status [name]',
    does: 'shows the live releases with date and author; with a name, its published releases and their verdicts',
    options: {},
    async run(input) {
      const { name } = optionalTarget(input);
      return name ? input.service().read('releases', { name }) : input.service().read('status', {});
    },
    print(result, line) {
      if (!Array.isArray(result)) return printStatus(result, line);
      const rows = result.map(({ name, version, at, by, provenance, gate: verdict, serves }) => [
        `${name}@${version}`,
        minute(at),
        by,
        provenance?.commit?.slice(0, 12) ?? '-',
        verdict ? `${verdict.passed ? 'passed' : 'refused'} ${minute(verdict.at)}` : '-',
        serves ?? '',
      ]);
      table([['release', 'published (UTC)', 'by', 'commit', 'gate', 'serves'], ...rows], line);
    },
  }),
  history: command({
    usage: 'history [name] [--limit n]',
    does: 'shows the revisions of the map, newest first',
    options: { limit: text },
    async run(input) {
      const { name } = optionalTarget(input);
      const limit = wholeNumber('limit', input.values.limit, 1);
      return input.service().read('history', { name, limit });
    },
    print(revisions, line) {
      if (revisions.length === 0) return line('no revision yet');
      const rows = revisions.map(({ rev, at, by, action, name, from, to, why }) => [
        String(rev),
        minute(at),
        by,
        action,
        name,
        `${from ?? '-'} -> ${to ?? '-'}`,
        why,
      ]);
      table(rows, line);
    },
  }),
  health: command({
    usage: 'health [name] --shop <url>',
    does: 'shows the health of releases: failed visits, their errors with positions in the source, and the funnel',
    more: `It covers the last six hours, and three hours for the funnel. A squad's key sees its own remotes. Positions in the source come
from the source map that was published with the release.`,
    options: {},
    run: async (input) =>
      (await input.service().read('health', { name: optionalTarget(input).name })) as ReleaseReport[],
    print: printHealth,
  }),
  gate: command({
    usage: 'gate <name>[@version] [--skip check] [--against url]',
    does: 'runs the checks of promote and changes nothing; stores the verdict with the release',
    more: 'Without a version, it checks the last published release. The options are those of promote.',
    options: { skip: { type: 'string', multiple: true }, against: text },
    run: async (input) => input.runAction({ action: 'gate', ...onlyTarget(input), skip: input.values.skip }),
    // Its checks were printed as they ended.
    print: ({ name, version }, line) => line(`${name}@${version} passes the gate`),
  }),
  freeze: freezing(
    'freeze',
    'freeze <name>[@version] --why "…"',
    'stops promotes of a name, or of one version; a rollback is still possible',
  ),
  unfreeze: freezing('unfreeze', 'unfreeze <name>[@version]', 'allows promotes again'),
  render: command({
    usage: 'render off <name> --why "…"  |  render on <name>',
    does: 'turns server rendering of a remote off or on; without it documents contain skeletons and browsers render the pages',
    more: 'For all remotes: render off shell. It has no effect if the shop runs with SHOP_RENDER=off.',
    options: changing,
    async run({ names: [state, ...names], ...input }) {
      if (state !== 'off' && state !== 'on') throw new UsageError(`render takes off or on: ${input.usage}`);
      const { name, version } = onlyTarget({ ...input, names });
      if (version) throw new UsageError('render takes a name without a version');
      return input.runAction({ action: `render-${state}`, name });
    },
    print: printTurned,
  }),
  verify: command({
    usage: 'verify [--all]',
    does: 'reads back every live and fallback release and compares the hashes; --all: every published release',
    options: { all: flag },
    run: async ({ values: { all }, service }) => service().read('verify', { all }),
    isOk: ({ ok }) => ok,
    print({ rev, ok, releases }, line) {
      for (const { name, version, live, checks } of releases) {
        line(`${name}@${version}${live ? ' (live)' : ''}`);
        for (const check of checks) line(checkLine(check));
      }
      line(`revision ${rev}: ${ok ? 'all files are as published' : 'some files differ'}`);
    },
  }),
  prune: command({
    usage: 'prune [--keep n] [--days n]',
    does: 'removes old releases',
    more: `Releases in a map, in its fallbacks or in its recent history always stay.
  --keep <n>         the newest n releases of each name stay (default: 5)
  --days <n>         releases that were live or published within n days stay, for open tabs (default: 7)`,
    options: { keep: text, days: text, 'dry-run': flag },
    async run({ values, env, change: { dryRun } }) {
      if (values.shop) throw new UsageError('prune works on the store itself, without --shop');
      const keep = wholeNumber('keep', values.keep, 1);
      const days = wholeNumber('days', values.days, 0);
      return prune(openShopStore(env, { place: values.store }), { keep, days, dryRun });
    },
    print({ removed, kept, dryRun }, line) {
      for (const release of removed) line(`removed ${release}`);
      line(`${removed.length} removed, ${kept.length} kept${dry(dryRun)}`);
    },
  }),
  keys,
  session: command({
    usage: 'session --shop <url>',
    does: 'exchanges the token of the forge in RELEASE_TOKEN for a key that is valid for half an hour',
    more: 'A token is single use, so a job with several commands begins with: export RELEASE_KEY=$(npm run -s release -- session)',
    options: {},
    async run({ values, env }) {
      const shop = values.shop ?? env.RELEASE_SHOP;
      if (!shop) throw new UsageError('session needs --shop https://…');
      return { key: await new ReleaseApiClient(shop, env).session() };
    },
    print: ({ key }, line) => line(key),
  }),
};
