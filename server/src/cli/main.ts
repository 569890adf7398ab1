import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { connectPostgres, openEmbedded } from '../db/database';
import { messageOf, shopErrorOf } from '../http/errors';
import { openContext, StartError } from '../start';
import { importFile } from './import';
import { FileError } from './read-records';
import { rotateKeys } from './rotate-keys';
import * as staff from './staff';

const help = `Usage: npm run shop -- <command> [options]

Goods and codes
  import <file>              load a catalogue or card codes from .json or .csv; all or nothing
      --dry-run              check only, change nothing
      --empty                into a new shop without the demonstration's goods
Orders
  orders                     paid orders that wait for delivery, and refunds that are asked for
  fields <order_no>          what the buyer filled in (put on record)
  deliver <order_no>         mark as delivered                        [--note "…"]
  refund <order_no>          pay back to the wallet in full            --reason "…"
  refuse-refund <order_no>   refuse a refund that is asked for         --reason "…"
Payments
  payments <number>          those of an order, a recharge or a payment number
  pay-back <payment_no> <amount>  out of the wallet, back to where the money came from   --reason "…"
Coupons
  coupons                    list of coupons with their keys
  give <phone> <coupon key>  give a coupon
Wallets and users
  adjust <phone> <±amount>   credit or deduct                          --reason "…" [--currency CNY]
  freeze <phone> <amount>    move into the frozen part                 --reason "…" [--currency CNY]
  thaw <phone> <amount>      and back                                  --reason "…" [--currency CNY]
  user <phone> <change>      disable, enable, vip, no-vip, lock or unlock (the wallet)
Texts
  article <id>               --title-zh … --title-en … --zh file.html --en file.html [--sort 10]
  config <key> <value>       text, or JSON like {"zh-CN":"…","en":"…"}
Figures and safety
  report [day]               the day's figures (UTC)
  backup <file>              copy of the database; the shop may run meanwhile on PostgreSQL (needs pg_dump)
  restore <file>             into an empty data folder, or an empty PostgreSQL database (needs pg_restore)
  rotate-keys                encrypt all codes with the first key of CARD_KEYS

Options for all: --json (machine-readable), --help
The data is found as the server finds it: DATA_DIR (.data), DATABASE_URL. The embedded database serves one program at a
time: stop the shop first, or use PostgreSQL.`;

const { values, positionals } = parse();

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      // "-5.00" after "adjust" is an amount.
      args: process.argv.slice(2).map((one) => (/^-\d/.test(one) ? `\u2212${one.slice(1)}` : one)),
      options: {
        help: { type: 'boolean' },
        json: { type: 'boolean' },
        'dry-run': { type: 'boolean' },
        empty: { type: 'boolean' },
        note: { type: 'string', default: '' },
        reason: { type: 'string', default: '' },
        currency: { type: 'string', default: 'CNY' },
        'title-zh': { type: 'string' },
        'title-en': { type: 'string' },
        zh: { type: 'string' },
        en: { type: 'string' },
        sort: { type: 'string', default: '100' },
      },
    });
  } catch (error) {
    console.error(`${(error as Error).message}\nTry: npm run shop -- --help`);
    process.exit(2);
  }
}

const [command = '', ...rest] = positionals.map((one) => one.replace(/^\u2212/, '-'));
const { DATA_DIR = '.data', DATABASE_URL } = process.env;

/** The argument at `index`, or a line that says which one is missing. */
function argument(index: number, name: string): string {
  const value = rest[index];
  if (!value) throw new staff.StaffError(`${command} needs ${name}. Try: npm run shop -- --help`);
  return value;
}
function option(name: 'title-zh' | 'title-en' | 'zh' | 'en' | 'reason'): string {
  const value = values[name];
  if (!value) throw new staff.StaffError(`${command} needs --${name}. Try: npm run shop -- --help`);
  return value;
}

