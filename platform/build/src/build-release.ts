/**
 * Builds a workspace into a release: `<workspace>/dist/` with every file, and `dist/release.json` that describes them. A version is the
 * package version and the content's hash. The hash must be known before the build, because Module Federation's global carries the version
 * (recipe.cjs). So each workspace is built once under the version "local", its output is hashed, and it is built again under the resulting
 * version. The same commit gives the same version and the same bytes in any folder, on every machine of one platform: builds use the
 * packages of the lockfile and nothing of the environment (docs/adr/0002-releases-are-data.md).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type GateFlow, integrityOf, type ReleaseManifest } from '@platform/releases';
import type { Compiled, CompileRequest } from './types';

/** The shell and remotes of one repository, or one remote outside it. */
export interface Product {
  /** Absolute path of the folder with the lockfile. */
  root: string;
  /** Absolute path of the file that exports hostConfig and remoteConfig, made by `recipe`. */
  recipe: string;
  /** Files and folders, relative to the root, that every build depends on besides its workspace. */
  inputs: readonly string[];
}

const cacheOf = ({ root }: Product) => path.join(root, 'node_modules', '.cache', 'platform-build');

export interface BuildResult {
  name: string;
  version: string;
  directory: string;
  cached: boolean;
  milliseconds: number;
}

/** `directory` is absolute. An unchanged workspace is not built again. Rejects with the faults of its sources. */
export async function buildRelease(
  compiler: Compiler,
  { name, directory }: { name: string; directory: string },
): Promise<BuildResult> {
  const started = Date.now();
  const { product } = compiler;
  const cacheFolder = cacheOf(product);
  const dist = path.join(directory, 'dist');
  const manifestFile = path.join(dist, 'release.json');
  const inputs = hashOfInputs(product, directory);
  const stampFile = path.join(cacheFolder, `${name}.json`);
  const stamp = readJson<{ inputs: string; version: string }>(stampFile);
  const present = readJson<ReleaseManifest>(manifestFile);
  if (stamp?.inputs === inputs && present?.version === stamp.version && isComplete(dist, present)) {
    return { name, version: stamp.version, directory: dist, cached: true, milliseconds: Date.now() - started };
  }

  const trial = path.join(cacheFolder, `${name}-trial`);
  const { exposes, uses } = await compiler.compile(name, directory, 'local', trial);
  const flows = readFlows(directory);
  const version = `${packageVersion(directory)}-${hashOfFolder(trial, directory, [exposes, flows, uses]).slice(0, 8)}`;
  rmSync(trial, { recursive: true, force: true });
  const compiled = await compiler.compile(name, directory, version, dist);
  const common = { schema: 1 as const, name, version, contract: 1 as const };
  const manifest: ReleaseManifest = { ...common, files: recordsOf(dist), ...compiled, flows };
  writeFileSync(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`);
  mkdirSync(cacheFolder, { recursive: true });
  writeFileSync(stampFile, JSON.stringify({ inputs, version }));
  return { name, version, directory: dist, cached: false, milliseconds: Date.now() - started };
}

/**
 * Controls the compiling process (compile.cjs), which starts with the first workspace that needs it. It compiles one workspace at
 * a time.
 */
export class Compiler {
  private child: ChildProcess | null = null;

  constructor(readonly product: Product) {}

  compile(name: string, directory: string, version: string, output: string): Promise<Compiled> {
    this.child ??= fork(path.join(__dirname, 'compile.cjs'), [this.product.recipe], {
      cwd: this.product.root,
      execArgv: [],
      // No other variable of the environment may affect a release; Windows starts no process without this one.
      env: { SystemRoot: process.env.SystemRoot },
    });
    const child = this.child;
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null) => reject(new Error(`the compiler ended with ${code}`));
      child.once('exit', onExit);
      child.once('message', (answer: Compiled | { error: string }) => {
        child.off('exit', onExit);
        if ('error' in answer) reject(new Error(answer.error));
        else resolve(answer);
      });
      const request: CompileRequest = { name, directory, version, output };
      child.send(request);
    });
  }

  close(): void {
    this.child?.removeAllListeners('exit');
    this.child?.disconnect();
    this.child = null;
  }
}

function recordsOf(dist: string): ReleaseManifest['files'] {
  const files = filesOf(dist).filter((file) => file !== 'release.json');
  return Object.fromEntries(
    files.map((file) => {
      const content = readFileSync(path.join(dist, file));
      return [file, { size: content.length, integrity: integrityOf(content) }];
    }),
  );
}

/** Returns the flows that the files in `gate/` of a workspace export; undefined without such files. Rejects for a file without a default export. */
export function readFlows(directory: string): GateFlow[] | undefined {
  const folder = path.join(directory, 'gate');
  if (!existsSync(folder)) return undefined;
  const files = readdirSync(folder).filter((file) => /(?<!\.test|\.d)\.ts$/.test(file));
  const flows = files.sort().flatMap((file) => {
    const exported = (require(path.join(folder, file)) as { default?: unknown }).default;
    if (!Array.isArray(exported)) throw new Error(`${path.join(folder, file)} must export a list of flows by default`);
    return exported as GateFlow[];
  });
  return JSON.parse(JSON.stringify(flows)) as GateFlow[];
}

function packageVersion(directory: string): string {
  return (JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8')) as { version: string }).version;
}

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(path.join(folder, file)).isFile())
    .map((file) => file.replaceAll(path.sep, '/'))
    .sort();

function hashOfFolder(folder: string, directory: string, described: unknown): string {
  const hash = createHash('sha256');
  for (const file of filesOf(folder)) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(path.join(folder, file)))
      .update('\0');
  }
  const contract = path.join(directory, 'remote.json');
  if (existsSync(contract)) hash.update(readFileSync(contract));
  return hash.update(JSON.stringify(described)).digest('hex');
}

/** Hashes everything that a build can depend on. It only decides whether to build at all; the version comes from the content. */
function hashOfInputs({ root, recipe, inputs }: Product, directory: string): string {
  const hash = createHash('sha256');
  const sources = [directory, __dirname, recipe, ...inputs.map((input) => path.join(root, input))];
  for (const file of sources.flatMap(sourceFiles)) {
    hash.update(path.relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

const notInputs = new Set(['node_modules', 'dist', 'coverage', '.cache', '.git']);

function sourceFiles(folder: string): string[] {
  if (statSync(folder).isFile()) return [folder];
  return readdirSync(folder, { withFileTypes: true })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      if (notInputs.has(entry.name) || /\.test\.tsx?$/.test(entry.name)) return [];
      const full = path.join(folder, entry.name);
      return entry.isDirectory() ? sourceFiles(full) : [full];
    });
}

function isComplete(dist: string, manifest: ReleaseManifest): boolean {
  return Object.keys(manifest.files).every((file) => existsSync(path.join(dist, file)));
}

function readJson<T>(file: string): T | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return null;
  }
}
