import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Manifest } from '../packing/pack';

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

export const manifestIn = (file: string): Manifest =>
  JSON.parse(execFileSync('tar', ['-xzOf', file, 'package/package.json'], { encoding: 'utf8' }));

async function openRegistry(packed: readonly string[]) {
  const tarballs = new Map(packed.map((file) => [path.basename(file), readFileSync(file)]));
  const packuments = new Map<string, object>();
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '').slice(1));
    const tarball = tarballs.get(name);
    if (tarball) return response.setHeader('content-type', 'application/octet-stream').end(tarball);
    const packument = packuments.get(name);
    response.setHeader('content-type', 'application/json').statusCode = packument ? 200 : 404;
    response.end(JSON.stringify(packument ?? { error: 'not found' }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  for (const file of packed) {
    const manifest = manifestIn(file);
    const { name, version } = manifest;
    const integrity = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
    const dist = { tarball: `${url}${path.basename(file)}`, integrity };
    packuments.set(name, { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } });
  }
  return {
    url,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
