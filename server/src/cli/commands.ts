import { Console } from 'node:console';
import { Writable } from 'node:stream';
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
import { setArticle, setConfig } from './staff/content';
import { closeEnquiry, enquiries } from './staff/enquiries';
import { deliver, orderFields, refund, refuseRefund, waitingOrders } from './staff/orders';
import { payBack, payments, reconcileDay } from './staff/payments';
import { closures, erase, exportData } from './staff/privacy';
import { figures } from './staff/report';
import { staffName } from './staff/staff-name';
import { changeWallet, coupons, give, setUser, type WalletAction } from './staff/users';

export const SEE_HELP = 'Try: npm run shop -- --help';
const USER_CHANGES = ['disable', 'enable', 'vip', 'no-vip', 'lock', 'unlock'] as const;

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
    const [name = '', ...rest] = positionals.map((one) => one.replace(/^\u2212/, '-'));
    this.name = name;
    this.rest = rest;
    this.options = values;
  }

  argument(index: number, what: string): string {
    const value = this.rest[index];
    if (!value) throw new StaffError(`${this.name} needs ${what}. ${SEE_HELP}`);
    return value;
  }

  option(name: 'title-zh' | 'title-en' | 'zh' | 'en' | 'reason' | 'note'): string {
    const value = this.options[name];
    if (!value) throw new StaffError(`${this.name} needs --${name}. ${SEE_HELP}`);
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
    // "-5.00" after "adjust" is an amount, not an option.
    args: args.map((one) => (/^-\d/.test(one) ? `\u2212${one.slice(1)}` : one)),
    options: {
      help: { type: 'boolean' },
      json: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      empty: { type: 'boolean' },
      'not-delivered': { type: 'boolean' },
      'revealed-ok': { type: 'boolean' },
      all: { type: 'boolean' },
      by: { type: 'string' },
      amount: { type: 'string' },
      quantity: { type: 'string' },
      to: { type: 'string' },
      key: { type: 'string' },
      note: { type: 'string', default: '' },
      keys: { type: 'string' },
      reason: { type: 'string', default: '' },
      role: { type: 'string' },
      url: { type: 'string' },
      currency: { type: 'string', default: 'CNY' },
      'title-zh': { type: 'string' },
      'title-en': { type: 'string' },
      zh: { type: 'string' },
      en: { type: 'string' },
      sort: { type: 'string', default: '100' },
    },
  });
}

interface CommandEntry {
  run(context: AppContext, command: Command, surroundings: Surroundings): Promise<unknown>;
  files?(command: Command): string[];
}

const commands: Record<string, CommandEntry> = {
  import: { run: importCommand, files: (command) => [command.argument(0, 'a file')] },
  orders: { run: (context) => waitingOrders(context) },
  fields: { run: (context, command) => orderFields(context, command.argument(0, 'an order number')) },
  deliver: {
    run: (context, command) => deliver(context, command.argument(0, 'an order number'), command.options.note),
  },
  refund: {
    run: (context, command) =>
      refund(context, command.argument(0, 'an order number'), command.option('reason'), {
        ...command.options,
        notDelivered: command.options['not-delivered'],
        revealedOk: command.options['revealed-ok'],
      }),
  },
  'refuse-refund': {
    run: (context, command) => refuseRefund(context, command.argument(0, 'an order number'), command.option('reason')),
  },
  payments: { run: (context, command) => payments(context, command.argument(0, 'a number')) },
  'pay-back': {
    run: (context, command) => {
      const [paymentNo, amount] = [command.argument(0, 'a payment number'), command.argument(1, 'an amount')];
      return payBack(context, paymentNo, amount, command.option('reason'));
    },
  },
  reconcile: {
    run: (context, command) =>
      reconcileDay(context, command.argument(0, 'a day like 2026-01-31'), command.options.json ?? false),
  },
  enquiries: { run: (context, command) => enquiries(context, command.options.all ?? false) },
  enquiry: {
    run: (context, command) => closeEnquiry(context, command.argument(0, 'a number'), command.option('note')),
  },
  coupons: { run: (context) => coupons(context) },
  give: {
    run: (context, command) => give(context, command.argument(0, 'a phone'), command.argument(1, "a coupon's key")),
  },
  adjust: { run: walletCommand },
  freeze: { run: walletCommand },
  thaw: { run: walletCommand },
  user: {
    run: async (context, command) => {
      const change = command.argument(1, 'a change');
      const known = USER_CHANGES.find((one) => one === change);
      if (!known) throw new StaffError(`"${change}" is none of ${USER_CHANGES.join(', ')}.`);
      return setUser(context, command.argument(0, 'a phone'), known);
    },
  },
  'staff-setup': {
    run: async (context) => {
      const { config, db, keyring } = context;
      await audit(db, 'staff.invite', 'a manager');
      const origin = config.providers.publicUrl || `http://localhost:${process.env.PORT ?? 8080}`;
      return invitationAddress(origin, await invite(db, keyring, {}));
    },
  },
  article: {
    run: (context, command, { files }) =>
      setArticle(context, command.argument(0, 'an id'), {
        titleZh: command.option('title-zh'),
        titleEn: command.option('title-en'),
        zh: files[command.option('zh')] ?? '',
        en: files[command.option('en')] ?? '',
        sort: Number(command.options.sort) || 100,
      }),
    files: (command) => [command.option('zh'), command.option('en')],
  },
  export: {
    run: (context, command) => exportData(context, command.argument(0, 'a phone'), command.argument(1, 'a file')),
  },
  closures: { run: (context) => closures(context) },
  erase: { run: (context, command) => erase(context, command.argument(0, 'a phone'), command.option('reason')) },
  config: {
    run: (context, command) => setConfig(context, command.argument(0, 'a key'), command.argument(1, 'a value')),
  },
  report: { run: (context, command) => figures(context, command.rest[0] ?? new Date().toISOString().slice(0, 10)) },
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

async function walletCommand(context: AppContext, command: Command): Promise<unknown> {
  const { currency, reason, json } = command.options;
  const balance = await changeWallet(context, command.name as WalletAction, {
    phone: command.argument(0, 'a phone'),
    amount: command.argument(1, 'an amount'),
    currency,
    reason,
  });
  return json ? { balance } : `Balance: ${balance} ${currency}`;
}

export function outcomeOf(result: unknown, json: boolean): Outcome {
  const faults = result instanceof FaultyImport ? result : undefined;
  const shown = faults?.report ?? result;
  const [out, err] = [new Text(), new Text()];
  const output = new Console({ stdout: out, stderr: err, colorMode: false });
  if (json) output.log(JSON.stringify(shown ?? { done: true }, null, 2));
  else if (faults) {
    for (const { line, message } of faults.report.faults) output.error(`${faults.file}:${line}: ${message}`);
    output.log(`Nothing was imported: ${faults.report.faults.length} line(s) to mend.`);
  } else if (Array.isArray(shown)) shown.length > 0 ? output.table(shown) : output.log('None.');
  else output.log(shown === undefined ? 'Done.' : shown);
  return { code: faults ? 1 : 0, out: out.text, err: err.text };
}

class Text extends Writable {
  text = '';
  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk;
    done();
  }
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
