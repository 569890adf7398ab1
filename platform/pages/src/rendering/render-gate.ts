/** The gate's step before the browser: each public route of a release is rendered as it would be live. */
import { SourceMap, type SourceMapPayload } from 'node:module';
import { posix } from 'node:path';
import {
  type Check,
  type GateContext,
  type GateStep,
  matchRoute,
  type ReleaseSet,
  releaseBase,
  SHELL,
  type Store,
  workspaceOf,
} from '@platform/releases';
import { launcher } from './launcher';
import { ReleaseSets } from './release-sets';
import { renderWhole } from './render-whole';
import { IsolatedRenderer, type RenderFault } from './renderer';
import { labelOf } from './runtime-config';

export interface RenderGateOptions {
  /** The running site that answers the pages' calls; without one, pages are rendered as they are before the answers. */
  against?: string | null;
  /** For one page. */
  limits?: typeof LIMITS;
}

const CHECK = 'render';
export const VISITORS = [
  { language: 'zh-CN', currency: 'CNY' },
  { language: 'en', currency: 'USD' },
] as const;
/** Generous: a page that is slow on a busy machine is the watcher's matter. */
export const LIMITS = { pageMs: 3_000, waitMs: 20_000, processes: 1 };
const SHOWN = 5;
const OWN_SOURCE = /^(?!.*node_modules)[\w@./-]+\.[jt]sx?$/;

export function renderGate({ against = null, limits = LIMITS }: RenderGateOptions = {}): GateStep {
  return { check: CHECK, run: async (context) => [await check(context, against, limits)] };
}

async function check(context: GateContext, against: string | null, limits: typeof LIMITS): Promise<Check> {
  const { store, manifest, map, say } = context;
  const sets = new ReleaseSets(store);
  const renderer = new IsolatedRenderer({ limits });
  try {
    // With this number a visitor gets the canary, which is the release under test where there is one.
    const set = await sets.of({ ...map, ops: { ...map.ops, renderingOff: undefined } }, 0);
    const isBuilt = set && (manifest.kind === 'shell' || set.remotes[manifest.name]);
    if (!isBuilt)
      return { check: CHECK, outcome: 'passed', detail: 'without a server build browsers render its pages' };
    const { fault } = await launcher();
    if (fault) return { check: CHECK, outcome: 'skipped', detail: `this machine starts no renderer: ${fault}` };
    const addresses = publicAddresses(set, manifest.name);
    say?.(`rendering ${addresses.length} pages in two languages …`);
    const faults: string[] = [];
    let absent = 0;
    for (const path of addresses) {
      for (const visitor of VISITORS) {
        const request = { path, theme: 'light', ...visitor } as const;
        const { page, fault: found } = await renderWhole(renderer, set, request, against);
        if (!page && !found && hasBuild(set, path)) absent += 1;
        if (found) faults.push(`${path} (${visitor.language}): ${await describe(store, found)}`);
      }
    }
    // Not rendered is not passed; a page that draws nothing, such as one that leads elsewhere, is the browser's.
    const late = absent - emptyPages(renderer);
    if (late > 0)
      faults.push(
        `the machine was too busy to render ${late} of ${addresses.length * VISITORS.length} pages; run the gate again`,
      );
    const more = faults.length > SHOWN ? [`and ${faults.length - SHOWN} more`] : [];
    return faults.length > 0
      ? { check: CHECK, outcome: 'failed', detail: [...faults.slice(0, SHOWN), ...more].join('; ') }
      : { check: CHECK, outcome: 'passed', detail: `${addresses.length} pages are rendered on the server` };
  } finally {
    await renderer.close();
    await sets.close();
  }
}

const emptyPages = ({ statistics }: IsolatedRenderer): number =>
  statistics.all().reduce((sum, { failures }) => sum + (failures.empty ?? 0), 0);

/** Whether the release that the address belongs to can be rendered; those of the shell always can. */
function hasBuild({ map, remotes }: ReleaseSet, path: string): boolean {
  const owner = Object.entries(map.microFrontends).find(([, [entry]]) =>
    matchRoute(entry?.extras.remote?.routes ?? [], path),
  );
  return !owner || owner[0] in remotes;
}

/** Of a remote its own; the shell surrounds the pages of all. Any value will do for a parameter, because "not found" is a page too. */
function publicAddresses({ map }: ReleaseSet, name: string): string[] {
  const routes = Object.values(map.microFrontends).flatMap(([entry]) => entry?.extras.remote?.routes ?? []);
  const own = name === SHELL ? routes : (map.microFrontends[name]?.[0]?.extras.remote?.routes ?? []);
  const addresses = own
    .filter(({ flags }) => !flags?.requiresLogin)
    .map(({ path }) => path.replace(/:[^/]+\??/g, '1').replace(/\*$/, ''));
  const reached = addresses.filter((address) => !matchRoute(routes, address)?.flags?.requiresLogin);
  return [...new Set(name === SHELL ? [...reached, '/404'] : reached)];
}

/** The message, and the first line of the release's own source in the stack. */
async function describe(store: Store, { name, version, failure, detail }: RenderFault): Promise<string> {
  const [message = ''] = detail.split('\n');
  const place = await sourceOf(store, { name, version }, detail);
  const blamed = releaseBase(name, version).slice(3, -1).replace('/', '@');
  const what = failure === 'threw' || failure === 'start' ? message : `${failure}: ${message}`;
  return `${what}${place ? ` at ${place}` : ''}, in ${blamed}`;
}

/** 'mfe-catalog/src/home/home-page.tsx:34:12' by the source maps of the server build; the line of the build where there is none. */
export async function sourceOf(
  store: Store,
  { name, version }: { name: string; version: string },
  stack: string,
): Promise<string> {
  const folder = `${labelOf(name, { version })}/`;
  for (const line of stack.split('\n')) {
    const at = line.indexOf(folder);
    const [, file, row, column] = at < 0 ? [] : (/^([^:]+):(\d+):(\d+)/.exec(line.slice(at + folder.length)) ?? []);
    if (!file) continue;
    const content = await store.readFile(name, version, `${file}.map`);
    if (!content) return `${file}:${row}:${column}`;
    const map = new SourceMap(JSON.parse(content.toString('utf8')) as SourceMapPayload);
    const origin = map.findEntry(Number(row) - 1, Number(column) - 1);
    // Libraries and the bundler's own code say little; the page below them does.
    if (!('originalSource' in origin) || !OWN_SOURCE.test(origin.originalSource)) continue;
    const source = posix.join(workspaceOf(name), origin.originalSource);
    return `${source}:${origin.originalLine + 1}:${origin.originalColumn + 1}`;
  }
  return '';
}
