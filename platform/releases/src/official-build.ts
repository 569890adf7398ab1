/**
 * Describes a build of Module Federation's own plugin, made without this project's build code, as a release: from the plugin's
 * `mf-manifest.json`, the contract `remote.json` beside it, and the files themselves.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import type { FileGroup, RemoteContract } from './contract';
import { integrityOf, type ReleaseManifest } from './manifest';
import { StoreError } from './store/store';

export const OFFICIAL_MANIFEST = 'mf-manifest.json';
const CONTRACT_FILE = 'remote.json';
/** The container interface of the official runtime; equals `containerInterface` in rspack.base.js. */
const CONTAINER_INTERFACE = '1.0.0';

interface Assets {
  js: { sync: string[] };
  css: { sync: string[] };
}

/** The fields of `mf-manifest.json` that this module reads (@module-federation/sdk, `Manifest`). */
interface OfficialManifest {
  metaData: { globalName: string; buildInfo: { buildVersion: string }; remoteEntry: { name: string; type: string } };
  shared: Array<{ name: string; singleton?: boolean; requiredVersion: string }>;
  exposes: Array<{ path: string; assets: Assets }>;
}

/** Throws StoreError if the folder is not such a build. */
export async function describeOfficialBuild(dist: string): Promise<ReleaseManifest> {
  const official = await readJson<OfficialManifest>(dist, OFFICIAL_MANIFEST);
  const remote = await readJson<RemoteContract>(dist, CONTRACT_FILE);
  const { globalName, buildInfo, remoteEntry } = official.metaData;
  if (remoteEntry.type !== 'var' && remoteEntry.type !== 'global')
    throw new StoreError(`the container's library type is "${remoteEntry.type}"; the shell needs "var"`);

  const entry = await readFile(join(dist, remoteEntry.name), 'utf8');
  if (!official.shared.some(({ name, singleton }) => name === 'react' && singleton))
    throw new StoreError('the page would run a second React: add react: { singleton: true } to shared');
  refuseOtherScopes(entry);
  if (/\btreeShakingMode\W{0,3}"/.test(entry))
    throw new StoreError('the shell provides shared modules whole: remove treeShaking from shared');

  const files: ReleaseManifest['files'] = {};
  const hash = createHash('sha256');
  for (const file of await filesOf(dist)) {
    const content = await readFile(join(dist, file));
    files[file] = { size: content.length, integrity: integrityOf(content) };
    hash.update(file).update('\0').update(content).update('\0');
  }
  return {
    schema: 1,
    name: remote.name,
    version: `${buildInfo.buildVersion}-${hash.digest('hex').slice(0, 8)}`,
    contract: remote.contract,
    entry: remoteEntry.name,
    files,
    initial: { js: [remoteEntry.name], css: [] },
    exposes: Object.fromEntries(official.exposes.map(({ path, assets }) => [path, groupOf(assets)])),
    singletons: {
      provides: {},
      needs: Object.fromEntries(
        official.shared
          .filter(({ singleton }) => singleton)
          .map(({ name, requiredVersion }) => [name, requiredVersion] as const)
          .sort(([left], [right]) => (left < right ? -1 : 1)),
      ),
    },
    runtime: CONTAINER_INTERFACE,
    container: globalName,
    remote,
  };
}

/** The container fills only its own share scopes from the shell's modules. */
function refuseOtherScopes(entry: string): void {
  const [, own = 'default'] =
    /\binitializeExposesData\s*=[^;]*?shareScope\W{0,3}:\s*("[^"]+"|\[[^\]]+\])\s*,?\s*}/s.exec(entry) ?? [];
  for (const [, scope = '', name] of entry.matchAll(
    /\bshareScope"?:\s*("[^"]+"|\[[^\]]+\]),\s*"?shareKey"?:\s*"([^"]+)"/g,
  )) {
    const names: string[] = scope.match(/[^"[\],\s]+/g) ?? [];
    if (names.some((each) => own.includes(each))) continue;
    throw new StoreError(
      `"${name}" is in the share scope ${scope}, but the container is not: set shareScope at the top level of the plugin, too`,
    );
  }
}

const groupOf = ({ js, css }: Assets): FileGroup => ({ js: [...js.sync].sort(), css: [...css.sync].sort() });

async function readJson<T>(dist: string, file: string): Promise<T> {
  const text = await readFile(join(dist, file), 'utf8').catch(() => {
    throw new StoreError(`${join(dist, file)} is missing`);
  });
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new StoreError(`${join(dist, file)} is not JSON`);
  }
}

/** Relative paths with forward slashes, without compressed siblings. */
export async function filesOf(dist: string): Promise<string[]> {
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(dist.length).split(sep).filter(Boolean).join('/'))
    .sort();
}
