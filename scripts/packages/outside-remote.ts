/** For tests: a remote in a folder outside this repository, made and installed from the packed files. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { extract } from 'tar';
import { root } from './declarations';
import { pack } from './pack';

const run = promisify(execFile);

export interface OutsideRemote {
  /** The remote's own folder. */
  folder: string;
  bin(program: 'shop-dev' | 'shop-release'): string;
  /** Runs a JavaScript file of the installed packages. Rejects with its output when it fails. */
  node(file: string, ...args: string[]): Promise<string>;
  remove(): void;
}

export interface OutsideOptions {
  /** Packages of others come from npm, or from this checkout's node_modules, which takes no time. */
  install: 'npm' | 'links';
  env?: NodeJS.ProcessEnv;
}

export async function makeOutsideRemote(name: string, { install, env }: OutsideOptions): Promise<OutsideRemote> {
  const home = mkdtempSync(path.join(tmpdir(), 'squad-'));
  const packed = pack(path.join(home, 'packages'));
  const create = await unpack(
    packed.find((file) => file.includes('create-shop-remote')) ?? '',
    path.join(home, 'create'),
  );
  const inFolder = async (cwd: string, program: string, args: string[]) => {
    try {
      const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
      return (await run(program, args, options)).stdout;
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
      throw new Error(`${path.basename(program)} ${args.join(' ')} failed:\n${stdout}${stderr}`);
    }
  };
  await inFolder(home, process.execPath, [path.join(create, 'create.mjs'), name, '--packages', 'packages']);
  const folder = path.join(home, name);
  if (install === 'npm') await inFolder(folder, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund']);
  else await installWithLinks(folder, packed);
  const modules = path.join(folder, 'node_modules');
  return {
    folder,
    bin: (program) => path.join(modules, '@shop/tools/scripts/bin', `${program}.mjs`),
    node: (file, ...args) => inFolder(folder, process.execPath, [path.resolve(modules, file), ...args]),
    remove: () => rmSync(home, { recursive: true, force: true }),
  };
}

async function unpack(file: string, folder: string): Promise<string> {
  mkdirSync(folder, { recursive: true });
  await extract({ file, cwd: folder, strip: 1 });
  return folder;
}

/** The platform's packages as they are packed, those of others as links. */
async function installWithLinks(folder: string, packed: readonly string[]): Promise<void> {
  const modules = path.join(folder, 'node_modules');
  mkdirSync(path.join(modules, '@shop'), { recursive: true });
  const others = path.join(root, 'node_modules');
  for (const entry of readdirSync(others))
    if (entry !== '@shop' && !entry.startsWith('.')) symlinkSync(path.join(others, entry), path.join(modules, entry));
  const packages: Record<string, object> = { '': JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) };
  for (const file of packed) {
    const [, short = ''] = /^shop-(.+?)-\d/.exec(path.basename(file)) ?? [];
    if (!short) continue;
    const unpacked = await unpack(file, path.join(modules, '@shop', short));
    const { version } = JSON.parse(readFileSync(path.join(unpacked, 'package.json'), 'utf8')) as { version: string };
    packages[`node_modules/@shop/${short}`] = { version };
  }
  writeFileSync(path.join(folder, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, packages }));
}
