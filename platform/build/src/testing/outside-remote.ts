import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { extract } from 'tar';
import { openRegistry } from './registry';

const run = promisify(execFile);

export interface OutsideRemote {
  folder: string;
  node(file: string, ...args: string[]): Promise<string>;
  type(line: string): Promise<string>;
}

export interface Outside {
  create: string;
  packages: string;
  registry: string;
  make(name: string, command: string, env?: NodeJS.ProcessEnv): Promise<OutsideRemote>;
  remove(): void;
}

export interface OutsideOptions {
  root: string;
  pack(output: string): string[];
  /** The package that creates remotes: 'create-acme-remote'. */
  creator: string;
  /** Third-party packages come from npm, or as hard links of those that the checkout has installed, which needs no network. */
  install: 'npm' | 'links';
}

export async function packOutside({ root, pack, creator, install }: OutsideOptions): Promise<Outside> {
  const home = mkdtempSync(path.join(realpathSync(tmpdir()), 'squads-'));
  const packages = path.join(home, 'packages');
  const packed = pack(packages);
  const registry = await openRegistry(packed);
  // The run must not use npm's own settings and packages of this machine.
  const npm = { npm_config_userconfig: path.join(home, '.npmrc'), npm_config_cache: path.join(home, 'npm-cache') };
  return {
    create: path.join(packages, creator, 'create.mjs'),
    packages,
    registry: registry.url,
    async make(name, command, env) {
      const empty = path.join(home, `of-${name}`);
      mkdirSync(empty);
      await runIn(empty, 'sh', ['-c', command], { ...env, ...npm });
      const folder = path.join(empty, name);
      if (install === 'links') await installLinks(root, folder, packed);
      else await runIn(folder, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], env);
      const modules = path.join(folder, 'node_modules');
      return {
        folder,
        node: (file, ...args) => runIn(folder, process.execPath, [path.resolve(modules, file), ...args], env),
        type: (line) => runIn(folder, 'sh', ['-c', line], env),
      };
    },
    remove() {
      registry.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** npm names the file of @acme/shared acme-shared-1.0.0.tgz. */
const SCOPED = /^(?!create-)([a-z]+)-(.+?)-\d/;

async function runIn(cwd: string, program: string, args: string[], env?: NodeJS.ProcessEnv): Promise<string> {
  try {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    return (await run(program, args, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${path.basename(program)} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  }
}

async function unpack(file: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  await extract({ file, cwd: folder, strip: 1 });
  return folder;
}

interface Manifest {
  name?: string;
  version: string;
  optional?: boolean;
  bin?: string | Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

const readJson = <T>(...parts: string[]): T => JSON.parse(readFileSync(path.join(...parts), 'utf8')) as T;

/**
 * Installs the same as `npm install`: the packed packages, the dependencies that these and the remote name, and their
 * dependencies, from this checkout.
 */
async function installLinks(root: string, folder: string, packed: readonly string[]): Promise<void> {
  const remote = readJson<Manifest>(folder, 'package.json');
  const manifests = [remote];
  const locked: Record<string, object> = { '': remote };
  for (const file of packed) {
    const [, scope, short] = SCOPED.exec(path.basename(file)) ?? [];
    if (!scope || !short) continue;
    const target = `node_modules/@${scope}/${short}`;
    const manifest = readJson<Manifest>(await unpack(file, path.join(folder, target)), 'package.json');
    const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
    locked[target] = { version: manifest.version, resolved: `file:${path.relative(folder, file)}`, integrity };
    manifests.push(manifest);
  }
  const { packages } = readJson<{ packages: Record<string, Manifest> }>(root, 'package-lock.json');
  for (const [target, source] of packagePaths(root, manifests, packages)) {
    locked[target] = packages[source] ?? {};
    linkFolder(path.join(root, source), path.join(folder, target));
  }
  for (const target of Object.keys(locked))
    if (/^node_modules\/(@[^/]+\/)?[^/]+$/.test(target)) linkPrograms(folder, target);
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages: locked }));
}

const nameIn = (place: string) => place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length);

function* resolutionFolders(name: string, from: string): Generator<string> {
  for (let folder = from; folder; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/'))))
    yield `${folder}/node_modules/${name}`;
  yield `node_modules/${name}`;
}

function packagePaths(
  root: string,
  manifests: readonly Manifest[],
  packages: Record<string, Manifest>,
): Map<string, string> {
  const packedNames = new Set(manifests.map((manifest) => manifest.name));
  const places = new Map<string, string>();
  const put = (name: string, source: string, from: string) => {
    const { optional } = packages[source] ?? {};
    if (optional && !existsSync(path.join(root, source))) return;
    const installed = [...resolutionFolders(name, from)]
      .map((place) => places.get(place))
      .find((candidate) => candidate !== undefined);
    if (installed !== source) places.set(`${installed ? `${from}/` : ''}node_modules/${name}`, source);
  };
  for (const { dependencies, devDependencies } of manifests)
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (packedNames.has(name)) continue;
      const source = Object.keys(packages).find(
        (place) => (packages[place]?.name ?? nameIn(place)) === name && packages[place]?.version === version,
      );
      if (!source) throw new Error(`${name}@${version}, which a packed package names, is not in package-lock.json`);
      put(name, source, '');
    }
  // The map grows while it is iterated.
  for (const [target, source] of places) {
    const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = packages[source] as Manifest;
    const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional);
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const needed = [...resolutionFolders(name, source)].find((place) => packages[place]);
      if (needed) put(name, needed, target);
    }
  }
  return places;
}

function linkPrograms(folder: string, place: string): void {
  const { name = '', bin = {} } = readJson<Manifest>(folder, place, 'package.json');
  const programs = typeof bin === 'string' ? { [path.basename(name)]: bin } : bin;
  const bins = path.join(folder, 'node_modules/.bin');
  mkdirSync(bins, { recursive: true });
  for (const [program, file] of Object.entries(programs)) {
    const target = path.join(folder, place, file);
    // npm has already made programs of the checkout executable.
    if (!(statSync(target).mode & 0o100)) chmodSync(target, 0o755);
    rmSync(path.join(bins, program), { force: true });
    symlinkSync(path.relative(bins, target), path.join(bins, program));
  }
}

function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) {
      if (entry.name !== 'node_modules') linkFolder(source, target);
    } else link(source, target);
  }
}

function link(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    // The temporary folder may be on another disk.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(source, target);
  }
}
