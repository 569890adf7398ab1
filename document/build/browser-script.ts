/**
 * Scripts that the server sends itself (boot code, /ops, the cashier), written as TypeScript modules and compiled into
 * one minified file each. The compiler runs in a process of its own, and only when a source has changed.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../..');
const cacheFolder = path.join(root, 'node_modules/.cache/shop-build/scripts');
const compiler = path.join(__dirname, 'compile-script.cjs');

export interface BrowserScriptOptions {
  /** The oldest ECMAScript that must run it; default es2022, as the shell's. */
  target?: string;
}

interface Compiled {
  /** SHA-256 of each source file, by its path from the root of the repository. */
  inputs: Record<string, string>;
  code: string;
}

/** The minified script of a TypeScript entry with all that it imports. */
export function browserScript(entry: string, { target = 'es2022' }: BrowserScriptOptions = {}): string {
  const name = path.relative(root, entry).replaceAll(/[^\w-]+/g, '-');
  const file = path.join(cacheFolder, `${name}.${target}.json`);
  const known = readCompiled(file);
  if (known && isFresh(known)) return known.code;

  const output = execFileSync(process.execPath, [compiler, entry, target], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 16 * 1024 * 1024,
  });
  const { files, code } = JSON.parse(output) as { files: string[]; code: string };
  const inputs = Object.fromEntries(
    [compiler, ...files].map((input) => [path.relative(root, input), hashOf(input)] as const),
  );
  mkdirSync(cacheFolder, { recursive: true });
  // Renamed into place, because several processes may compile at once.
  writeFileSync(`${file}.${process.pid}`, JSON.stringify({ inputs, code } satisfies Compiled));
  renameSync(`${file}.${process.pid}`, file);
  return code;
}

function readCompiled(file: string): Compiled | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Compiled;
  } catch {
    return null;
  }
}

const isFresh = ({ inputs }: Compiled) =>
  Object.entries(inputs).every(([input, hash]) => {
    const file = path.join(root, input);
    return existsSync(file) && hashOf(file) === hash;
  });

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