type Opened = Awaited<ReturnType<typeof openContext>>;
const commands: Record<string, (context: Opened) => Promise<unknown>> = {
  import: async (context) => {
    const file = argument(0, 'a file');
    const report = await importFile(context, file, readFile(file), { dryRun: values['dry-run'] });
    if (report.faults.length) {
      process.exitCode = 1;
      if (values.json) return report;
      for (const { line, message } of report.faults) console.error(`${file}:${line}: ${message}`);
      return `Nothing was imported: ${report.faults.length} line(s) to mend.`;
    }
    const done = `${report.goods} goods, ${report.cards} new codes, ${report.known} known codes`;
    return values.json
      ? report
      : values['dry-run']
        ? `The file is fine: ${done}. Nothing was changed.`
        : `Imported ${done}.`;
  },
  orders: (context) => staff.waitingOrders(context),
  fields: (context) => staff.orderFields(context, argument(0, 'an order number')),
  deliver: (context) => staff.deliver(context, argument(0, 'an order number'), values.note),
  refund: (context) => staff.refund(context, argument(0, 'an order number'), option('reason')),
  'refuse-refund': (context) => staff.refuseRefund(context, argument(0, 'an order number'), option('reason')),
  payments: (context) => staff.payments(context, argument(0, 'a number')),
  'pay-back': (context) =>
    staff.payBack(context, argument(0, 'a payment number'), argument(1, 'an amount'), option('reason')),
  coupons: (context) => staff.coupons(context),
  give: (context) => staff.give(context, argument(0, 'a phone'), argument(1, "a coupon's key")),
  adjust: (context) => wallet(context, 'adjust'),
  freeze: (context) => wallet(context, 'freeze'),
  thaw: (context) => wallet(context, 'thaw'),
  user: async (context) => {
    const change = argument(1, 'a change');
    const known = ['disable', 'enable', 'vip', 'no-vip', 'lock', 'unlock'] as const;
    const found = known.find((one) => one === change);
    if (!found) throw new staff.StaffError(`"${change}" is none of ${known.join(', ')}.`);
    return staff.setUser(context, argument(0, 'a phone'), found);
  },
  article: (context) =>
    staff.setArticle(context, argument(0, 'an id'), {
      titleZh: option('title-zh'),
      titleEn: option('title-en'),
      zh: readFile(option('zh')),
      en: readFile(option('en')),
      sort: Number(values.sort) || 100,
    }),
  config: (context) => staff.setConfig(context, argument(0, 'a key'), argument(1, 'a value')),
  report: (context) => staff.figures(context, rest[0] ?? new Date().toISOString().slice(0, 10)),
  'rotate-keys': async (context) => `${await rotateKeys(context)} codes encrypted with the first key.`,
  backup: async (context) => {
    const file = argument(0, 'a file');
    if (DATABASE_URL)
      runTool('pg_dump', ['--format=custom', '--no-owner', `--file=${path.resolve(file)}`, DATABASE_URL]);
    else await context.db.dump(path.resolve(file));
    return `Saved to ${file}. Keep the files app-secret and card-key of the data folder with it.`;
  },
};

const wallet = async (context: Opened, action: staff.WalletAction) => {
  const balance = await staff.changeWallet(context, action, {
    phone: argument(0, 'a phone'),
    amount: argument(1, 'an amount'),
    currency: values.currency,
    reason: values.reason,
  });
  return values.json ? { balance } : `Balance: ${balance} ${values.currency}`;
};

function readFile(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    throw new staff.StaffError(`${file} cannot be read.`);
  }
}

/** Runs a program of PostgreSQL's own; what it complains of is shown as it says it. */
function runTool(name: string, args: string[]): void {
  const { error, status, stderr } = spawnSync(name, args, { encoding: 'utf8' });
  if (error) throw new staff.StaffError(`${name} was not found: install PostgreSQL's client programs.`);
  if (status !== 0) throw new staff.StaffError(stderr.trim() || `${name} ended with ${status}.`);
}

async function restore(): Promise<string> {
  const file = argument(0, 'a file');
  const folder = path.join(DATA_DIR, 'db');
  if (!fs.existsSync(file)) throw new staff.StaffError(`${file} cannot be read.`);
  if (DATABASE_URL) {
    const db = await connectPostgres(DATABASE_URL, 1);
    const { existing } = await db.one<{ existing: string | null }>(
      "select to_regclass('schema_migrations')::text as existing",
    );
    await db.close();
    if (existing) throw new staff.StaffError('This database holds a shop already. Restore into an empty one.');
    runTool('pg_restore', ['--no-owner', '--single-transaction', '--exit-on-error', `--dbname=${DATABASE_URL}`, file]);
    return 'Restored. Put app-secret and card-key of the same day (or APP_SECRET and CARD_KEYS) beside it.';
  }
  if (fs.existsSync(path.join(folder, 'pgdata', 'PG_VERSION'))) {
    throw new staff.StaffError(`${folder} holds a database already. Move it away first.`);
  }
  await (await openEmbedded({ folder, template: path.resolve(file) })).close();
  return `Restored into ${folder}.`;
}

function print(result: unknown): void {
  if (values.json) console.log(JSON.stringify(result ?? { done: true }, null, 2));
  else if (typeof result === 'string') console.log(result);
  else if (Array.isArray(result)) result.length ? console.table(result) : console.log('None.');
  else if (result === undefined) console.log('Done.');
  else console.log(result);
}

async function main(): Promise<void> {
  if (values.help || !command) return console.log(help);
  if (command === 'restore') return print(await restore());
  const run = commands[command];
  if (!run) throw new staff.StaffError(`There is no command "${command}". Try: npm run shop -- --help`);
  const context = await openContext({ dataDir: DATA_DIR, databaseUrl: DATABASE_URL, seed: !values.empty });
  try {
    print(await run(context));
  } finally {
    await context.db.close();
  }
}

main().catch((error: unknown) => {
  const refused = shopErrorOf(error);
  if (refused) console.error(`${messageOf(refused.code, 'en')}.`);
  else if (error instanceof FileError) console.error(`${rest[0]}:${error.line}: ${error.message}`);
  else if (error instanceof staff.StaffError || error instanceof StartError) console.error(error.message);
  else console.error((error as Error).message ?? error);
  process.exitCode = 1;
});
