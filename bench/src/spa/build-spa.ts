import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type StaticBuild, type StaticFile, staticFile } from '../rig/front';

export async function buildSpa(folder: string): Promise<StaticBuild> {
  const rspack = path.resolve(__dirname, '../../../node_modules/@rspack/cli/bin/rspack.js');
  const config = path.join(__dirname, 'rspack.config.cjs');
  execFileSync(process.execPath, [rspack, 'build', '--config', config, '--output-path', folder], { stdio: 'inherit' });
  const files = new Map<string, StaticFile>();
  for (const name of readdirSync(folder))
    files.set(`/bench/spa/${name}`, await staticFile(name, readFileSync(path.join(folder, name))));
  return files;
}
