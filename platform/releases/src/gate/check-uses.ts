/**
 * Checks whether the pages and API calls that a release uses exist: pages in the other releases that visitors get, calls in this
 * server's API. It also checks the opposite direction: a release may not drop a page that another live release links to.
 */
import { type MapEntry, type ReleaseMap, type RouteContract, routeCovers, SHELL } from '../contract';
import type { LinkUse, ReleaseManifest, ReleaseUses } from '../manifest';
import type { Store } from '../store/store';
import { type Check, checkOf, skipped } from './verdict';

/** The addresses and calls that the product's server answers itself. A release may claim none of these addresses and use no other calls. */
export interface ServerContract {
  /** Patterns of addresses, such as '/api/*'. */
  routes: readonly string[];
  /** Such as 'GET /api/things'. */
  calls: readonly string[];
}

export interface MapStep {
  before: ReleaseMap;
  next: ReleaseMap;
  manifest: ReleaseManifest;
  /** Absent if it is not known, as in tests. */
  server?: ServerContract;
}

interface Linker {
  name: string;
  version: string;
  links: Record<string, LinkUse>;
}

export async function checkUses(store: Store, { before, next, manifest, server }: MapStep): Promise<Check[]> {
  const { name, version, uses } = manifest;
  const faultsOf = async (map: ReleaseMap) =>
    (await linkers(store, map, manifest)).map((linker) => linkFaults(map, linker));
  const existingFaults = new Set((await faultsOf(before)).flatMap(({ faults }) => faults));
  const results = await faultsOf(next);
  const isOwn = (result: { linker: Linker }) => result.linker.name === name && result.linker.version === version;
  const faults = results.flatMap((result) =>
    result.faults.filter((fault) => isOwn(result) || !existingFaults.has(fault)),
  );
  const tested = results.find(isOwn);
  const waits = tested?.waits.length ? `; no release is live yet of ${tested.waits.join(', ')}` : '';
  return [
    checkOf('links', faults, `${Object.keys(tested?.linker.links ?? {}).length} pages linked to${waits}`),
    checkCalls(`${name}@${version}`, uses, server),
  ];
}

function checkCalls(label: string, uses: ReleaseUses | undefined, server: ServerContract | undefined): Check {
  if (!server) return skipped('calls', 'the calls of this server are unknown');
  // A release of an earlier platform lists its calls in another form.
  if (!Array.isArray(uses?.calls)) return skipped('calls', `${label} does not list its calls: build it again`);
  const missing = uses.calls.filter((call) => !server.calls.includes(call));
  const faults = missing.map((call) => `${label} uses ${call}, which this server does not have`);
  return checkOf('calls', faults, `${uses.calls.length} calls`);
}

async function linkers(store: Store, map: ReleaseMap, manifest: ReleaseManifest): Promise<Linker[]> {
  const served = Object.entries(map.microFrontends).flatMap(([name, entries]) =>
    entries.map((entry) => ({ name, version: entry.metadata.version, entry })),
  );
  return Promise.all(
    served.map(async ({ name, version, entry }) => {
      const isTested = name === manifest.name && version === manifest.version;
      const { uses } = (isTested ? manifest : await store.readManifest(name, version)) ?? {};
      const { tabBar = [], drawer = [] } = entry.extras.remote ?? {};
      const named = [...tabBar, ...drawer].map(({ path }) => [path, {}] as const);
      return { name, version, links: { ...Object.fromEntries(named), ...uses?.links } };
    }),
  );
}

/** `waits`: remotes that it links to and of which no release is live, as in a shop that is being set up. */
function linkFaults(map: ReleaseMap, linker: Linker): { linker: Linker; faults: string[]; waits: string[] } {
  const { name, version, links } = linker;
  const waits = new Set<string>();
  const faults = Object.entries(links).flatMap(([path, { remote }]) => {
    const self = (map.microFrontends[name] ?? []).filter(({ metadata }) => metadata.version === version);
    const others = Object.entries(map.microFrontends).filter(([other]) => other !== name && other !== SHELL);
    const groups: Array<[string, MapEntry[]]> = [[name, self], ...others];
    if (groups.some(([, entries]) => entries.every((entry) => offers(entry, path)))) return [];
    if (remote !== undefined && remote !== name && !map.microFrontends[remote]) {
      waits.add(remote);
      return [];
    }
    return [`${name}@${version} links to ${path}, ${reason(groups, path, remote)}`];
  });
  return { linker, faults, waits: [...waits].sort() };
}

const routesOf = (entry: MapEntry): readonly RouteContract[] => entry.extras.remote?.routes ?? [];

const offers = (entry: MapEntry, path: string): boolean =>
  routesOf(entry).some((route) => routeCovers(route.path, path));

function reason(groups: ReadonlyArray<[string, MapEntry[]]>, path: string, remote: string | undefined): string {
  const all = groups.flatMap(([name, entries]) =>
    entries.map((entry) => ({ label: `${name}@${entry.metadata.version}`, name, hasPage: offers(entry, path) })),
  );
  const owners = new Set(all.filter(({ hasPage }) => hasPage).map(({ name }) => name));
  const without = all.filter(({ name, hasPage }) => owners.has(name) && !hasPage);
  if (without.length > 0) return `which ${without.map(({ label }) => label).join(' and ')} has no page for`;
  const labels = all.filter(({ name }) => name === remote).map(({ label }) => label);
  return labels.length > 0 ? `for which ${labels.join(' and ')} has no page` : 'for which no live release has a page';
}
