import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
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
  pack(output: string): string[];
  /** The package that creates remotes: 'create-acme-remote'. */
  creator: string;
}

export async function packOutside({ pack, creator }: OutsideOptions): Promise<Outside> {
  const home = mkdtempSync(path.join(realpathSync(tmpdir()), 'squads-'));
  const packages = path.join(home, 'packages');
  const registry = await openRegistry(pack(packages));
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
      await runIn(folder, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], env);
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

async function runIn(cwd: string, program: string, args: string[], env?: NodeJS.ProcessEnv): Promise<string> {
  try {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: 64 * 1024 * 1024 };
    return (await run(program, args, options)).stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new Error(`${path.basename(program)} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  }
}
