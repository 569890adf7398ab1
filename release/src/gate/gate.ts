import { satisfies, valid, validRange } from 'semver';
import { AT_ONCE, inParallel } from '../in-parallel';
import { matchesIntegrity } from '../integrity';
import { CONTRACT_VERSION, manifestFaults, type ReleaseManifest } from '../manifest';
import { type MapEntry, type ReleaseMap, SHELL } from '../map';
import type { Store } from '../store/store';

export interface Check {
  check: 'manifest' | 'files' | 'contract' | 'singletons' | 'runtime' | 'routes' | 'size' | (string & {});
  outcome: 'passed' | 'failed' | 'skipped';
  /** One line; for a failure, with what to do. */
  detail: string;
}

export interface Verdict {
  name: string;
  version: string;
  passed: boolean;
  checks: Check[];
}

export interface GateContext {
  store: Store;
  manifest: ReleaseManifest;
  /** The composition that would be live. */
  map: ReleaseMap;
  /** For a step that takes long: one line of what it is about to do. */
  say?: (line: string) => void;
}

/** A later step, such as the one that opens each route in a real browser. */
export interface GateStep {
  check: string;
  run(context: GateContext): Promise<Check[]>;
}

/** Brotli bytes. A page is the remote's entry with the files of its dearest page; the shell is what every page loads. */
export const BUDGET = { shell: 260_000, page: 150_000 } as const;

const failed = (check: string, detail: string): Check => ({ check, outcome: 'failed', detail });
const passed = (check: string, detail: string): Check => ({ check, outcome: 'passed', detail });
const skipped = (check: string, detail: string): Check => ({ check, outcome: 'skipped', detail });
const verdictOf = (check: string, faults: string[], good: string): Check =>
  faults.length > 0 ? failed(check, faults.join('; ')) : passed(check, good);

/** Reads every file of the release back from the store. */
export async function checkFiles(store: Store, manifest: ReleaseManifest): Promise<Check[]> {
  const faults = manifestFaults(manifest);
  if (faults.length > 0) return [failed('manifest', faults.join('; '))];
  const { name, version } = manifest;
  const found = await inParallel(Object.entries(manifest.files), AT_ONCE, async ([file, { size, integrity }]) => {
    const content = await store.readFile(name, version, file);
    if (!content) return `${file} is missing`;
    return content.length === size && matchesIntegrity(content, integrity) ? null : `${file} has another hash`;
  });
  const bad = found.filter((fault) => fault !== null);
  const count = Object.keys(manifest.files).length;
  return [
    passed('manifest', 'sound'),
    verdictOf(
      'files',
      bad.length > 0 ? [`${bad.join(', ')}; publish a new version`] : [],
      `${count} files, hashes right`,
    ),
  ];
}

export async function checkSize(store: Store, manifest: ReleaseManifest): Promise<Check> {
  const sizeOf = async (files: string[]) => {
    let sum = 0;
    for (const file of new Set(files)) {
      const compressed = await store.readFile(manifest.name, manifest.version, `${file}.br`);
      sum += compressed?.length ?? manifest.files[file]?.size ?? 0;
    }
    return sum;
  };
  const { initial, exposes, entry } = manifest;
  if (manifest.kind === 'shell') {
    const size = await sizeOf([...initial.js, ...initial.css]);
    const detail = `${size} of ${BUDGET.shell} bytes (brotli) for every page`;
    return size > BUDGET.shell ? failed('size', `${detail}: too big`) : passed('size', detail);
  }
  let dearest = { page: '', size: 0 };
  for (const [page, files] of Object.entries(exposes)) {
    const size = await sizeOf([entry, ...files.js, ...files.css]);
    if (size > dearest.size) dearest = { page, size };
  }
  const detail = `${dearest.size} of ${BUDGET.page} bytes (brotli) for ${dearest.page || 'the dearest page'}`;
  return dearest.size > BUDGET.page ? failed('size', `${detail}: too big; split it`) : passed('size', detail);
}

