import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Package {
  version?: string;
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
}
const file = path.resolve(__dirname, '../../package-lock.json');
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Package> };

/** The folder in which Node would find `name` for the package in `place`, by the lockfile. */
function resolve(place: string, name: string): string | undefined {
  for (let folder = place; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const candidate = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    if (packages[candidate]) return candidate;
    if (!folder) return undefined;
  }
}

it('package-lock.json contains every optional package of every platform, so that npm ci works on each of them', () => {
  const missing = Object.entries(packages).flatMap(([place, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !resolve(place, name))
      .map((name) => `${place} names ${name}`),
  );
  expect(missing).toEqual([]);
});

it.each(['@biomejs/cli', '@rspack/binding', '@swc/core', '@esbuild/', '@img/sharp', '@node-rs/argon2'])(
  'package-lock.json has packages of %s for Linux, macOS and Windows on x64 and arm64',
  (prefix) => {
    const found = Object.entries(packages)
      .filter(([place]) => place.includes(`node_modules/${prefix}`))
      .flatMap(([, { os = [], cpu = [] }]) => os.flatMap((system) => cpu.map((processor) => `${system} ${processor}`)));
    const wanted = ['linux', 'darwin', 'win32'].flatMap((system) => [`${system} x64`, `${system} arm64`]);
    expect(found).toEqual(expect.arrayContaining(wanted));
  },
);
