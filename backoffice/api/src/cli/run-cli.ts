import os from 'node:os';
import { terminalText } from '@platform/releases';
import { StaffError } from '@shop/server/cli/common';
import { actingAs } from '@shop/server/platform/audit/audit';
import { FolderInUseError } from '@shop/server/platform/db/folder-lock';
import { openContext } from '@shop/server/start';
import { Command, FaultyImportError, SEE_HELP, workOf } from './commands';
import { help } from './help';

/**
 * Runs a command line of `npm run shop`. The shop must be stopped if it uses the embedded database, which only one process can
 * open. Resolves to the exit code: 0, 1 for a refusal or a fault, 2 for unknown options.
 */
export async function runCli(args: string[], env: NodeJS.ProcessEnv, output: Console): Promise<number> {
  const print = (text: string) => output.log(terminalText(text, { lines: true }));
  const complain = (text: string) => output.error(terminalText(text, { lines: true }));
  let command: Command;
  try {
    command = new Command(args);
  } catch (error) {
    complain(`${(error as Error).message}\n${SEE_HELP}`);
    return 2;
  }
  const { help: asksForHelp, json } = command.options;
  const shown = (result: unknown) =>
    json || typeof result !== 'string' ? JSON.stringify(result, null, 2) : result.trimEnd();
  try {
    if (asksForHelp || !command.name) print(help);
    else print(shown(await run(command, env)));
    return 0;
  } catch (error) {
    if (!(error instanceof FaultyImportError)) complain(error instanceof Error ? error.message : String(error));
    else if (json) print(shown(error.report));
    else {
      complain(error.message);
      print(`Nothing was imported: ${error.report.faults.length} fault(s) to fix.`);
    }
    return 1;
  }
}

async function run(command: Command, env: NodeJS.ProcessEnv): Promise<unknown> {
  const { DATA_DIR: dataDir = '.data', DATABASE_URL: databaseUrl } = env;
  const work = workOf(command);
  const actor = `${staffName(command.options.by, env)} (staff)`;
  const context = await openContext({ dataDir, databaseUrl, env, seed: !command.options.empty }).catch((error) => {
    if (!(error.cause instanceof FolderInUseError)) throw error;
    throw new StaffError(`The shop is running on ${dataDir}: stop it first, or use the console at /staff.`);
  });
  try {
    return await actingAs({ actor }, () => work(context));
  } finally {
    await context.db.close();
  }
}

function staffName(option: string | undefined, env: NodeJS.ProcessEnv): string {
  const name = (option ?? env.SUDO_USER ?? loginName()).trim();
  if (!/^[\p{L}\p{N}][\p{L}\p{N} @._-]{0,39}$/u.test(name))
    throw new StaffError('Give your name: --by <name>, up to 40 letters and digits.');
  return name;
}

/** Empty for a user without a name, as in some containers. */
function loginName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return '';
  }
}
