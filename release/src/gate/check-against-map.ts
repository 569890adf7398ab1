/** Checks of a release against the other live releases. They are cheap, so they run again when the map changed meanwhile. */
import { satisfies, valid, validRange } from 'semver';
import { CONTRACT_VERSION, type MapEntry, type ReleaseMap, SHELL } from '../contract';
import type { ReleaseManifest } from '../manifest';
import { type Check, checkOf, skipped } from './verdict';

export function checkAgainstMap(map: ReleaseMap, manifest: ReleaseManifest): Check[] {
  return [
    checkContract(manifest),
    ...(manifest.kind === 'shell' ? checkShell(manifest, remoteEntries(map)) : checkRemote(manifest, shells(map))),
    checkRoutes(map, manifest),
  ];
}

interface LabelledEntry {
  label: string;
  entry: MapEntry;
}

const labelled = (map: ReleaseMap, name: string): LabelledEntry[] =>
  (map.microFrontends[name] ?? []).map((entry) => ({ label: `${name}@${entry.metadata.version}`, entry }));

const shells = (map: ReleaseMap) => labelled(map, SHELL);

const remoteEntries = (map: ReleaseMap) =>
  Object.keys(map.microFrontends)
    .filter((name) => name !== SHELL)
    .flatMap((name) => labelled(map, name));

function checkContract({ contract }: ReleaseManifest): Check {
  const fault = `it uses contract ${contract}, the shop uses ${CONTRACT_VERSION}; rebuild on the current platform`;
  return checkOf('contract', contract === CONTRACT_VERSION ? [] : [fault], `version ${contract}`);
}

function checkShell(shell: ReleaseManifest, remotes: readonly LabelledEntry[]): Check[] {
  const unmet = remotes.flatMap(({ label, entry }) =>
    unmetNeeds(entry.extras.singletons.needs, shell.singletons.provides).map((fault) => `${label}: ${fault}`),
  );
  const otherRuntime = remotes
    .filter(({ entry }) => runtimeLine(entry.extras.runtime) !== runtimeLine(shell.runtime))
    .map(({ label, entry }) => `${label} runs on ${entry.extras.runtime}, this shell provides ${shell.runtime}`);
  return [
    checkOf('singletons', unmet, `meets the needs of ${remotes.length} live releases`),
    checkOf('runtime', otherRuntime, shell.runtime),
  ];
}

function checkRemote(remote: ReleaseManifest, liveShells: readonly LabelledEntry[]): Check[] {
  if (liveShells.length === 0) {
    return [skipped('singletons', 'no shell is live yet'), skipped('runtime', 'no shell is live yet')];
  }
  const { needs } = remote.singletons;
  const unmet = liveShells.flatMap(({ label, entry }) =>
    unmetNeeds(needs, entry.extras.singletons.provides).map((fault) => `${label}: ${fault}`),
  );
  const otherRuntime = liveShells
    .filter(({ entry }) => runtimeLine(entry.extras.runtime) !== runtimeLine(remote.runtime))
    .map(({ label, entry }) => `${label} provides ${entry.extras.runtime}, this was built for ${remote.runtime}`);
  return [
    checkOf('singletons', unmet, `${liveShells[0]?.label} offers all ${Object.keys(needs).length}`),
    checkOf('runtime', otherRuntime, remote.runtime),
  ];
}

function checkRoutes(map: ReleaseMap, manifest: ReleaseManifest): Check {
  const owners = new Map<string, string>();
  for (const [name, entries] of Object.entries(map.microFrontends)) {
    if (name === manifest.name) continue;
    for (const entry of entries) {
      for (const { path } of entry.extras.remote?.routes ?? []) owners.set(routeShape(path), name);
    }
  }
  const routes = manifest.remote?.routes ?? [];
  const claimedTwice: string[] = [];
  for (const { path } of routes) {
    const owner = owners.get(routeShape(path));
    if (owner) claimedTwice.push(`${path} is claimed by ${owner}`);
    owners.set(routeShape(path), manifest.name);
  }
  return checkOf('routes', claimedTwice, `${routes.length} routes, none claimed twice`);
}

function unmetNeeds(needs: Record<string, string>, provides: Record<string, string>): string[] {
  return Object.entries(needs).flatMap(([share, range]) => {
    const offered = provides[share];
    if (!offered) return [`${share} ${range} is not offered`];
    if (!validRange(range) || !valid(offered)) {
      return offered === range ? [] : [`${share}: ${range} against ${offered}`];
    }
    if (satisfies(offered, range, { includePrerelease: true })) return [];
    return [`${share} ${range} is needed, ${offered} is offered`];
  });
}

/** A remote runs on the shell's runtime: patch versions may differ, minor versions may not. */
const runtimeLine = (version: string) => version.split('.').slice(0, 2).join('.');

/** Equal for two paths that match the same addresses: '/goods/:id' and '/goods/:key'. */
const routeShape = (path: string) =>
  path
    .replace(/\/+$/, '')
    .replace(/:[^/]+/g, ':')
    .toLowerCase() || '/';
