import { readSbom } from '../attestation/judge';
import {
  type GateFlow,
  type LocalText,
  type ReleaseMap,
  type RouteContract,
  routeCovers,
  type Singletons,
  type StepRule,
} from '../contract';
import { type BudgetUse, sizeInBudget } from '../gate/check-files';
import { canaryEntry, liveEntry } from '../map';
import type { Store } from '../store/store';
import { DEFAULT_CHANNEL } from './change-map';

export interface ModuleRoute {
  path: string;
  title: LocalText;
  requiresLogin: boolean;
}

/** The path of a route, and the other module; null where no module of the channel has that page. */
export interface ModuleLink {
  path: string;
  module: string | null;
}

/** One name of a channel, by what its live release says of itself; of a name that is new, its canary. */
export interface ModuleView {
  name: string;
  version: string;
  /** The team, as the contract names it; null where it names none. */
  owner: string | null;
  routes: ModuleRoute[];
  /** Pages of others that its code links to, each with the module that has it; null where its build does not say. */
  linksTo: ModuleLink[] | null;
  /** Its own pages that the code of others links to, each with the module that does. */
  linkedFrom: ModuleLink[];
  /** Entry points and singletons that it takes, with the range that it was built for and what the live shell offers. */
  needs: Array<{ name: string; range: string; offered: string | null }>;
  /** Those that a shell offers. */
  offers: Array<{ name: string; version: string }>;
  flows: Array<Pick<GateFlow, 'name' | 'route' | 'visitor'> & { steps: number }>;
  /** What its pages owe (`steps` of the contract). */
  owes: readonly StepRule[];
  /** Compressed, of the budget that the gate holds it to. */
  size: BudgetUse;
  /** 'react@19.2.0', of its SBOM; null where it was published without. */
  packages: string[] | null;
}

/** What a channel consists of. Reads the store only. */
export async function modules(store: Store, { channel = DEFAULT_CHANNEL }: { channel?: string } = {}) {
  const map = await store.readMap(channel);
  const offers = Object.values(map.microFrontends)
    .flatMap(([entry]) => Object.entries(entry?.extras.singletons.provides ?? {}))
    .map(([name, version]) => ({ name, version }));
  const names = Object.keys(map.microFrontends).sort();
  const views = await Promise.all(names.map((name) => moduleView(store, map, name, offers)));
  return { channel, rev: map.rev, modules: linked(views.filter((view) => view !== null)) };
}

type UnlinkedView = Omit<ModuleView, 'linksTo' | 'linkedFrom'> & { links: string[] | null };

/** A page is the module's own where that has a route for it too. */
function linked(views: readonly UnlinkedView[]): ModuleView[] {
  const has = ({ routes }: UnlinkedView, path: string) => routes.some((route) => routeCovers(route.path, path));
  const linksOf = (view: UnlinkedView): ModuleLink[] =>
    (view.links ?? [])
      .filter((path) => !has(view, path))
      .map((path) => ({ path, module: views.find((other) => has(other, path))?.name ?? null }));
  return views.map(({ links, ...view }) => ({
    ...view,
    linksTo: links && linksOf({ links, ...view }),
    linkedFrom: views.flatMap((other) =>
      linksOf(other).flatMap(({ path, module }) => (module === view.name ? [{ path, module: other.name }] : [])),
    ),
  }));
}

async function moduleView(
  store: Store,
  map: ReleaseMap,
  name: string,
  offers: ModuleView['offers'],
): Promise<UnlinkedView | null> {
  const version = (liveEntry(map, name) ?? canaryEntry(map, name))?.metadata.version;
  const manifest = version ? await store.readManifest(name, version) : null;
  if (!version || !manifest) return null;
  const { remote, singletons, uses, flows = [] } = manifest;
  return {
    name,
    version,
    owner: remote?.owner ?? null,
    routes: (remote?.routes ?? []).map(routeView),
    links: uses ? Object.keys(uses.links).sort() : null,
    needs: needsOf(singletons, offers),
    offers: Object.entries(singletons.provides).map(([share, of]) => ({ name: share, version: of })),
    flows: flows.map(({ name: flow, route, visitor, steps }) => ({ name: flow, route, visitor, steps: steps.length })),
    owes: remote?.steps ?? [],
    size: await sizeInBudget(store, manifest),
    packages: packagesIn(await readSbom(store, name, version)),
  };
}

const routeView = ({ path, title, flags }: RouteContract): ModuleRoute => ({
  path,
  title,
  requiresLogin: flags?.requiresLogin === true,
});

const needsOf = ({ needs }: Singletons, offers: ModuleView['offers']): ModuleView['needs'] =>
  Object.entries(needs).map(([name, range]) => ({
    name,
    range,
    offered: offers.find((one) => one.name === name)?.version ?? null,
  }));

/** A publisher sends the text, so that nothing is taken for granted. */
function packagesIn(sbom: string | null): string[] | null {
  try {
    const { components } = JSON.parse(sbom ?? '') as { components?: Array<{ name?: unknown; version?: unknown }> };
    const named = components?.map(({ name, version }) => `${String(name)}@${String(version)}`);
    return named ? [...new Set(named)].sort() : null;
  } catch {
    return null;
  }
}
