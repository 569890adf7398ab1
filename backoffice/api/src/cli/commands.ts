import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { audit, StaffError } from '@shop/server/cli/common';
import { rotateKeys, rotationText } from '@shop/server/cli/rotate-keys';
import type { AppContext } from '@shop/server/context';
import { hasControlCharacters } from '@shop/server/platform/http/plain-text';
import { invitationAddress, invite } from '../people/invitations.service';
import { type ImportReport, importFile } from './import';

export const SEE_HELP = 'Try: npm run shop -- --help';

export class Command {
  readonly name: string;
  readonly rest: string[];
  readonly options: ReturnType<typeof parse>['values'];

  constructor(args: string[]) {
    if (args.some((arg) => hasControlCharacters(arg, { lines: true })))
      throw new StaffError('The command has invisible control characters: type it again.');
    const { values, positionals } = parse(args);
    const [name = '', ...rest] = positionals;
    this.name = name;
    this.rest = rest;
    this.options = values;
  }

  argument(index: number, what: string): string {
    const value = this.rest[index];
    if (!value) throw new StaffError(`${this.name} needs ${what}. ${SEE_HELP}`);
    return value;
  }
}

const parse = (args: string[]) =>
  parseArgs({
    allowPositionals: true,
    args,
    options: {
      help: { type: 'boolean' },
      json: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      empty: { type: 'boolean' },
      by: { type: 'string' },
    },
  });

/** Returns what to print. */
type Work = (context: AppContext) => Promise<unknown>;

/** A command parses its arguments and files before a database is opened or created. */
const commands: Record<string, (command: Command) => Work> = {
  import: importCommand,
  'staff-setup':
    () =>
    async ({ config, db, keyring }) => {
      await audit(db, 'staff.invite', 'a manager');
      const origin = config.staffUrl || `http://localhost:${process.env.STAFF_PORT ?? 8081}`;
      return invitationAddress(origin, await invite(db, keyring, {}));
    },
  'rotate-keys':
    ({ options }) =>
    async (context) => {
      const report = await rotateKeys(context);
      return options.json ? report : rotationText(report, context.keyring.currentId);
    },
};

/** Throws StaffError for an unknown command and for faulty arguments and files. */
export function workOf(command: Command): Work {
  const work = Object.hasOwn(commands, command.name) ? commands[command.name] : undefined;
  if (!work) throw new StaffError(`There is no command "${command.name}". ${SEE_HELP}`);
  return work(command);
}

export class FaultyImportError extends Error {
  constructor(
    file: string,
    readonly report: ImportReport,
  ) {
    super(report.faults.map(({ line, message }) => `${line ? `${file}:${line}` : file}: ${message}`).join('\n'));
  }
}

function importCommand(command: Command): Work {
  const file = command.argument(0, 'a file');
  const text = readTextFile(file);
  const { 'dry-run': dryRun = false, json } = command.options;
  return async (context) => {
    const report = await importFile(context, file, text, { dryRun });
    if (report.faults.length > 0) throw new FaultyImportError(file, report);
    if (json) return report;
    const { goods, cards, known } = report;
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
