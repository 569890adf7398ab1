import { ConflictError, GateError, MapError, terminalText } from '@platform/releases';
import { ReleaseApiError, UsageError } from '@platform/releases/service';
import { COMMANDS } from './commands';
import { checkLine, jsonText } from './print';

const EXIT = { ok: 0, failed: 1, usage: 2, gate: 3, conflict: 4, frozen: 5, notAllowed: 6 } as const;

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

/** Runs `<command> …`. Returns the exit code. */
export async function main([name, ...args]: string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const json = args.includes('--json');
  try {
    if (name === undefined || name.startsWith('-')) {
      console.log(helpOf());
      return name === '--help' || name === '-h' ? EXIT.ok : EXIT.usage;
    }
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (!command) throw new UsageError(`"${name}" is not a command`);
    const outcome = await command.execute(args, env);
    if (!outcome) {
      console.log(helpOf(name));
      return EXIT.ok;
    }
    const { result, ok, print } = outcome;
    if (json) console.log(jsonText(result));
    else {
      print((text) => console.log(terminalText(text)));
      for (const entry of [result].flat() as Array<{ warnings?: string[] } | undefined>)
        for (const text of entry?.warnings ?? []) console.error(terminalText(`warning: ${text}`));
    }
    return ok ? EXIT.ok : EXIT.failed;
  } catch (error) {
    if (json) printJsonError(error);
    else printError(error);
    return exitCodeOf(error);
  }
}

function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return EXIT.usage;
  if (error instanceof GateError) return EXIT.gate;
  if (error instanceof ConflictError) return EXIT.conflict;
  if (error instanceof MapError && error.code === 'frozen') return EXIT.frozen;
  if (error instanceof ReleaseApiError) return EXIT_OF_API[error.kind] ?? EXIT.failed;
  return EXIT.failed;
}

const EXIT_OF_API: Record<string, number> = {
  conflict: EXIT.conflict,
  frozen: EXIT.frozen,
  forbidden: EXIT.notAllowed,
  unauthorised: EXIT.notAllowed,
  insecure: EXIT.notAllowed,
};

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function printJsonError(error: unknown): void {
  const verdict = error instanceof GateError ? { verdict: error.verdict } : {};
  console.log(jsonText({ error: messageOf(error), code: exitCodeOf(error), ...verdict }));
}

function printError(error: unknown): void {
  if (error instanceof GateError) {
    const { name, version, checks } = error.verdict;
    for (const check of checks) if (check.outcome === 'failed') console.error(checkLine(check));
    console.error(`release: ${name}@${version} did not pass the gate; nothing was changed`);
  } else console.error(`release: ${terminalText(messageOf(error), { lines: true })}`);
  if (error instanceof UsageError) console.error('Help: npm run release -- --help');
}
