import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { withNumbers } from './named-numbers';

/** Version of the tables when the earlier migrations were squashed. An older database cannot be upgraded. */
export const BASELINE = 300;

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
  tables: filesOf('schema')
    .map(({ text }) => text)
    .join('\n'),
  functions: readFunctions(),
  migrations: readMigrations(),
});

/** An empty line separates the functions of a file. Above each is its comment. */
export const readFunctions = (): DatabaseFunction[] =>
  filesOf('functions').flatMap((file) =>
    withNumbers(file.text)
      .split(/(?<=\n)\n(?=(?:--.*\n)*create or replace function )/)
      .map((text) => ({ name: /^create or replace function (\w+)/m.exec(text)?.[1] ?? '', text })),
  );

export const readMigrations = (): Migration[] => [
  { version: BASELINE, name: '0300_baseline', text: '' },
  ...filesOf('migrations').map((file) => ({ ...file, version: Number(file.name.slice(0, 4)) })),
];

/** Sorted by name: the numbers of the files of tables are the order in which these reference each other. */
const filesOf = (folder: string): Array<{ name: string; text: string }> =>
  fs
    .readdirSync(path.join(__dirname, folder))
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => ({ name, text: fs.readFileSync(path.join(__dirname, folder, name), 'utf8') }));

export const hashOfSet = (functions: readonly DatabaseFunction[]): string =>
  createHash('sha256')
    .update(JSON.stringify(functions.map(({ name, text }) => [name, text]).sort()))
    .digest('hex');
