import { satisfies, valid, validRange } from 'semver';
import { CONTRACT_VERSION, type MapEntry, type ReleaseMap, routesOverlap, SHELL, SHELL_ROUTES } from '../contract';
import type { ReleaseManifest } from '../manifest';
import type { Store } from '../store/store';
import { checkUses, type MapStep } from './check-uses';
import { type Check, checkOf, skipped } from './verdict';

/** Checks that depend on the other live releases and the server. They are cheap, so they run again if the map changed meanwhile. */
export async function checksOfMap(store: Store, step: MapStep): Promise<Check[]> {
  const { next, manifest, server } = step;
  return [
    checkContract(manifest),
    ...checkShared(next, manifest),
    checkRoutes(next, manifest, server?.routes ?? []),
    ...(await checkUses(store, step)),
  ];
}

const labelled = (map: ReleaseMap, name: string) =>
  (map.microFrontends[name] ?? []).map((entry) => ({ label: `${name}@${entry.metadata.version}`, entry }));

const remoteEntries = (map: ReleaseMap) =>
  Object.keys(map.microFrontends)
    .filter((name) => name !== SHELL)
    .flatMap((name) => labelled(map, name));

function checkContract({ contract, remote }: ReleaseManifest): Check {
  const otherVersion = [contract, remote?.contract].find(
    (version) => version !== undefined && version !== CONTRACT_VERSION,
  );
  const fault = `it uses contract ${otherVersion}, the shell uses ${CONTRACT_VERSION}; rebuild on the current platform`;
  return checkOf('contract', otherVersion === undefined ? [] : [fault], `version ${contract}`);
}

/** Singletons and runtime of a shell with each live remote, or of a remote with each live shell. */
function checkShared(map: ReleaseMap, manifest: ReleaseManifest): Check[] {
  const isShell = manifest.name === SHELL;
  const others = isShell ? remoteEntries(map) : labelled(map, SHELL);
  if (!isShell && others.length === 0) {
    return [skipped('singletons', 'no shell is live yet'), skipped('runtime', 'no shell is live yet')];
  }
  const { singletons, runtime } = manifest;
  const unmet = others.flatMap(({ label, entry: { extras } }) => {
    const [remote, shell] = isShell ? [extras.singletons, singletons] : [singletons, extras.singletons];
    return unmetNeeds(remote.needs, shell.provides).map((fault) => `${label}: ${fault}`);
  });
  const otherRuntime = others
    .filter(({ entry }) => runtimeLine(entry.extras.runtime) !== runtimeLine(runtime))
    .map(({ label, entry }) =>
      isShell
        ? `${label} runs on ${entry.extras.runtime}, this shell provides ${runtime}`
        : `${label} provides ${entry.extras.runtime}, this was built for ${runtime}`,
    );
  const met = isShell
    ? `meets the needs of ${others.length} live releases`
    : `${others[0]?.label} provides all ${Object.keys(singletons.needs).length}`;
  return [checkOf('singletons', unmet, met), checkOf('runtime', otherRuntime, runtime)];
}

/**
 * A route claims all addresses that it matches. Otherwise the ranks of two overlapping routes would decide, and a squad could
 * take single pages of another squad. Live releases count, and so do canaries.
 */
function checkRoutes(map: ReleaseMap, { name, remote }: ReleaseManifest, serverRoutes: readonly string[]): Check {
  const routes = remote?.routes ?? [];
  const claims = [
    ...claimsOf(SHELL, SHELL_ROUTES),
    ...claimsOf('the server', serverRoutes),
    ...claimsBeside(map, name),
  ];
  const faults = routes.flatMap(({ path }, index) => {
    const twice = routes.slice(0, index).some((earlier) => shapeOf(earlier.path) === shapeOf(path));
    const conflicts = claims.filter((claim) => routesOverlap(path, claim.path));
    return [
      ...(twice ? [`${path} is defined twice`] : []),
      ...conflicts.map(
        (claim) => `${path} of ${name} matches addresses of ${claim.path}, which is claimed by ${claim.owner}`,
      ),
    ];
  });
  return checkOf('routes', faults, `${routes.length} routes, none matches an address of another release`);
}

const claimsOf = (owner: string, paths: readonly string[]) => paths.map((path) => ({ owner, path }));

const claimsBeside = ({ microFrontends }: ReleaseMap, name: string) =>
  Object.entries(microFrontends)
    .filter(([other]) => other !== name)
    .flatMap(([other, entries]) => entries.flatMap((entry) => claimsOf(other, pathsOf(entry))));

const pathsOf = (entry: MapEntry): string[] => (entry.extras.remote?.routes ?? []).map(({ path }) => path);

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

/** Equal for two paths of one release that differ only in the names of their parameters: '/hello/:name' and '/hello/:who'. */
const shapeOf = (path: string) => path.replace(/:\w+/g, ':').toLowerCase();
