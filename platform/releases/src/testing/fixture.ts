import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type GateFlow, MANIFEST_FILE, type RouteContract, type StepRule } from '../contract';
import { integrityOf, type ReleaseManifest, type ReleaseUses } from '../manifest';
import { recordVerdict } from '../operations/check-release';
import { promote } from '../operations/promote';
import { publish } from '../publish';
import type { Store } from '../store/store';

export interface Sample {
  name?: string;
  version?: string;
  text?: string;
  needs?: Record<string, string>;
  provides?: Record<string, string>;
  runtime?: string;
  contract?: number;
  routes?: RouteContract[];
  flows?: GateFlow[];
  steps?: StepRule[];
  uses?: Partial<ReleaseUses>;
  more?: Record<string, string>;
  gated?: boolean;
}

const route = (path: string, page: string, flags: RouteContract['flags'] = {}): RouteContract => ({
  path,
  page,
  module: `./src/${page.slice(2)}.tsx`,
  title: { 'zh-CN': `页 ${path}`, en: `Page ${path}` },
  flags: { topBar: true, ...flags },
});

const ROUTES: Record<string, RouteContract[]> = {
  catalog: [
    route('/home', './home', { tabBar: true }),
    route('/goods', './goods'),
    route('/goods/:id', './product'),
    route('/goods/new', './goods'),
  ],
};

const recordOf = (content: string) => ({ size: Buffer.byteLength(content), integrity: integrityOf(content) });

export function sample(options: Sample = {}) {
  const name = options.name ?? 'catalog';
  const text = options.text ?? 'one';
  const hash = createHash('sha256').update(JSON.stringify(options)).digest('hex').slice(0, 8);
  const routes = options.routes ?? ROUTES[name] ?? [route(`/${name}`, './main', { tabBar: true })];
  const shell = name === 'shell';
  const long = (label: string) => `/* ${label} of ${name}, ${text} */\n${'console.log("shop");\n'.repeat(40)}`;
  const pages = shell ? [] : [...new Set(routes.map(({ page }) => page.slice(2)))];
  const own: Record<string, string> = shell
    ? { 'main.aa.js': long('main'), 'vendor.bb.js': long('vendor'), 'main.cc.css': '.shell{}' }
    : {
        'remoteEntry.js': long('entry'),
        ...Object.fromEntries(pages.map((page) => [`${page}.dd.js`, long(page)])),
        ...Object.fromEntries(pages.map((page) => [`${page}.dd.css`, `[data-remote="${name}"] .${page}{}`])),
      };
  const cover = { 'assets/cover.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>' };
  const files = new Map(Object.entries({ ...own, ...cover, ...options.more }));
  const manifest: ReleaseManifest = {
    schema: 1,
    name,
    version: options.version ?? `1.0.0-${hash}`,
    contract: (options.contract ?? 1) as 1,
    entry: shell ? 'main.aa.js' : 'remoteEntry.js',
    files: Object.fromEntries([...files].map(([file, content]) => [file, recordOf(content)])),
    initial: shell ? { js: ['vendor.bb.js', 'main.aa.js'], css: ['main.cc.css'] } : { js: ['remoteEntry.js'], css: [] },
    exposes: Object.fromEntries(pages.map((page) => [`./${page}`, { js: [`${page}.dd.js`], css: [`${page}.dd.css`] }])),
    singletons: {
      provides: shell ? (options.provides ?? { react: '19.3.1' }) : {},
      needs: shell ? {} : (options.needs ?? { react: '^19.3.0' }),
    },
    runtime: options.runtime ?? '2.9.2',
    ...(options.flows && { flows: options.flows }),
    ...(options.uses && { uses: { links: {}, calls: [], ...options.uses } }),
    ...(!shell && {
      remote: {
        name,
        contract: 1 as const,
        routes,
        ...(options.steps && { steps: options.steps }),
        tabBar: routes
          .filter(({ flags }) => flags?.tabBar)
          .map(({ path }, order) => ({ path, label: { 'zh-CN': '签', en: 'Tab' }, icon: 'x', order })),
      },
    }),
  };
  return { manifest, files };
}

export const manifestOf = (options: Sample = {}): ReleaseManifest => sample(options).manifest;

/** A new folder; node-environment.js removes those of a test file at its end. */
export const scratch = (): Promise<string> => mkdtemp(join(tmpdir(), 'shop-release-'));

interface WrittenBuild {
  manifest: ReleaseManifest;
  files: ReadonlyMap<string, string | Buffer>;
}

export async function writeBuild({ manifest, files }: WrittenBuild): Promise<string> {
  const dist = await scratch();
  for (const [file, content] of files) {
    await mkdir(dirname(join(dist, file)), { recursive: true });
    await writeFile(join(dist, file), content);
  }
  await writeFile(join(dist, MANIFEST_FILE), JSON.stringify(manifest));
  return dist;
}

let clock = 0;
/** Publishes a sample that passed the gate, and returns its version. Each publish is dated one second after the previous one. */
export async function publishSample(store: Store, options: Sample = {}): Promise<string> {
  clock += 1000;
  const at = new Date(Date.UTC(2026, 0, 1) + clock).toISOString();
  const { name, version } = await publish(store, { dist: await writeBuild(sample(options)), by: 'tester', at });
  if (options.gated !== false) await recordVerdict(store, { name, version, passed: true, checks: [] }, { at });
  return version;
}

/** Publishes a release and promotes it, for all visitors or as a canary with that share of them in per cent. */
export async function publishLive(store: Store, options: Sample = {}, traffic?: number): Promise<string> {
  const version = await publishSample(store, options);
  await promote(store, { by: 'ann', name: options.name ?? 'catalog', version, traffic });
  return version;
}