function unmetNeeds(needs: Record<string, string>, provides: Record<string, string>): string[] {
  return Object.entries(needs).flatMap(([share, range]) => {
    const offered = provides[share];
    if (!offered) return [`${share} ${range} is not offered`];
    if (!validRange(range) || !valid(offered))
      return offered === range ? [] : [`${share}: ${range} against ${offered}`];
    return satisfies(offered, range, { includePrerelease: true })
      ? []
      : [`${share} ${range} is needed, ${offered} is offered`];
  });
}

/** A remote with an external runtime runs on the shell's: patches may differ, a new minor may not. */
const runtimeLine = (version: string) => version.split('.').slice(0, 2).join('.');

/** Two paths that can match the same address in the same way: '/goods/:id' and '/goods/:key'. */
const routeShape = (path: string) =>
  path
    .replace(/\/+$/, '')
    .replace(/:[^/]+/g, ':')
    .toLowerCase() || '/';

/** What depends on the other releases that are live; cheap, so it runs again when the map changed meanwhile. */
export function checkAgainstMap(map: ReleaseMap, manifest: ReleaseManifest): Check[] {
  const checks: Check[] = [
    manifest.contract === CONTRACT_VERSION
      ? passed('contract', `version ${manifest.contract}`)
      : failed(
          'contract',
          `it speaks contract ${manifest.contract}, the shop speaks ${CONTRACT_VERSION}; rebuild on the current platform`,
        ),
  ];
  const entries = (name: string): MapEntry[] => map.microFrontends[name] ?? [];
  const others = Object.keys(map.microFrontends).filter((name) => name !== manifest.name && name !== SHELL);

  if (manifest.kind === 'shell') {
    const lives = others.flatMap((name) =>
      entries(name).map((entry) => ({ label: `${name}@${entry.metadata.version}`, ...entry.extras })),
    );
    checks.push(
      verdictOf(
        'singletons',
        lives.flatMap(({ label, singletons }) =>
          unmetNeeds(singletons.needs, manifest.singletons.provides).map((fault) => `${label}: ${fault}`),
        ),
        `meets the needs of ${lives.length} live releases`,
      ),
      verdictOf(
        'runtime',
        lives
          .filter(({ runtime }) => runtimeLine(runtime) !== runtimeLine(manifest.runtime))
          .map(({ label, runtime }) => `${label} runs on ${runtime}, this shell brings ${manifest.runtime}`),
        manifest.runtime,
      ),
    );
  } else {
    const shells = entries(SHELL);
    if (shells.length === 0) {
      checks.push(skipped('singletons', 'no shell is live yet'), skipped('runtime', 'no shell is live yet'));
    } else {
      checks.push(
        verdictOf(
          'singletons',
          shells.flatMap(({ metadata, extras }) =>
            unmetNeeds(manifest.singletons.needs, extras.singletons.provides).map(
              (fault) => `shell@${metadata.version}: ${fault}`,
            ),
          ),
          `shell@${shells[0]?.metadata.version} offers all ${Object.keys(manifest.singletons.needs).length}`,
        ),
        verdictOf(
          'runtime',
          shells
            .filter(({ extras }) => runtimeLine(extras.runtime) !== runtimeLine(manifest.runtime))
            .map(
              ({ metadata, extras }) =>
                `shell@${metadata.version} brings ${extras.runtime}, this was built for ${manifest.runtime}`,
            ),
          manifest.runtime,
        ),
      );
    }
  }

  const claimed = new Map<string, string>();
  for (const name of others) {
    for (const entry of entries(name)) {
      for (const route of entry.extras.remote?.routes ?? []) claimed.set(routeShape(route.path), name);
    }
  }
  const twice: string[] = [];
  for (const route of manifest.remote?.routes ?? []) {
    const owner = claimed.get(routeShape(route.path));
    if (owner) twice.push(`${route.path} is claimed by ${owner}`);
    claimed.set(routeShape(route.path), manifest.name);
  }
  checks.push(verdictOf('routes', twice, `${manifest.remote?.routes.length ?? 0} routes, none claimed twice`));
  return checks;
}

export function toVerdict(manifest: ReleaseManifest, checks: Check[]): Verdict {
  const { name, version } = manifest;
  return { name, version, passed: checks.every(({ outcome }) => outcome !== 'failed'), checks };
}
