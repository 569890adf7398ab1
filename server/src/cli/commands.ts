import { parseArgs } from 'node:util';
import { FileError } from '../catalogue/csv';
import type { AppContext } from '../context';
import { actingAs } from '../platform/audit/audit';
import { messageOf, shopErrorOf } from '../platform/http/errors';
import { hasControlCharacters } from '../platform/http/plain-text';
import { invitationAddress, invite } from '../staff/invitations.service';
import { backup } from './backup';
import { type ImportReport, importFile } from './import';
import { rotateKeys, rotationText } from './rotate-keys';
import { audit, StaffError } from './staff/common';
import { staffName } from './staff/staff-name';

export const SEE_HELP = 'Try: npm run shop -- --help';

/** What a command needs beside its own words. */
export interface Surroundings {
  /** Who runs it. */
  by: string;
  /** Contents of the files that the command reads, by name. */
  files: Record<string, string>;
  /** Of PostgreSQL, as the tables' owner. */
  databaseUrl?: string;
}

/** What whoever typed the command gets: 0, 1 for a refusal or a fault, 2 for unknown options; and its texts. */
export interface Outcome {
  code: number;
  out: string;
  err: string;
}

/** What was typed; a missing part is a StaffError that names it. */
export class Command {
  readonly name: string;
  readonly rest: string[];
  readonly options: ReturnType<typeof parse>['values'];

  /** Throws when an option is unknown. */
  constructor(args: string[]) {
    if (args.some((one) => hasControlCharacters(one, { lines: true })))
      throw new StaffError('It holds control characters, which cannot be seen: type it again.');
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

  /** Names of the files that it reads. Throws StaffError for an unknown command. */
  files(): string[] {
    return this.entry().files?.(this) ?? [];
  }

  entry(): CommandEntry {
    const entry = Object.hasOwn(commands, this.name) ? commands[this.name] : undefined;
    if (!entry) throw new StaffError(`There is no command "${this.name}". ${SEE_HELP}`);
    return entry;
  }
}

function parse(args: string[]) {
  return parseArgs({
    allowPositionals: true,
    args,
    options: {
      help: { type: 'boolean' },
      json: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      empty: { type: 'boolean' },
      by: { type: 'string' },
      keys: { type: 'string' },
      url: { type: 'string' },
    },
  });
}

interface CommandEntry {
  run(context: AppContext, command: Command, surroundings: Surroundings): Promise<unknown>;
  files?(command: Command): string[];
}

const commands: Record<string, CommandEntry> = {
  import: { run: importCommand, files: (command) => [command.argument(0, 'a file')] },
  'staff-setup': {
    run: async (context) => {
      const { config, db, keyring } = context;
      await audit(db, 'staff.invite', 'a manager');
      const origin = config.providers.publicUrl || `http://localhost:${process.env.PORT ?? 8080}`;
      return invitationAddress(origin, await invite(db, keyring, {}));
    },
  },
  'rotate-keys': {
    run: async (context, command) => {
      const report = await rotateKeys(context);
      return command.options.json ? report : rotationText(report, context.keyring.currentId);
    },
  },
  backup: {
    run: async (context, command, { databaseUrl }) => {
      const file = command.argument(0, 'a file');
      await audit(context.db, 'backup', file);
      return backup(context, file, databaseUrl);
    },
  },
};

/** Runs a command to its end, also a refused one. */
export async function runCommand(context: AppContext, command: Command, surroundings: Surroundings): Promise<Outcome> {
  try {
    const actor = `${staffName(surroundings.by, {})} (staff)`;
    const result = await actingAs({ actor }, () => command.entry().run(context, command, surroundings));
    return outcomeOf(result, command.options.json ?? false);
  } catch (error) {
    return failed(error, command.rest[0]);
  }
}

/** A file that was not imported because of the faults in it. */
class FaultyImport {
  constructor(
    readonly file: string,
    readonly report: ImportReport,
  ) {}
}

async function importCommand(context: AppContext, command: Command, { files }: Surroundings): Promise<unknown> {
  const file = command.argument(0, 'a file');
  const dryRun = command.options['dry-run'] ?? false;
  const report = await importFile(context, file, files[file] ?? '', { dryRun, pictures: files });
  if (report.faults.length > 0) return new FaultyImport(file, report);
  if (command.options.json) return report;
  const { goods, cards, known, banners, modules } = report;
  const home = banners + modules > 0 ? `, ${banners} banners, ${modules} modules of the home page` : '';
  const done = `${goods} goods, ${cards} new codes, ${known} known codes${home}`;
  return dryRun ? `The file is fine: ${done}. Nothing was changed.` : `Imported ${done}.`;
}

export function outcomeOf(result: unknown, json: boolean): Outcome {
  const shown = (value: unknown) => (json || typeof value !== 'string' ? JSON.stringify(value, null, 2) : value);
  if (!(result instanceof FaultyImport)) return { code: 0, out: shown(result), err: '' };
  const { file, report } = result;
  if (json) return { code: 1, out: shown(report), err: '' };
  const lines = report.faults.map(({ line, message }) => `${file}:${line}: ${message}\n`);
  return { code: 1, out: `Nothing was imported: ${lines.length} line(s) to mend.`, err: lines.join('') };
}

export function failed(error: unknown, file?: string): Outcome {
  return { code: 1, out: '', err: `${faultText(error, file)}\n` };
}

function faultText(error: unknown, file: string | undefined): string {
  const refused = shopErrorOf(error);
  if (refused) return `${messageOf(refused.code, 'en')}.`;
  if (error instanceof FileError) return `${file}:${error.line}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
