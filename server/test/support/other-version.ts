/** Versions of the program that a database meets during a deployment, made of the compiled one. */
import fs from 'node:fs';
import path from 'node:path';
import { program } from './shop-process';

const databaseFolder = path.join(__dirname, '../../src/platform/db');

export interface OtherVersion {
  /** Its program. */
  file: string;
  remove(): void;
}

/**
 * This version with a function of the database under another name, in code and SQL: the old one is none of its functions. `migrations`
 * are SQL by file name, besides those that there are.
 */
export function versionWithRenamed(name: string, to: string, migrations: Record<string, string> = {}): OtherVersion {
  const [compiled = ''] = program;
  // Beside the compiled one, where it finds the same packages.
  const folder = fs.mkdtempSync(path.join(path.dirname(compiled), 'other-version-'));
  const sql = path.join(folder, 'db');
  fs.cpSync(databaseFolder, sql, { recursive: true });
  for (const [file, text] of Object.entries(migrations)) fs.writeFileSync(path.join(sql, 'migrations', file), text);
  const renamed = (text: string) => text.replaceAll(name, to);
  const functions = path.join(sql, 'functions');
  for (const file of fs
    .readdirSync(functions, { recursive: true, encoding: 'utf8' })
    .filter((one) => /\.sql$/.test(one))) {
    const text = fs.readFileSync(path.join(functions, file), 'utf8');
    if (!text.includes(name)) continue;
    fs.rmSync(path.join(functions, file));
    fs.writeFileSync(path.join(functions, renamed(file)), renamed(text));
  }
  const file = path.join(folder, 'program.js');
  const source = fs.readFileSync(compiled, 'utf8');
  const moved = source.replaceAll(JSON.stringify(databaseFolder), JSON.stringify(sql));
  if (moved === source || !source.includes(name))
    throw new Error(`the compiled program has no ${name} or no folder of SQL`);
  fs.writeFileSync(file, renamed(moved));
  return { file, remove: () => fs.rmSync(folder, { recursive: true, force: true }) };
}
