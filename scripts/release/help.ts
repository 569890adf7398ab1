import { COMMANDS } from './commands';

const COMMON = `Options of every command
  --store <place>    the store (default: RELEASE_STORE, then DATA_DIR/store, then .data/store)
  --by <name>        the author in the history (default: RELEASE_BY, then the account)
  --shop <url>       use the API of this shop instead of the store (default: RELEASE_SHOP), with a key in RELEASE_KEY or a
                     token of the forge in RELEASE_TOKEN; the history names its owner
  --json             print one JSON document on standard output, nothing else
  --help             print this help, or the help of one command
Options of commands that change something
  --dry-run          print what would happen and change nothing

Exit codes
  0 done, or already done   1 failed   2 wrong usage   3 refused by the gate   4 another change came first   5 frozen
  6 not allowed`;

export function helpOf(name?: string): string {
  const command = name === undefined ? undefined : COMMANDS[name];
  if (command) {
    const { usage, does, more } = command;
    return `npm run release -- ${usage}\n\n${does}\n${more ? `${more}\n` : ''}\n${COMMON}`;
  }
  const width = Math.max(...Object.keys(COMMANDS).map((command) => command.length));
  const rows = Object.entries(COMMANDS).map(([command, { does }]) => `  ${command.padEnd(width)}   ${does}`);
  return `npm run release -- <command>\n\n${rows.join('\n')}\n\nA name is shell, catalog, account, orders or content; mfe-catalog works too.\nTo release: publish catalog, promote catalog. After an incident: status, rollback catalog.\n\n${COMMON}`;
}
