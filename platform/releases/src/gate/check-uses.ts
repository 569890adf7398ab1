/**
 * Checks whether the pages and API calls that a release uses exist: pages in the other releases that visitors get, calls in this
 * server's API. It also checks the opposite direction: a release may not drop a page that another live release links to.
 */
import { type MapEntry, type ReleaseMap, routeCovers, SHELL } from '../contract';
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

export async function checkUses(store: Store, { before, next, manifest, server }: MapStep): Promise<Check[]> {
  const { name, version, uses } = manifest;
  const known = new Set((await linkChecks(store, before, manifest)).flatMap(({ faults }) => faults));
  const checks = await linkChecks(store, next, manifest);
  const faults = checks.flatMap((check) => check.faults.filter((fault) => check.isOwn || !known.has(fault)));
  const { count = 0, waits = [] } = checks.find(({ isOwn }) => isOwn) ?? {};
  const waiting = waits.length > 0 ? `; no release is live yet of ${waits.join(', ')}` : '';
  return [
    checkOf('links', faults, `${count} pages linked to${waiting}`),
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

const linkChecks = (store: Store, map: ReleaseMap, tested: ReleaseManifest) =>
  Promise.all(
    Object.entries(map.microFrontends).flatMap(([name, entries]) =>
      entries.map(async (entry) => {
        const { version } = entry.metadata;
        const isOwn = name === tested.name && version === tested.version;
        const { uses } = (isOwn ? tested : await store.readManifest(name, version)) ?? {};
        const { tabBar = [], drawer = [] } = entry.extras.remote ?? {};
        const named = [...tabBar, ...drawer].map(({ path }) => [path, {}] as const);
        return { isOwn, ...linkFaults(map, name, entry, { ...Object.fromEntries(named), ...uses?.links }) };
      }),
    ),
  );

/** `waits`: remotes that it links to and of which no release is live, as in a shop that is being set up. */
function linkFaults(map: ReleaseMap, name: string, self: MapEntry, links: Record<string, LinkUse>) {
  const waits = new Set<string>();
  const others = Object.entries(map.microFrontends).filter(([other]) => other !== name && other !== SHELL);
  const groups: Array<[string, MapEntry[]]> = [[name, [self]], ...others];
  const faults = Object.entries(links).flatMap(([path, { remote }]) => {
    if (groups.some(([, entries]) => entries.every((entry) => offers(entry, path)))) return [];
    if (remote !== undefined && remote !== name && !map.microFrontends[remote]) {
      waits.add(remote);
      return [];
    }
    return [`${name}@${self.metadata.version} links to ${path}, ${reason(groups, path, remote)}`];
  });
  return { count: Object.keys(links).length, faults, waits: [...waits].sort() };
}

const offers = ({ extras }: MapEntry, path: string): boolean =>
  extras.remote?.routes.some((route) => routeCovers(route.path, path)) ?? false;

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
