#!/usr/bin/env node
/**
 * The program of a product's package create-…-remote, `npm create …-remote <name>` or, without a registry, `node
 * create-…-remote/create.mjs <name> --packages <folder>`: creates `<name>/` with a remote of that name. With --packages its
 * platform packages are the packed files of that folder; otherwise they come from the registry. It has no dependencies, because
 * it runs before anything is installed. Its folder contains the package's manifest, `template/` and product.json: {example: an
 * address of the product, platform and tools: versions of packages by name}.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const here = path.dirname(fileURLToPath(import.meta.url));
/** @typedef {Record<string, string>} Versions of packages by name */

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));
const command = readJson(path.join(here, 'package.json')).name.replace('create-', 'npm create ');
const usage = `${command} <name>\nnode create.mjs <name> --packages <folder of packed files>`;

/**
 * Throws an error whose message is for the user.
 * @param {string[]} args
 */
function create(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { packages: { type: 'string' } },
  });
  const [name = '', ...more] = positionals;
  if (!name || more.length > 0) throw new Error(usage);
  // A name must be valid for a release, whose name is also the prefix of the remote's storage keys and classes.
  if (!/^[a-z][a-z0-9-]{0,39}$/.test(name)) throw new Error(`"${name}" is not a short lower-case word such as gifts`);
  if (name === 'shell') throw new Error('"shell" is the name of the shell, not of a remote');
  const folder = path.resolve(name);
  if (existsSync(folder)) throw new Error(`${folder} exists already`);
  const { example, platform, tools } = readJson(path.join(here, 'product.json'));
  const packed = values.packages === undefined ? {} : packedFiles(path.resolve(values.packages), folder, platform);
  try {
    copy(path.join(here, 'template'), folder, name);
    if (values.packages === undefined) writeRegistry(path.join(folder, '.npmrc'), platform);
    writeManifest(path.join(folder, 'package.json'), { ...platform, ...tools, ...packed }, packed);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  console.log(`Made ${folder}\n\n  cd ${name}\n  npm install\n  npm test\n  npm run dev -- --against ${example}`);
}

/**
 * When `npm create --registry=…` loads this program from a registry of the product, `npm install` must find the platform's
 * packages there too.
 * @param {string} file
 * @param {Versions} platform
 */
function writeRegistry(file, platform) {
  const registry = process.env.npm_config_registry;
  if (!registry) return;
  const scopes = new Set(Object.keys(platform).map((name) => name.split('/')[0]));
  writeFileSync(file, [...scopes].map((scope) => `${scope}:registry=${registry}\n`).join(''));
}

/**
 * Files of the template are named `…-template` if their real name means something to npm, git or a test runner.
 * @param {string} from
 * @param {string} to
 * @param {string} name of the remote
 */
function copy(from, to, name) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = path.join(to, targetName(entry.name));
    if (entry.isDirectory()) copy(source, target, name);
    else writeFileSync(target, readFileSync(source, 'utf8').replaceAll('__name__', name));
  }
}

/** @param {string} name */
const targetName = (name) => name.replace(/^(github|gitignore-template)$/, '.$1').replace('-template', '');

/**
 * Returns each platform package as `file:` of its packed file.
 * @param {string} packages their folder
 * @param {string} folder
 * @param {Versions} platform
 */
function packedFiles(packages, folder, platform) {
  return Object.fromEntries(
    Object.entries(platform).map(([name, version]) => {
      const file = path.join(packages, `${name.replace('@', '').replace('/', '-')}-${version}.tgz`);
      if (!existsSync(file))
        throw new Error(`${file} does not exist: run npm run pack in the repository of the product`);
      return [name, `file:${path.relative(folder, file)}`];
    }),
  );
}

/**
 * Replaces "*" by the versions that this was packed with. `needed` packages are added when the template lacks them: npm resolves
 * the dependencies of packed files only from a registry or from here.
 * @param {string} file
 * @param {Versions} versions
 * @param {Versions} needed
 */
function writeManifest(file, versions, needed) {
  const manifest = readJson(file);
  for (const group of ['dependencies', 'devDependencies'])
    for (const name of Object.keys(manifest[group])) manifest[group][name] = versions[name];
  for (const [name, version] of Object.entries(needed))
    if (!manifest.dependencies[name]) manifest.devDependencies[name] = version;
  writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
}

try {
  create(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
