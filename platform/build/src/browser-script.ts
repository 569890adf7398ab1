/**
 * Compiles scripts and styles that a server sends itself (such as boot code and the offline page) from TypeScript modules and CSS
 * into one minified file each. The compiler runs in a separate process, and only when a source has changed.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');
/** Installed as a package, this folder is node_modules/@platform/build. */
const home = path.basename(root) === 'node_modules' ? path.dirname(root) : root;
const cacheFolder = path.join(home, 'node_modules/.cache/platform-build/scripts');
const compiler = path.join(__dirname, 'compile-script.cjs');
/** A container image has neither sources nor the compiler, only the compiled files. */
const isCompiled = !existsSync(compiler);

const TARGET = 'es2022';

export interface BrowserFile {
  entry: string;
  /** The oldest ECMAScript version that must run it. Default: es2022, as for the shell. */
  target?: string;
  /** Dynamic imports become files of their own, and the script is a module. Default: everything is in one script. */
  inChunks?: boolean;
  replacements?: Record<string, string>;
}

interface Compiled {
  /** SHA-256 of each source file, by its path from the root of the repository. */
  inputs: Record<string, string>;
  code: string;
  styles: string;
  /** By the file names under which the script imports them from its own folder. */
  chunks: Record<string, string>;
}

/** Returns the minified script of a TypeScript entry with all its imports, or the minified style of a CSS entry. */
export const browserScript = (entry: string, options: Omit<BrowserFile, 'entry'> = {}): string =>
  browserFiles({ script: { entry, ...options } }).script;

/** Returns the minified module of a page with the chunks that it imports dynamically, and the styles that its modules import. */
export function browserPage(entry: string, options: Omit<BrowserFile, 'entry'> = {}) {
  const { code: script, styles, chunks } = compiledFiles({ page: { entry, inChunks: true, ...options } }).page;
  return { script, styles, chunks };
}

/** Whether the page of an entry can be served: a sparse checkout has no entry. An image without a compiled page does not start. */
export const hasBrowserPage = (entry: string): boolean => isCompiled || existsSync(entry);

export function browserFiles<Name extends string>(files: Record<Name, BrowserFile>): Record<Name, string> {
  const compiled = Object.entries<Output>(compiledFiles(files)).map(([name, { code }]) => [name, code]);
  return Object.fromEntries(compiled) as Record<Name, string>;
}

type Output = Pick<Compiled, 'code' | 'styles' | 'chunks'>;

function compiledFiles<Name extends string>(files: Record<Name, BrowserFile>): Record<Name, Output> {
  const requests = (Object.entries(files) as Array<[Name, BrowserFile]>).map(
    ([name, { target = TARGET, ...file }]) => ({ name, target, cache: cacheOf(file.entry, target), ...file }),
  );
  const outputs = new Map(requests.map(({ name, cache }) => [name, readFresh(cache)]));
  const stale = requests.filter(({ name }) => outputs.get(name) === null);
  const compiled = stale.length > 0 ? compile(stale) : [];
  for (const [index, { files: sources, ...output }] of compiled.entries()) {
    const { name, cache } = stale[index] as (typeof stale)[number];
    const inputs = Object.fromEntries([compiler, ...sources].map((file) => [path.relative(root, file), hashOf(file)]));
    writeCache(cache, { inputs, ...output });
    outputs.set(name, output);
  }
  return Object.fromEntries(outputs) as Record<Name, Output>;
}

const cacheOf = (entry: string, target: string) =>
  path.join(cacheFolder, `${path.relative(root, entry).replaceAll(/[^\w-]+/g, '-')}.${target}.json`);

function compile(files: readonly BrowserFile[]): Array<{ files: string[] } & Output> {
  const output = execFileSync(process.execPath, [compiler, JSON.stringify(files)], {
    cwd: root,
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 16 * 1024 * 1024,
  });
  return JSON.parse(output) as Array<{ files: string[] } & Output>;
}

function readFresh(cache: string): Output | null {
  try {
    const { inputs, ...output } = JSON.parse(readFileSync(cache, 'utf8')) as Compiled;
    if (isCompiled) return output;
    return Object.entries(inputs).every(([input, hash]) => isUnchanged(path.join(root, input), hash)) ? output : null;
  } catch {
    return null;
  }
}

const isUnchanged = (file: string, hash: string) => existsSync(file) && hashOf(file) === hash;

function writeCache(cache: string, compiled: Compiled): void {
  mkdirSync(cacheFolder, { recursive: true });
  // A rename is atomic, which matters because several processes may compile at once.
  writeFileSync(`${cache}.${process.pid}`, JSON.stringify(compiled));
  renameSync(`${cache}.${process.pid}`, cache);
}

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');
