/**
 * Releases on their way into the store, file by file:
 *
 *   staging/<upload>/release.json   the manifest, whose hash is the upload's name
 *   staging/<upload>/files/<hash>   a file, by its hash
 *
 * An upload of the same build goes on where another one stopped; of other builds it has another name. Nothing of it can be
 * promoted or served before it is published as a whole.
 */
import { createHash } from 'node:crypto';
import { MANIFEST_FILE } from './contract';
import { AT_ONCE, inParallel } from './in-parallel';
import { matchesIntegrity } from './integrity';
import { parseManifest, type ReleaseManifest } from './manifest';
import { type Build, type PublishOptions, type PublishResult, publishBuild } from './publish';
import { type Store, StoreError } from './store/store';

const STAGING = 'staging/';
const UPLOAD = /^[0-9a-f]{64}$/;
const STALE_MS = 2 * 86_400_000;
export const UPLOAD_LIMITS = { files: 2_000, fileBytes: 10_000_000, bytes: 60_000_000 } as const;

export interface Upload {
  upload: string;
  name: string;
  version: string;
  /** Files that are not there yet, with the names by which they are sent. */
  missing: Array<{ file: string; hash: string }>;
}

/** The hash of a file in an address: the hexadecimal digits of its integrity. */
const hashOf = (integrity: string) =>
  Buffer.from(integrity.slice(integrity.indexOf('-') + 1), 'base64').toString('hex');
const uploadOf = (raw: Buffer) => createHash('sha256').update(raw).digest('hex');
const fileKey = (upload: string, hash: string) => `${STAGING}${upload}/files/${hash}`;

function readManifest(raw: Buffer): ReleaseManifest {
  const manifest = parseManifest(raw, MANIFEST_FILE);
  const sizes = Object.values(manifest.files).map(({ size }) => size);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const { files: most, fileBytes, bytes: all } = UPLOAD_LIMITS;
  if (sizes.length > most || bytes > all || sizes.some((size) => size < 0 || size > fileBytes))
    throw new StoreError(
      `a release has at most ${most} files of ${fileBytes} bytes each and ${all} bytes together; this one has ${sizes.length} files and ${bytes} bytes`,
    );
  return manifest;
}

/** The name of the release that a manifest is of. Throws StoreError for one with faults. */
export const nameInManifest = (raw: Buffer): string => readManifest(raw).name;

async function readStaged(store: Store, upload: string): Promise<{ raw: Buffer; manifest: ReleaseManifest }> {
  const raw = UPLOAD.test(upload) ? await store.blobs.get(`${STAGING}${upload}/${MANIFEST_FILE}`) : null;
  if (!raw || uploadOf(raw) !== upload) throw new StoreError(`there is no upload ${upload}; begin again`);
  return { raw, manifest: readManifest(raw) };
}

async function missingOf(store: Store, upload: string, manifest: ReleaseManifest): Promise<Upload['missing']> {
  const staged = new Set(await store.blobs.list(`${STAGING}${upload}/files/`));
  return Object.entries(manifest.files)
    .map(([file, { integrity }]) => ({ file, hash: hashOf(integrity) }))
    .filter(({ hash }) => !staged.has(hash));
}

/** Begins an upload, or goes on with one. Throws StoreError for a faulty manifest, and when the version has other content. */
export async function beginUpload(store: Store, raw: Buffer): Promise<Upload> {
  const manifest = readManifest(raw);
  const { name, version } = manifest;
  const upload = uploadOf(raw);
  const published = await store.readFile(name, version, MANIFEST_FILE);
  if (published && !published.equals(raw))
    throw new StoreError(`${name}@${version} is published with another content; raise its version`);
  await store.blobs.put(`${STAGING}${upload}/${MANIFEST_FILE}`, raw);
  return { upload, name, version, missing: published ? [] : await missingOf(store, upload, manifest) };
}

/** The name of the release that an upload is of. Throws StoreError. */
export const nameOfUpload = async (store: Store, upload: string): Promise<string> =>
  (await readStaged(store, upload)).manifest.name;

/** Throws StoreError for a file that is not in the manifest, or is not what the manifest says. */
export async function receiveFile(store: Store, upload: string, hash: string, content: Buffer): Promise<void> {
  const { manifest } = await readStaged(store, upload);
  const [file, record] = Object.entries(manifest.files).find(([, { integrity }]) => hashOf(integrity) === hash) ?? [];
  if (!file || !record) throw new StoreError(`no file of ${manifest.name}@${manifest.version} has the hash ${hash}`);
  if (content.length !== record.size || !matchesIntegrity(content, record.integrity))
    throw new StoreError(`${file} arrived with another content than its hash; send it again`);
  await store.blobs.put(fileKey(upload, hash), content);
}

/** Puts an upload into the store as `publish` does, as a whole. Throws StoreError while a file is missing. */
export async function publishUpload(
  store: Store,
  upload: string,
  author: Omit<PublishOptions, 'dist'>,
): Promise<PublishResult> {
  const { raw, manifest } = await readStaged(store, upload);
  const { name, version } = manifest;
  const isPublished = (await store.readFile(name, version, MANIFEST_FILE))?.equals(raw) ?? false;
  const wanted = isPublished ? [] : Object.entries(manifest.files);
  const read = await inParallel(wanted, AT_ONCE, async ([file, { size, integrity }]) => {
    const content = await store.blobs.get(fileKey(upload, hashOf(integrity)));
    return content?.length === size && matchesIntegrity(content, integrity) ? ([file, content] as const) : file;
  });
  const missing = read.filter((one) => typeof one === 'string');
  if (missing.length > 0) throw new StoreError(`the upload lacks ${missing.join(', ')}; send them and publish again`);
  const files = new Map(read.filter((one) => typeof one !== 'string'));
  const build: Build = { raw, manifest, files };
  const result = await publishBuild(store, build, author);
  // Published already; what is left over goes with a later prune.
  if (!author.dryRun) await store.blobs.removeAll(`${STAGING}${upload}`).catch(() => {});
  return result;
}

/** Removes uploads that nobody finished. The first call that sees one only marks it; one marked two days ago goes. */
export async function sweepUploads(store: Store, now: number): Promise<void> {
  for (const upload of await store.blobs.list(STAGING)) {
    const mark = `${STAGING}${upload}/seen`;
    const seen = Number((await store.blobs.get(mark))?.toString() ?? Number.NaN);
    if (Number.isNaN(seen)) await store.blobs.put(mark, Buffer.from(String(now)));
    else if (now - seen > STALE_MS) await store.blobs.removeAll(`${STAGING}${upload}`);
  }
}
