import fs from 'node:fs';
import { terminalText } from '@platform/releases';
import { FolderInUseError } from '../platform/db/folder-lock';
import { ownersUrl } from '../platform/db/roles';
import { decodeUtf8, EncodingError } from '../platform/http/plain-text';
import { openContext } from '../start';
import { Command, failed, type Outcome, outcomeOf, runCommand, SEE_HELP } from './commands';
import { help } from './help';
import { picturesOf } from './import-pictures';
import { restore } from './restore';
import { StaffError } from './staff/common';
import { consoleCommand, isConsoleCommand, type Terminal } from './staff/console';
import { staffName } from './staff/staff-name';

/**
 * A command line of `npm run shop`. The embedded database is its shop's alone, so there commands run while the shop is stopped.
 * Resolves to the exit code: 0, 1 for a refusal or a fault, 2 for unknown options.
 */
export async function runCli(
  args: string[],
  env: NodeJS.ProcessEnv,
  output: Console,
  input: Terminal = process.stdin,
): Promise<number> {
  const { code, out, err } = await outcomeOfLine(args, env, { input, ask: (text) => output.error(text) });
  if (err) output.error(terminalText(err.trimEnd(), { lines: true }));
  if (out) output.log(terminalText(out.trimEnd(), { lines: true }));
  return code;
}

/** Of a file that a command reads whole. */
const MOST_BYTES = 32 * 1024 * 1024;

type Asking = { input: Terminal; ask(text: string): void };

async function outcomeOfLine(args: string[], env: NodeJS.ProcessEnv, asking: Asking): Promise<Outcome> {
  let command: Command;
  try {
    command = new Command(args);
  } catch (error) {
    return { code: 2, out: '', err: `${(error as Error).message}\n${SEE_HELP}` };
  }
  if (command.options.help || !command.name) return { code: 0, out: help, err: '' };
  try {
    if (isConsoleCommand(command))
      return outcomeOf(await consoleCommand({ command, env, ...asking }), command.options.json ?? false);
    return await run(command, env);
  } catch (error) {
    return failed(error);
  }
}

async function run(command: Command, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const { DATA_DIR: dataDir = '.data', DATABASE_URL: databaseUrl } = env;
  if (command.name === 'restore') {
    const file = command.argument(0, 'a file');
    return { code: 0, out: await restore(file, { dataDir, databaseUrl, env, keys: command.options.keys }), err: '' };
  }
  const files = Object.fromEntries(command.files().map((name) => [name, readFile(name)]));
  const [catalogue = ''] = command.files();
  if (command.name === 'import') Object.assign(files, await picturesOf(catalogue, files[catalogue] ?? ''));
  const by = staffName(command.options.by, env);
  const context = await openContext({ dataDir, databaseUrl, env, seed: !command.options.empty }).catch((error) => {
    if (!(error.cause instanceof FolderInUseError)) throw error;
    throw new StaffError(`The shop is running on ${dataDir}: stop it first, or use the console at /staff.`);
  });
  try {
    return await runCommand(context, command, { by, files, databaseUrl: ownersUrl(databaseUrl, env) });
  } finally {
    await context.db.close();
  }
}

function readFile(file: string): string {
  let bytes: Buffer;
  try {
    const { size } = fs.statSync(file);
    if (size > MOST_BYTES) throw new StaffError(`${file} is over ${MOST_BYTES / 1024 / 1024} MB: divide it.`);
    bytes = fs.readFileSync(file);
  } catch (error) {
    throw error instanceof StaffError ? error : new StaffError(`${file} cannot be read.`);
  }
  try {
    return decodeUtf8(bytes);
  } catch (error) {
    if (!(error instanceof EncodingError)) throw error;
    throw new StaffError(`${file}:${error.line}: ${error.message}`);
  }
}
