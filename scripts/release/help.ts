const COMMON = `Options of every command
  --channel <name>   the map to work on (default: production)
  --store <place>    the store (default: RELEASE_STORE, then DATA_DIR/store, then .data/store)
  --by <who>         who is named in the history (default: RELEASE_BY, then the account)
  --shop <url>       work through the API of this shop instead (default: RELEASE_SHOP), with no access to its store: a key in
                     RELEASE_KEY, or a token of the forge in RELEASE_TOKEN; the history names who it belongs to
  --json             one JSON document on standard output, nothing else
  --dry-run          say what would happen and change nothing
  --help             this, or one command's help

Exit codes
  0 done or already so   1 failed   2 wrong usage   3 the gate said no   4 another change came first   5 frozen
  6 not allowed`;

export const COMMANDS: Record<string, { usage: string; does: string; more?: string }> = {
  build: {
    usage: 'build [name…]',
    does: 'builds the named workspaces, or all that are in this checkout, into <workspace>/dist',
  },
  publish: {
    usage: 'publish <name…> [--from folder]',
    does: 'puts the build of <name> into the store, where it cannot change, and prints its preview link; nothing goes live',
    more: `The same build again says "already there". Another content under a known version is refused.
  --from <folder>    a build outside this repository: its release.json, or the mf-manifest.json of Module Federation's own
                     plugin with the remote.json beside it`,
  },
  promote: {
    usage: 'promote <name>[@version]… [--traffic n | --canary auto] [--together] [--replace] [--skip check --why "…"]',
    does: 'runs the gate and makes a published release live',
    more: `Without a version: of those that passed the gate, the one published last, unless it was taken back since. With --together
the one published last.
  --traffic <n>      give it to n per cent of the visitors only; again with another number to change the share, 100 to finish
  --canary auto      a canary that the servers raise while it is healthy (10, 25, 50, 100 per cent, or "canary" in remote.json) and
                     take back when it is not; --canary 5,20,100 names the shares
  --together         all of them in one revision, checked against each other and not in a browser: for a change that none can go
                     through alone, such as a new major of a singleton. Back again as a whole: rollback --map <rev>
  --replace          also end another version's canary of another role; one of your own role ends without it
  --skip <check>     leave out "size", "browser" (all checks in a browser) or one of them: "sign-in", "ready", "layout-shift",
                     "accessibility", "presses", "head", "isolation", "flows"; needs --why
  --against <url>    the running shop whose API the browser check uses (default: SHOP_URL, else the one that runs on DATA_DIR);
                     without one the check is left out and the history says so; with RELEASE_GATE=strict that is a failure
                     Chromium runs in its sandbox, which it cannot as root; GATE_SANDBOX=off runs it without
  --why <text>       the reason, kept in the history`,
  },
  rollback: {
    usage: 'rollback <name> [--from version] [--to version] [--anyway]  |  rollback --map <rev> [--anyway]',
    does: 'makes the release live again that was live before',
    more: `With a canary running and no --to, the canary is taken away and nothing else. Repeated, it changes nothing.
  --from <version>   the release to replace; needed to go back further after a rollback
  --to <version>     any published release
  --map <rev>        the whole map as it was at that revision (see history)
  --anyway           although more checks against the other releases fail than now
  --why <text>       the reason, kept in the history`,
  },
  status: { usage: 'status', does: 'shows what is live, since when and by whom' },
  history: {
    usage: 'history [name] [--limit n]',
    does: 'shows the revisions of the map, newest first',
  },
  releases: { usage: 'releases [name]', does: 'shows what is published, by whom, and what the gate said' },
  keys: {
    usage:
      'keys make --name "…" --role squad --remotes a,b --channels c,d [--max-traffic n] [--days n]  |  keys list  |  keys revoke <id>',
    does: 'makes, shows and revokes keys of the release API',
    more: `A key is shown once; the store has its hash. Roles: viewer (looks), squad (its own remotes), platform (all releases), ops
(also freeze, unfreeze, restore a map, and keys).
  --name <text>      what the history shows
  --remotes <names>  of a squad
  --channels <names> that a squad may change, such as production
  --max-traffic <n>  per cent of the visitors that a squad gives at once; more comes by --canary or from ops
  --days <n>         how long it is good (default: 90)`,
  },
  health: {
    usage: 'health [name] --shop <url>',
    does: 'shows how releases do: visits that failed, what with and where in the source, and how many get from one step to the next',
    more: `Of the last six hours, and three for the steps. A squad's key sees its own remotes. Places are those of the source, by the source map
that was published with the release.`,
  },
  session: {
    usage: 'session --shop <url>',
    does: 'prints a key that is good for half an hour, for the token of the forge in RELEASE_TOKEN',
    more: 'A token is good for one session, so a job with several commands begins with: export RELEASE_KEY=$(npm run -s release -- session)',
  },
  gate: {
    usage: 'gate <name>[@version]',
    does: 'runs the checks of promote and changes nothing; the verdict is kept with the release',
    more: 'Without a version, the one that was published last.',
  },
  verify: {
    usage: 'verify [--all]',
    does: 'reads back every release that is live or a fallback and compares the hashes; --all: every published one',
  },
  prune: {
    usage: 'prune [--keep n] [--days n]',
    does: 'removes old releases',
    more: `What a map, its fallbacks or its recent past needs always stays.
  --keep <n>         the newest n of each name stay (default: 5)
  --days <n>         what was live or published within n days stays, for open tabs (default: 7)`,
  },
  freeze: {
    usage: 'freeze <name>[@version] --why "…"',
    does: 'stops promotes of a name, or of one version; a rollback stays possible',
  },
  unfreeze: { usage: 'unfreeze <name>[@version]', does: 'allows them again' },
  'render-off': {
    usage: 'render-off <name> --why "…"',
    does: 'the server renders no pages of a remote: documents carry skeletons, browsers do the rest',
    more: 'For all remotes: render-off shell. It changes nothing where the shop runs with SHOP_RENDER=off.',
  },
  'render-on': { usage: 'render-on <name>', does: 'renders them again' },
};

export function helpOf(command?: string): string {
  const one = command ? COMMANDS[command] : undefined;
  if (one) return `npm run release -- ${one.usage}\n\n${one.does}\n${one.more ? `${one.more}\n` : ''}\n${COMMON}`;
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const rows = Object.entries(COMMANDS).map(([name, { does }]) => `  ${name.padEnd(width)}   ${does}`);
  return `npm run release -- <command>\n\n${rows.join('\n')}\n\nA name is shell, catalog, account, orders or content; mfe-catalog works too.\nA day: build catalog, publish catalog, promote catalog. A bad night: status, rollback catalog.\n\n${COMMON}`;
}
