/**
 * Packs the packages that a squad outside a product's repository installs, as files of npm. Packages contain sources, which the
 * tools compile, and declarations with maps to them. It needs `typescript`, `@typescript/native` and `publint` next to this
 * package.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';

export interface Manifest {
  name: string;
  version: string;
  exports?: Record<string, unknown>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  [field: string]: unknown;
}

export interface PackedPackage {
  /** What only its workspace needs (`devDependencies`, `scripts`, `private`) is left out. */
  manifest: Manifest;
  /** Path in the package → file or folder of the repository. Tests are left out. */
  files?: Readonly<Record<string, string>>;
  without?: readonly string[];
  /**
   * A folder of sources of the repository, whose declarations go to `types/`: those of all files or, when the sources are not
   * packed, those that one entry point needs, without maps.
   */
  types?: { sources: string; entry?: string };
  /** Path in the package → content of that JSON file. */
  data?: Readonly<Record<string, unknown>>;
  /** Also written as a folder next to the files, to be run from there without a registry. */
  isUnpacked?: true;
}

export interface PackOptions {
  /** Absolute path; its package.json has the license and the engines of all packages. */
  root: string;
  project: string;
  packages: readonly PackedPackage[];
}

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;

/** Returns the absolute paths of the packed files. Throws the errors that publint finds in a package. */
export function pack({ root, project, packages }: PackOptions, output: string): string[] {
  const scratch = mkdtempSync(path.join(tmpdir(), 'pack-'));
  try {
    const emitted = path.join(scratch, 'declarations');
    emitDeclarations({ root, project, output: emitted });
    const { license, engines } = readManifest(root);
    const versions = Object.fromEntries(packages.map(({ manifest: { name, version } }) => [name, version]));
    mkdirSync(output, { recursive: true });
    const folders = packages.map(({ manifest, files = {}, without = [], types, data = {}, isUnpacked }, index) => {
      const staged = path.join(scratch, `${index}`);
      mkdirSync(staged);
      for (const [target, source] of Object.entries(files))
        copy(path.join(staged, target), path.join(root, source), without);
      if (types) copyDeclarations(path.join(emitted, types.sources), staged, types.entry);
      const exports = manifest.exports && { exports: packedExports(staged, manifest.exports, without) };
      const { devDependencies: _, scripts: __, private: ___, ...own } = manifest;
      const fixed = { ...own, license, engines, ...exports, ...exactVersions(manifest, versions) };
      const written = { ...data, 'package.json': fixed };
      for (const [file, content] of Object.entries(written))
        writeFileSync(path.join(staged, file), `${JSON.stringify(content, null, 2)}\n`);
      if (isUnpacked) {
        const folder = path.join(output, manifest.name);
        rmSync(folder, { recursive: true, force: true });
        cpSync(staged, folder, { recursive: true });
      }
      return staged;
    });
    const windows = process.platform === 'win32';
    const args = ['pack', ...folders, '--pack-destination', output, '--json', '--ignore-scripts', '--loglevel=error'];
    const printed = execFileSync(windows ? 'npm.cmd' : 'npm', args, { cwd: scratch, encoding: 'utf8', shell: windows });
    const packed = JSON.parse(printed) as Array<{ filename: string }>;
    return packed.map(({ filename }) => checked(path.join(output, filename)));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Inside the repository packages depend on each other by `*`, outside on the version that they were packed with. */
function exactVersions({ dependencies }: Manifest, versions: Record<string, string>) {
  if (!dependencies) return {};
  const exact = Object.entries(dependencies).map(([name, range]) => [name, range === '*' ? versions[name] : range]);
  return { dependencies: Object.fromEntries(exact) };
}

/** Throws when an entry point refers to a file that is not packed, or has another error that breaks its users. */
function checked(file: string): string {
  const publint = path.join(path.dirname(require.resolve('publint')), 'cli.js');
  try {
    execFileSync(process.execPath, [publint, file, '--level', 'error'], { encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw new Error(`${path.basename(file)} is packed incorrectly:\n${(error as { stdout?: string }).stdout ?? error}`);
  }
  return file;
}

function emitDeclarations({ root, project, output }: { root: string; project: string; output: string }): void {
  const tsc = path.join(root, 'node_modules', '@typescript', 'native', 'bin', 'tsc');
  try {
    const args = [tsc, '-p', project, '--outDir', output];
    execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    throw new Error(`the declarations do not compile:\n${(error as { stdout?: string }).stdout ?? error}`);
  }
}

const isTest = (file: string) => /\.test\.tsx?$/.test(file);

function copy(target: string, source: string, without: readonly string[]): void {
  const leftOut = ['node_modules', 'dist', ...without];
  const filter = (file: string) => !isTest(file) && !leftOut.includes(path.basename(file));
  cpSync(source, target, { recursive: true, filter });
}

function copyDeclarations(emitted: string, staged: string, entry: string | undefined): void {
  for (const file of entry ? filesNeededBy(path.join(emitted, entry)) : declarationsIn(emitted)) {
    const target = path.join(staged, 'types', path.relative(emitted, file));
    mkdirSync(path.dirname(target), { recursive: true });
    const text = readFileSync(file, 'utf8');
    if (entry) {
      writeFileSync(target, text.replace(/^\/\/# sourceMappingURL=.*\n?/m, ''));
      continue;
    }
    writeFileSync(target, text);
    const map = JSON.parse(readFileSync(`${file}.map`, 'utf8')) as { sources: string[] };
    const [source = ''] = map.sources;
    const original = path.join(staged, 'src', path.dirname(path.relative(emitted, file)), path.basename(source));
    const sources = [path.relative(path.dirname(target), original)];
    writeFileSync(`${target}.map`, JSON.stringify({ ...map, sources }));
  }
}

function filesNeededBy(declaration: string): Set<string> {
  const files = new Set([declaration]);
  // The set grows while it is iterated.
  for (const file of files)
    for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
      if (!fileName.startsWith('.')) continue;
      const base = path.resolve(path.dirname(file), fileName);
      files.add(existsSync(`${base}.d.ts`) ? `${base}.d.ts` : path.join(base, 'index.d.ts'));
    }
  return files;
}

const declarationsIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.d.ts'))
    .map((file) => path.join(folder, file));

/** './src/ui/index.ts' → './types/ui/index.d.ts' */
const declarationOf = (file: unknown): string =>
  typeof file === 'string' ? file.replace('./src/', './types/').replace(/\.tsx?$/, '.d.ts') : '';

const packedExports = (staged: string, exports: Record<string, unknown>, without: readonly string[]) =>
  Object.fromEntries(
    Object.entries(exports)
      .filter(([, file]) => typeof file !== 'string' || !file.split('/').some((part) => without.includes(part)))
      .map(([key, file]) => {
        const types = declarationOf(file);
        const hasTypes = types.startsWith('./types/') && existsSync(path.join(staged, types));
        return [key, hasTypes ? { types, default: file } : file];
      }),
  );
