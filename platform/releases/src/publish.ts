import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';
import { isServerFile, MANIFEST_FILE, SHELL } from './contract';
import { matchesIntegrity, parseManifest, type ReleaseManifest } from './manifest';
import { describeOfficialBuild, filesOf, OFFICIAL_MANIFEST } from './official-build';
import { hasControlCharacters } from './plain-text';
import { type Provenance, type Store, StoreError } from './store/store';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const TEXT = /\.(js|mjs|css|json|svg|html|txt|map|xml|webmanifest)$/;
/** Bytes; below this size compression saves no packet. */
const MIN_SIZE = 256;

export interface PublishOptions {
  /** The build output: `<workspace>/dist`, or a folder with a build of Module Federation's own plugin and its remote.json. */
  dist: string;
  by: string;
  dryRun?: boolean;
  at?: string;
  provenance?: Provenance;
}

export type PublishResult = Awaited<ReturnType<typeof publishBuild>>;

/** 'catalog' and 'mfe-catalog' name the same release; its workspace is 'mfe-catalog', the shell's is 'shell'. */
export const releaseName = (name: string): string => name.replace(/^mfe-/, '');
export const workspaceOf = (name: string): string => (name === SHELL ? SHELL : `mfe-${releaseName(name)}`);

async function readManifest(dist: string): Promise<Buffer> {
  const manifest = await readFile(join(dist, MANIFEST_FILE)).catch(() => null);
  if (manifest) return manifest;
  if (await readFile(join(dist, OFFICIAL_MANIFEST)).catch(() => null)) {
    return Buffer.from(`${JSON.stringify(await describeOfficialBuild(dist), null, 2)}\n`);
  }
  throw new StoreError(`${join(dist, MANIFEST_FILE)} is missing; build first: npm run release -- build`);
}

export interface Build {
  manifest: ReleaseManifest;
  raw: Buffer;
  files: ReadonlyMap<string, Buffer>;
}

/** Reads a build output and compares it with its manifest. Throws StoreError. */
export async function readBuild(dist: string): Promise<Build> {
  const raw = await readManifest(dist);
  const manifest = parseManifest(raw, join(dist, MANIFEST_FILE));
  const files = new Map<string, Buffer>();
  for (const [file, { size, integrity }] of Object.entries(manifest.files)) {
    const content = await readFile(join(dist, file)).catch(() => null);
    if (!content) throw new StoreError(`${file} is in ${MANIFEST_FILE} but not in ${dist}; build again`);
    if (content.length !== size || !matchesIntegrity(content, integrity)) {
      throw new StoreError(`${file} in ${dist} is not what the build wrote (its hash differs); build again`);
    }
    files.set(file, content);
  }
  const extra = (await filesOf(dist)).find((file) => file !== MANIFEST_FILE && !files.has(file));
  if (extra) throw new StoreError(`${extra} is in ${dist} but not in ${MANIFEST_FILE}; build again`);
  return { manifest, raw, files };
}

/**
 * Stores a build permanently. Repeating it with the same content changes nothing; other content under a known version is refused.
 * It makes nothing live. Throws StoreError.
 */
export async function publish(store: Store, options: PublishOptions): Promise<PublishResult> {
  return publishBuild(store, await readBuild(options.dist), options);
}

export async function publishBuild(
  store: Store,
  { manifest, raw, files }: Build,
  options: Omit<PublishOptions, 'dist'>,
) {
  const { name, version } = manifest;
  const result = {
    name,
    version,
    files: Object.keys(manifest.files).length,
    bytes: Object.values(manifest.files).reduce((sum, { size }) => sum + size, 0),
    dryRun: options.dryRun ?? false,
  };
  const { by, at = new Date().toISOString() } = options;
  if (hasControlCharacters(by)) throw new StoreError('the name of the publisher contains control characters');
  const record = async () => {
    const earlier = await store.publication(name, version);
    // A second publish of the same content without a token of a forge keeps the recorded job of the first.
    const provenance = options.provenance ?? earlier?.provenance;
    await store.recordPublication({ name, version, at, by, ...(provenance && { provenance }) });
  };

  const refuseOther = (existing: Buffer) => {
    if (existing.equals(raw)) return;
    throw new StoreError(
      `${name}@${version} is published with other content; a release never changes. Raise the version in ${workspaceOf(name)}/package.json and build again`,
    );
  };
  const existing = await store.readFile(name, version, MANIFEST_FILE);
  if (existing) {
    refuseOther(existing);
    if (!options.dryRun) await record();
    return { ...result, outcome: 'already there' as const };
  }
  if (options.dryRun) return { ...result, outcome: 'published' as const };

  await refuseUsedContainer(store, manifest);
  const all = new Map(files);
  // One file at a time: compression shares the process's few threads with the documents of visitors.
  for (const [file, content] of files) await addCompressed(all, file, content);
  all.set(MANIFEST_FILE, raw);
  const won = await store.blobs.putAll(`r/${name}/${version}`, all, MANIFEST_FILE);
  if (!won) {
    const winner = await store.readFile(name, version, MANIFEST_FILE);
    if (!winner)
      throw new StoreError(`r/${name}/${version} in ${store.blobs.place} is incomplete; remove it and publish again`);
    refuseOther(winner);
  }
  await record();
  return { ...result, outcome: won ? ('published' as const) : ('already there' as const) };
}

/** Two releases with the same global cannot be loaded in one tab: the second would keep showing the first. */
async function refuseUsedContainer(store: Store, { name, version, container }: ReleaseManifest): Promise<void> {
  if (!container) return;
  for (const published of await store.publications(name)) {
    const raw = await store.readFile(name, published.version, MANIFEST_FILE);
    if (!raw || (JSON.parse(raw.toString('utf8')) as ReleaseManifest).container !== container) continue;
    throw new StoreError(
      `${name}@${published.version} has the same container name "${container}" as ${version}; give the plugin's "name" a part that every build changes, such as the commit`,
    );
  }
}

/** Adds the compressed siblings of a file, `x.br` and `x.gz`; none for the server's files, images, fonts and tiny files. */
async function addCompressed(all: Map<string, Buffer>, file: string, content: Buffer): Promise<void> {
  if (isServerFile(file) || !TEXT.test(file) || content.length < MIN_SIZE) return;
  const br = await brotli(content, {
    params: {
      [zlib.BROTLI_PARAM_QUALITY]: 11,
      [zlib.BROTLI_PARAM_MODE]: zlib.BROTLI_MODE_TEXT,
      [zlib.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  });
  all.set(`${file}.br`, br);
  all.set(`${file}.gz`, await zip(content, { level: 9 }));
}
