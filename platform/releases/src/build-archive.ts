/** A build in one file, as the release API accepts it: a tar archive of the manifest and of each file that it names. */
import { Header } from 'tar';
import { MANIFEST_FILE } from './contract';
import { matchesIntegrity, parseManifest, type ReleaseManifest } from './manifest';
import type { Build } from './publish';
import { StoreError } from './store/blobs';

const BLOCK = 512;
export const UPLOAD_LIMITS = {
  files: 2_000,
  fileBytes: 10_000_000,
  manifestBytes: 450_000,
  /** The limit of all files together. A large shell has 3.5 MB. */
  bytes: 20_000_000,
  /** The limit of the archive, with a header and padding for each file. */
  archiveBytes: 23_000_000,
} as const;

/** Throws StoreError for a name that does not fit into a tar header. */
export function packBuild({ raw, files }: Pick<Build, 'raw' | 'files'>): Buffer {
  const blocks = [[MANIFEST_FILE, raw] as const, ...files].flatMap(([path, content]) => {
    const header = new Header({ path, size: content.length, mode: 0o644, type: 'File' });
    if (header.encode() || !header.block) throw new StoreError(`the name ${path} is too long for an upload`);
    return [header.block, content, Buffer.alloc(-content.length & (BLOCK - 1))];
  });
  return Buffer.concat([...blocks, Buffer.alloc(2 * BLOCK)]);
}

/** Throws StoreError unless the archive contains a manifest and exactly the files that it names, each with its size and hash. */
export function unpackBuild(archive: Buffer): Build {
  const entries = entriesOf(archive);
  const raw = entries.get(MANIFEST_FILE);
  if (!raw) throw new StoreError(`the upload has no ${MANIFEST_FILE}`);
  entries.delete(MANIFEST_FILE);
  if (raw.length > UPLOAD_LIMITS.manifestBytes)
    throw new StoreError(`${MANIFEST_FILE} has more than ${UPLOAD_LIMITS.manifestBytes} bytes`);
  const manifest = parseManifest(raw, MANIFEST_FILE);
  refuseTooMuch(manifest);
  const files = new Map<string, Buffer>();
  for (const [file, { size, integrity }] of Object.entries(manifest.files)) {
    const content = entries.get(file);
    if (!content) throw new StoreError(`${file} is in ${MANIFEST_FILE} but not in the upload`);
    if (content.length !== size || !matchesIntegrity(content, integrity))
      throw new StoreError(`${file} does not match its hash; publish again`);
    files.set(file, content);
  }
  const [extra] = [...entries.keys()].filter((file) => !files.has(file));
  if (extra !== undefined) throw new StoreError(`${extra} is in the upload but not in ${MANIFEST_FILE}`);
  return { raw, manifest, files };
}

/** Accepts plain files only: no links, folders or extended headers. */
function entriesOf(archive: Buffer): Map<string, Buffer> {
  const entries = new Map<string, Buffer>();
  let at = 0;
  for (; at + BLOCK <= archive.length; ) {
    const header = new Header(archive, at);
    if (header.nullBlock) return entries;
    const { path, size = 0 } = header;
    const end = at + BLOCK + size;
    if (!header.cksumValid || header.type !== 'File' || !path || end > archive.length)
      throw new StoreError('the upload is not a complete tar archive of plain files');
    if (entries.has(path)) throw new StoreError(`${path} is in the upload twice`);
    entries.set(path, archive.subarray(at + BLOCK, end));
    at = end + (-size & (BLOCK - 1));
  }
  throw new StoreError('the upload is not a complete tar archive of plain files');
}

function refuseTooMuch(manifest: ReleaseManifest): void {
  const sizes = Object.values(manifest.files).map(({ size }) => size);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  const { files, fileBytes, bytes: all } = UPLOAD_LIMITS;
  if (sizes.length > files || bytes > all || sizes.some((size) => size > fileBytes))
    throw new StoreError(
      `a release has at most ${files} files of ${fileBytes} bytes each and ${all} bytes together; this one has ${sizes.length} files and ${bytes} bytes`,
    );
}
