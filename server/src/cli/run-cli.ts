import fs from 'node:fs';
import { parseArgs } from 'node:util';
import { actingAs } from '../audit/audit';
import { ownersUrl } from '../db/roles';
import { messageOf, shopErrorOf } from '../http/errors';
import { openContext, StartError } from '../start';
import { backup, restore } from './backup';
import { help } from './help';
import { type ImportReport, importFile } from './import';
import { FileError } from './read-records';
import { rotateKeys, rotationText } from './rotate-keys';
import { audit, StaffError } from './staff/common';
import { setArticle, setConfig } from './staff/content';
import { closeEnquiry, enquiries } from './staff/enquiries';
import { deliver, orderFields, refund, refuseRefund, waitingOrders } from './staff/orders';
import { payBack, payments, reconcileDay } from './staff/payments';
import { figures } from './staff/report';
import { staffName } from './staff/staff-name';
import { changeWallet, coupons, give, setUser, type WalletAction } from './staff/users';

const SEE_HELP = 'Try: npm run shop -- --help';
const USER_CHANGES = ['disable', 'enable', 'vip', 'no-vip', 'lock', 'unlock'] as const;

type Context = Awaited<ReturnType<typeof openContext>>;
type Options = ReturnType<typeof parse>['values'];

/** A command line of `npm run shop`. Resolves to the exit code: 0, 1 for a refusal or a fault, 2 for unknown options. */
export async function runCli(args: string[], env: NodeJS.ProcessEnv, output: Console): Promise<number> {
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    output.error(`${(error as Error).message}\n${SEE_HELP}`);
    return 2;
  }
  const { values, positionals } = parsed;
  const [name = '', ...rest] = positionals.map((one) => one.replace(/^\u2212/, '-'));
  if (values.help || !name) {
    output.log(help);
    return 0;
  }
  try {
    const result = await run(new Command(name, rest, values), env);
    print(result, values.json ?? false, output);
    return result instanceof FaultyImport ? 1 : 0;
  } catch (error) {
    output.error(faultText(error, rest[0]));
    return 1;
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
      currency: { type: 'string', default: 'CNY' },
      'title-zh': { type: 'string' },
      'title-en': { type: 'string' },
      zh: { type: 'string' },
      en: { type: 'string' },
      sort: { type: 'string', default: '100' },
    },
  });
}

/** What was typed; a missing part is a StaffError that names it. */
class Command {
  constructor(
    readonly name: string,
    readonly rest: string[],
    readonly options: Options,
  ) {}

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
}

const commands: Record<string, (context: Context, command: Command, env: NodeJS.ProcessEnv) => Promise<unknown>> = {
  import: importCommand,
  orders: (context) => waitingOrders(context),
  fields: (context, command) => orderFields(context, command.argument(0, 'an order number')),
  deliver: (context, command) => deliver(context, command.argument(0, 'an order number'), command.options.note),
  refund: (context, command) =>
    refund(context, command.argument(0, 'an order number'), command.option('reason'), {
      ...command.options,
      notDelivered: command.options['not-delivered'],
      revealedOk: command.options['revealed-ok'],
    }),
  'refuse-refund': (context, command) =>
    refuseRefund(context, command.argument(0, 'an order number'), command.option('reason')),
  payments: (context, command) => payments(context, command.argument(0, 'a number')),
  'pay-back': (context, command) => {
    const [paymentNo, amount] = [command.argument(0, 'a payment number'), command.argument(1, 'an amount')];
    return payBack(context, paymentNo, amount, command.option('reason'));
  },
  reconcile: (context, command) =>
    reconcileDay(context, command.argument(0, 'a day like 2026-01-31'), command.options.json ?? false),
  enquiries: (context, command) => enquiries(context, command.options.all ?? false),
  enquiry: (context, command) => closeEnquiry(context, command.argument(0, 'a number'), command.option('note')),
  coupons: (context) => coupons(context),
  give: (context, command) => give(context, command.argument(0, 'a phone'), command.argument(1, "a coupon's key")),
  adjust: walletCommand,
  freeze: walletCommand,
  thaw: walletCommand,
  user: async (context, command) => {
    const change = command.argument(1, 'a change');
    const known = USER_CHANGES.find((one) => one === change);
    if (!known) throw new StaffError(`"${change}" is none of ${USER_CHANGES.join(', ')}.`);
    return setUser(context, command.argument(0, 'a phone'), known);
  },
  article: (context, command) =>
    setArticle(context, command.argument(0, 'an id'), {
      titleZh: command.option('title-zh'),
      titleEn: command.option('title-en'),
      zh: readFile(command.option('zh')),
      en: readFile(command.option('en')),
      sort: Number(command.options.sort) || 100,
    }),
  config: (context, command) => setConfig(context, command.argument(0, 'a key'), command.argument(1, 'a value')),
  report: (context, command) => figures(context, command.rest[0] ?? new Date().toISOString().slice(0, 10)),
  'rotate-keys': async (context, command) => {
    const report = await rotateKeys(context);
    return command.options.json ? report : rotationText(report, context.keyring.currentId);
  },
  backup: async (context, command, env) => {
    const file = command.argument(0, 'a file');
    await audit(context.db, 'backup', file);
    return backup(context.db, file, ownersUrl(env.DATABASE_URL, env));
  },
};

