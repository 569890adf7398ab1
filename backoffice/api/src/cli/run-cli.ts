import fs from 'node:fs';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { hasControlCharacters, terminalText } from '@platform/releases';
import { StaffError } from '@shop/server/cli/common';
import { rotateKeys, rotationText } from '@shop/server/cli/rotate-keys';
import type { AppContext } from '@shop/server/context';
import { actingAs } from '@shop/server/platform/audit/audit';
import { FolderInUseError } from '@shop/server/platform/db/folder-lock';
import { openContext } from '@shop/server/start';
import { invitationAddress, invite } from '../people/invitations.service';
import { record } from '../people/record';
import { importFile } from './import';

const help = `Usage: npm run shop -- <command> [options]

Goods and codes
  import <file>              load a catalogue from .json, or codes from .csv; all or nothing. Existing goods keep the
                             fields that the file does not name
      --dry-run              check only, change nothing
      --empty                into a new shop without the demonstration's goods
Access to the staff console at /staff
  staff-setup                a single-use address for a new manager, valid for 24 hours, when no one can sign in any more
Safety
  rotate-keys                encrypt every encrypted value with the first key of CARD_KEYS, and count what is left on each key

Options for all: --by <name> (who goes into the audit log; the login of this machine), --help
The data is found as the server finds it: DATA_DIR (.data), DATABASE_URL. On PostgreSQL they work while the shop runs.
The embedded database is the running shop's alone: stop the shop first, or use the console.`;
const SEE_HELP = 'Try: npm run shop -- --help';

function parse(args: string[]) {
  if (args.some((arg) => hasControlCharacters(arg, { lines: true })))
    throw new StaffError('The command has invisible control characters: type it again.');
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    args,
    options: {
      help: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      empty: { type: 'boolean' },
      by: { type: 'string' },
    },
  });
  const [name, file] = positionals;
  return { ...values, name, file };
}
type Command = ReturnType<typeof parse>;

/** Returns what to print. */
type Work = (context: AppContext) => Promise<string>;

/** A command parses its arguments and files before a database is opened or created. It throws StaffError for faulty ones. */
const commands = new Map<string | undefined, (command: Command) => Work>([
  ['import', importCommand],
  [
    'staff-setup',
    () =>
      async ({ config, db, keyring }) => {
        await record(db, { action: 'staff.invite', subject: 'a manager' });
        const origin = config.staffUrl || `http://localhost:${process.env.STAFF_PORT ?? 8081}`;
        return invitationAddress(origin, await invite(db, keyring, {}));
      },
  ],
  ['rotate-keys', () => async (context) => rotationText(await rotateKeys(context), context.keyring.currentId)],
]);

function importCommand({ file, 'dry-run': dryRun = false }: Command): Work {
  if (!file) throw new StaffError(`import needs a file. ${SEE_HELP}`);
  const text = readTextFile(file);
  return async (context) => {
    const { goods, cards, known, faults } = await importFile(context, file, text, { dryRun });
    if (faults.length > 0) {
      const lines = faults.map(({ line, message }) => `${line ? `${file}:${line}` : file}: ${message}`);
      throw new StaffError([...lines, `Nothing was imported: ${lines.length} fault(s) to fix.`].join('\n'));
    }
    const done = `${goods} goods, ${cards} new codes, ${known} known codes`;
    return dryRun ? `The file is fine: ${done}. Nothing was changed.` : `Imported ${done}.`;
  };
}

const MOST_BYTES = 32 * 1024 * 1024;

function readTextFile(file: string): string {
  let bytes: Buffer;
  try {
    const { size } = fs.statSync(file);
    if (size > MOST_BYTES) throw new StaffError(`${file} is over ${MOST_BYTES / 1024 / 1024} MB: split it.`);
    bytes = fs.readFileSync(file);
  } catch (error) {
    throw error instanceof StaffError ? error : new StaffError(`${file} cannot be read.`);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new StaffError(`${file} is not UTF-8: save it as UTF-8.`);
  }
}

/**
 * Runs a command line of `npm run shop`. The shop must be stopped if it uses the embedded database, which only one process can
 * open. Resolves to the exit code: 0, 1 for a refusal or a fault, 2 for unknown options.
 */
export async function runCli(args: string[], env: NodeJS.ProcessEnv, output: Console): Promise<number> {
  const print = (text: string) => output.log(terminalText(text, { lines: true }));
  const complain = (text: string) => output.error(terminalText(text, { lines: true }));
  let command: Command;
  try {
    command = parse(args);
  } catch (error) {
    complain(`${(error as Error).message}\n${SEE_HELP}`);
    return 2;
  }
  try {
    print(command.help || !command.name ? help : (await run(command, env)).trimEnd());
    return 0;
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

async function run(command: Command, env: NodeJS.ProcessEnv): Promise<string> {
  const { DATA_DIR: dataDir = '.data', DATABASE_URL: databaseUrl } = env;
  const work = commands.get(command.name)?.(command);
  if (!work) throw new StaffError(`There is no command "${command.name}". ${SEE_HELP}`);
  const actor = `${staffName(command.by, env)} (staff)`;
  const context = await openContext({ dataDir, databaseUrl, env, seed: !command.empty }).catch((error) => {
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
