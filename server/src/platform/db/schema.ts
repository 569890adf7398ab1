import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { withNumbers } from './named-numbers';

/** Version of the tables when the earlier migrations were squashed. An older database cannot be upgraded. */
export const BASELINE = 300;

/** Files of tables, in the order in which they reference each other. */
const domains = [
  'audit',
  'catalogue',
  'accounts',
  'content',
  'coupons',
  'orders',
  'pricing',
  'platform',
  'notices',
  'suppliers',
  'wallet',
  'payments',
  'staff',
  'stock',
  'invitations',
  'holds',
  'releases',
];

export interface Migration {
  version: number;
  name: string;
  text: string;
}

export interface DatabaseFunction {
  name: string;
  text: string;
}

export interface Schema {
  /** Tables, indexes and triggers after all migrations, for an empty database. */
  tables: string;
  functions: DatabaseFunction[];
  migrations: Migration[];
}

export const readSchema = (): Schema => ({
  tables: readTables(),
  functions: readFunctions(),
  migrations: readMigrations(),
});

function readTables(): string {
  const folder = path.join(__dirname, 'schema');
  const unlisted = sqlFiles(folder).filter((name) => !domains.includes(path.basename(name, '.sql')));
  if (unlisted.length) throw new Error(`not in the list of domains: ${unlisted.join(', ')}`);
  return domains.map((domain) => fs.readFileSync(path.join(folder, `${domain}.sql`), 'utf8')).join('\n');
}

/** An empty line separates the functions of a file. Above each is its comment. */
export function readFunctions(): DatabaseFunction[] {
  const folder = path.join(__dirname, 'functions');
  return sqlFiles(folder).flatMap((file) =>
    withNumbers(fs.readFileSync(path.join(folder, file), 'utf8'))
      .split(/(?<=\n)\n(?=(?:--.*\n)*create or replace function )/)
      .map((text) => ({ name: /^create or replace function (\w+)/m.exec(text)?.[1] ?? '', text })),
  );
}

export function readMigrations(): Migration[] {
  const folder = path.join(__dirname, 'migrations');
  const files = sqlFiles(folder).filter((name) => /^\d{4}_/.test(name));
  return [
    { version: BASELINE, name: '0300_baseline', text: '' },
    ...files.map((name) => ({
      version: Number(name.slice(0, 4)),
      name,
      text: fs.readFileSync(path.join(folder, name), 'utf8'),
    })),
  ];
}

const sqlFiles = (folder: string): string[] =>
  fs
    .readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();

export const hashOfSet = (functions: readonly DatabaseFunction[]): string =>
  createHash('sha256')
    .update(JSON.stringify(functions.map(({ name, text }) => [name, text]).sort()))
    .digest('hex');