async function run(command: Command, env: NodeJS.ProcessEnv): Promise<unknown> {
  const { DATA_DIR: dataDir = '.data', DATABASE_URL: databaseUrl } = env;
  if (command.name === 'restore') {
    return restore(command.argument(0, 'a file'), { dataDir, databaseUrl, env, keys: command.options.keys });
  }
  const execute = Object.hasOwn(commands, command.name) ? commands[command.name] : undefined;
  if (!execute) throw new StaffError(`There is no command "${command.name}". ${SEE_HELP}`);
  const actor = `${staffName(command.options.by, env)} (staff)`;
  const context = await openContext({ dataDir, databaseUrl, env, seed: !command.options.empty });
  try {
    return await actingAs({ actor }, () => execute(context, command, env));
  } finally {
    await context.db.close();
  }
}

/** A file that was not imported because of the faults in it. */
class FaultyImport {
  constructor(
    readonly file: string,
    readonly report: ImportReport,
  ) {}
}

async function importCommand(context: Context, command: Command): Promise<unknown> {
  const file = command.argument(0, 'a file');
  const dryRun = command.options['dry-run'] ?? false;
  const report = await importFile(context, file, readFile(file), { dryRun });
  if (report.faults.length > 0) return new FaultyImport(file, report);
  if (command.options.json) return report;
  const { goods, cards, known, banners, modules } = report;
  const home = banners + modules > 0 ? `, ${banners} banners, ${modules} modules of the home page` : '';
  const done = `${goods} goods, ${cards} new codes, ${known} known codes${home}`;
  return dryRun ? `The file is fine: ${done}. Nothing was changed.` : `Imported ${done}.`;
}

async function walletCommand(context: Context, command: Command): Promise<unknown> {
  const { currency, reason, json } = command.options;
  const balance = await changeWallet(context, command.name as WalletAction, {
    phone: command.argument(0, 'a phone'),
    amount: command.argument(1, 'an amount'),
    currency,
    reason,
  });
  return json ? { balance } : `Balance: ${balance} ${currency}`;
}

function readFile(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    throw new StaffError(`${file} cannot be read.`);
  }
}

function print(result: unknown, json: boolean, output: Console): void {
  if (result instanceof FaultyImport && !json) {
    const { file, report } = result;
    for (const { line, message } of report.faults) output.error(`${file}:${line}: ${message}`);
    output.log(`Nothing was imported: ${report.faults.length} line(s) to mend.`);
  } else if (json) {
    const shown = result instanceof FaultyImport ? result.report : (result ?? { done: true });
    output.log(JSON.stringify(shown, null, 2));
  } else if (typeof result === 'string') output.log(result);
  else if (Array.isArray(result)) result.length > 0 ? output.table(result) : output.log('None.');
  else output.log(result === undefined ? 'Done.' : result);
}

function faultText(error: unknown, file: string | undefined): unknown {
  const refused = shopErrorOf(error);
  if (refused) return `${messageOf(refused.code, 'en')}.`;
  if (error instanceof FileError) return `${file}:${error.line}: ${error.message}`;
  if (error instanceof StaffError || error instanceof StartError) return error.message;
  return (error as Error).message ?? error;
}
